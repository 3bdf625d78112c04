import ArgumentParser
import CommandKit
package import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension NetCommand {
  /// `mpaas net record TARGET` or `--from LOG…`: a real network as a timeline.
  struct Record: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("record", key: "net.record") }

    @Argument(help: .text("command.net.record.target", valueName: "target"))
    var target: String?

    @Option(
      parsing: .upToNextOption, help: .text("command.net.record.from", valueName: "log"), completion: .file())
    var from: [String] = []

    @Option(name: .customLong("for"), help: .text("command.net.record.for", valueName: "time"))
    var length = "60s"

    @Option(help: .text("command.net.record.every", valueName: "time"))
    var every = "1s"

    @Option(help: .text("command.net.record.window", valueName: "time"))
    var window = "10s"

    @Option(help: .text("command.net.record.name", valueName: "name"))
    var name: String?

    @Option(name: [.short, .long], help: .text("command.net.record.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if (target == nil) != from.isEmpty { return }
      throw ValidationError(Catalogue.current.text("text.net-record-source"))
    }

    func run(in context: Context) async throws -> RecordedNetwork {
      let window = try TimelineOptions.duration(window)
      let recording =
        if let target {
          try NetworkRecording(await samples(of: target, in: context), name: name, window: window)
        } else {
          try NetworkRecording(logs: from, name: name, window: window, by: TextFile.reading)
        }
      return RecordedNetwork(recording, output: try recording.write(to: ResultPlace(output)))
    }

    private func samples(of target: String, in context: Context) async throws -> [LinkSample] {
      try await context.served {
        LinkMeasurement(
          target: target, interval: try TimelineOptions.duration(every), length: try TimelineOptions.duration(length))
      }
    }
  }
}

/// A real network that is measured for some time, or until the program is told to end.
package struct LinkMeasurement: ServedWork {
  package typealias Output = [LinkSample]

  /// `host:port` or a URL.
  package let target: String
  package let interval: Duration
  package let length: Duration
}

/// The output of `mpaas net record`: the timeline, or where it is.
struct RecordedNetwork: Presentable {
  let timeline: Timeline
  let samples: Int
  let badRecords: Int
  let output: String?

  init(_ recording: NetworkRecording, output: String?) {
    timeline = recording.timeline
    samples = recording.samples
    badRecords = recording.badRecords
    self.output = output
  }

  func encode(to encoder: any Encoder) throws {
    let object: JSONValue.Object = [
      "samples": JSONValue(samples), "bad_records": JSONValue(badRecords),
      "output": output.map { .string($0) } ?? .null, "timeline": .object(timeline.json()),
    ]
    try JSONValue.object(object).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard let output else {
      return Document(lines: timeline.text().split(separator: "\n").map { StyledText(verbatim: String($0)) })
    }
    let values = ["samples": "\(samples)", "steps": "\(timeline.steps.count)", "file": output]
    var document: Document = [.line(StyledText(catalogue.text("text.net-recorded", values)))]
    if badRecords > 0 {
      document.line(StyledText(catalogue.text("text.net-record-bad", ["count": "\(badRecords)"]), .warning))
    }
    return document
  }
}
