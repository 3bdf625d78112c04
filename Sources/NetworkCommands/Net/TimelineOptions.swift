import ArgumentParser
import CommandKit
import MPaaSTerminal
import NetworkServingKit

/// The choice of a timeline: a file, a profile that changes by itself, or one by chance.
struct TimelineOptions: ParsableArguments {
  @Argument(help: .text("command.net.replay.timeline", valueName: "timeline"), completion: .file())
  var timeline: String?

  @Option(help: .text("command.net.replay.random", valueName: "seed"))
  var random: UInt64?

  @Option(help: .text("command.net.replay.length", valueName: "time"))
  var length: String?

  @Option(help: .text("command.net.replay.between", valueName: "profiles"), completion: .networkProfileList)
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

  var words: TimelineWords {
    TimelineWords(name: timeline, seed: random, length: length, between: between, files: profiles.file)
  }
}
