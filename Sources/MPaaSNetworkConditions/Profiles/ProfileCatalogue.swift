import MPaaSSupport

/// The profiles that may be named: the built-in ones, and those of a user's files before them.
public struct ProfileCatalogue: Sendable, Hashable {
  /// Built-in ones in their order; a user's profile of the same name stands in the place of it.
  public private(set) var profiles: [NetworkProfile]

  /// Makes a catalogue of profiles, in this order.
  public init(_ profiles: [NetworkProfile]) { self.profiles = profiles }

  /// The profiles that come with the kit.
  public static let builtIn = ProfileCatalogue(NetworkProfile.builtIn)

  /// The profile of a name; upper and lower case, spaces and underscores make no difference.
  public func named(_ name: String) throws(NetworkError) -> NetworkProfile {
    let wanted = Self.folded(name)
    for name in [wanted, Self.aliases[wanted]] {
      if let found = profiles.first(where: { $0.name == name }) { return found }
    }
    let near = closestMatch(to: wanted, among: profiles.map(\.name))
    throw NetworkError(near == nil ? .profileUnknown : .profileMisspelt, ["profile": name, "suggestion": near ?? ""])
  }

  /// Other names that people try.
  static let aliases = ["2g": "2g-urban", "4g": "lte", "offline": "airplane", "flight-mode": "airplane"]

  static func folded(_ name: String) -> String {
    String(name.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
  }

  /// Adds a profile, in the place of one with the same name.
  public mutating func add(_ profile: NetworkProfile) {
    if let index = profiles.firstIndex(where: { $0.name == profile.name }) {
      profiles[index] = profile
    } else {
      profiles.append(profile)
    }
  }
}

extension NetworkProfile {
  /// A profile that comes with the kit, by its name.
  public static func named(_ name: String) throws(NetworkError) -> NetworkProfile {
    try ProfileCatalogue.builtIn.named(name)
  }
}

extension NetworkError.Code {
  /// A profile that is not there, and none is called nearly so.
  package static var profileUnknown: Self { NetworkError.Code("net-profile-unknown", exit: .inputMissing) }
  /// A profile that is not there; one is called nearly so.
  package static var profileMisspelt: Self { NetworkError.Code("net-profile-misspelt", exit: .inputMissing) }
}
