package import MPaaSNetworkConditions
import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport

/// The way in which what was measured becomes a timeline.
package struct TimelineRecord: Codable, Sendable {
  package let name: String?
  /// The time that a step of the timeline sums up.
  package let window: Duration
  /// The wish for a file, as `ResultPlace` reads it.
  package let output: String?

  package init(name: String?, window: Duration, output: String?) {
    self.name = name
    self.window = window
    self.output = output
  }

  /// Makes a timeline of what was measured, and writes it where a file is named.
  package func timeline(of samples: [LinkSample]) throws -> RecordedNetwork {
    try written(NetworkRecording(samples, name: name, window: window))
  }

  /// Writes a timeline where a file is named.
  package func written(_ recording: NetworkRecording) throws -> RecordedNetwork {
    RecordedNetwork(recording, output: try recording.write(to: ResultPlace(output)))
  }
}

/// The output of `mpaas net record`: the timeline, or where it is.
package struct RecordedNetwork: Presentable {
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

  package func encode(to encoder: any Encoder) throws {
    let object: JSONValue.Object = [
      "samples": JSONValue(samples), "bad_records": JSONValue(badRecords),
      "output": output.map { .string($0) } ?? .null, "timeline": .object(timeline.json()),
    ]
    try JSONValue.object(object).encode(to: encoder)
  }

  package func document(_ catalogue: Catalogue) -> Document {
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
