import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal

/// The choice of a timeline: a file, a profile that changes by itself, or one by chance.
struct TimelineOptions: ParsableArguments {
  @Argument(help: .text("command.net.replay.timeline", valueName: "timeline"), completion: .file())
  var timeline: String?

  @Option(help: .text("command.net.replay.random", valueName: "seed"))
  var random: UInt64?

  @Option(help: .text("command.net.replay.length", valueName: "time"))
  var length: String?

  @Option(help: .text("command.net.replay.between", valueName: "profiles"))
  var between: String?

  @OptionGroup var profiles: NetworkProfileOptions

  func validate() throws {
    if (timeline == nil) == (random == nil) {
      throw ValidationError(Catalogue.current.text("text.net-timeline-which"))
    }
    if random == nil, length != nil || between != nil {
      throw ValidationError(Catalogue.current.text("text.net-timeline-random-only"))
    }
  }

  func timeline(_ catalogue: ProfileCatalogue) throws -> Timeline {
    if let random {
      let names = between.map { $0.split(separator: ",").map { String($0).trimmingSpaces } } ?? Timeline.walked
      return try Timeline.random(
        seed: random, length: try length.map(Self.duration) ?? .seconds(300), names: names, profiles: catalogue)
    }
    let path = timeline ?? ""
    // A profile's name where no file is called so.
    if FileStatus(path) == nil, !path.contains("/"), !path.contains("."), let profile = try? catalogue.named(path) {
      return profile.played
    }
    return try Timeline.reading(path, profiles: catalogue)
  }

  /// A time as timelines write it.
  static func duration(_ text: String) throws -> Duration {
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
