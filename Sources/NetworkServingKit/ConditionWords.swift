package import MPaaSNetworkConditions
import MPaaSSupport
package import ServingKit

/// The conditions of a call, as it names them.
package struct ConditionWords: Codable, Sendable {
  /// The name of a built-in profile, or of one of the user's.
  package let profile: String?
  /// Conditions such as `latency 100ms`.
  package let toxics: [String]

  package init(profile: String?, toxics: [String]) {
    self.profile = profile
    self.toxics = toxics
  }

  /// The conditions that the words mean, and what they are called.
  package struct Wanted: Sendable {
    package var profile: NetworkProfile?
    package var toxics: [Toxic]
    package var label: String

    package func conditions(_ direction: Direction) -> [Condition] {
      toxics.filter { $0.direction == direction }.map(\.condition)
    }
  }

  package func wanted(in context: Context) throws -> Wanted {
    let found = try profile.map { try ProfileCatalogue.loading(in: context).named($0) }
    let own = try toxics.flatMap { try ConditionPhrase.toxics($0, file: "--toxic", hasColumns: false) }
    let words = [found?.name].compactMap { $0 } + toxics
    return Wanted(
      profile: found, toxics: (found?.toxics ?? []) + Toxic.distinct(own), label: words.joined(separator: ", "))
  }
}

extension ProfileCatalogue {
  /// The built-in profiles, the user's, and those of files.
  package static func loading(in context: Context, files: [String] = []) throws -> ProfileCatalogue {
    try loading(configuration: context.directories.configuration, files: files)
  }
}

extension Toxic {
  /// The same with names that differ, as several conditions of a kind may be given.
  fileprivate static func distinct(_ toxics: [Toxic]) -> [Toxic] {
    var seen: [String: Int] = [:]
    return toxics.map { toxic in
      var toxic = toxic
      let count = seen[toxic.name, default: 0] + 1
      seen[toxic.name] = count
      if count > 1 { toxic.name += "_\(count)" }
      return toxic
    }
  }
}
