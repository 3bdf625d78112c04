package import MPaaSNetworkConditions
import MPaaSSupport
package import ServingKit

/// A timeline as a call names it: a file, a profile that changes by itself, or one by chance.
package struct TimelineWords: Codable, Sendable {
  /// The file or the profile.
  package let name: String?
  /// The seed of chance; nil where a file or a profile is named.
  package let seed: UInt64?
  /// The length of one by chance, and the profiles that it goes between.
  package let length: String?
  package let between: String?
  /// Files of profiles.
  package let files: [String]

  package init(name: String?, seed: UInt64?, length: String?, between: String?, files: [String]) {
    self.name = name
    self.seed = seed
    self.length = length
    self.between = between
    self.files = files
  }

  package func profiles(in context: Context) throws -> ProfileCatalogue {
    try ProfileCatalogue.loading(in: context, files: files)
  }

  package func timeline(_ profiles: ProfileCatalogue) throws -> Timeline {
    if let seed {
      let names = between.map { $0.split(separator: ",").map { String($0).trimmingSpaces } } ?? Timeline.walked
      return try Timeline.random(
        seed: seed, length: try length.map(Self.duration) ?? .seconds(300), names: names, profiles: profiles)
    }
    let path = name ?? ""
    // A profile's name where no file is called so.
    if FileStatus(path) == nil, !path.contains("/"), !path.contains("."), let profile = try? profiles.named(path) {
      return profile.played
    }
    return try Timeline.reading(path, profiles: profiles)
  }

  /// A time as timelines write it.
  package static func duration(_ text: String) throws -> Duration {
    guard let duration = Quantity.duration(text), duration > .zero else {
      throw NetworkError(.durationOption, ["value": text])
    }
    return duration
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
