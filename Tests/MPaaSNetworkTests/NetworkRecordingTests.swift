import Foundation
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("A real network as a timeline") struct NetworkRecordingTests {
  static let line = #"{"type":"network","time":1767196801,"rtt_ms":120}"# + "\n"

  private func recording(_ texts: [String: String], name: String? = nil) throws -> NetworkRecording {
    try NetworkRecording(logs: texts.keys.sorted(), name: name, window: .seconds(10)) { texts[$0] ?? "" }
  }

  @Test("is made of the records of all logs")
  func logs() throws {
    let recording = try recording(["a": Self.line, "b": Self.line + #"{"type":"network","rtt_ms":3}"#])
    #expect(recording.samples == 2)
    #expect(recording.badRecords == 1)
    #expect(recording.timeline.steps.map(\.label) == ["latency 60ms"])
  }

  @Test("is called recorded, or as the user says")
  func name() throws {
    #expect(try recording(["a": Self.line]).timeline.name == "recorded")
    #expect(try recording(["a": Self.line], name: "train").timeline.name == "train")
  }

  @Test("is refused where the logs tell of none, and names them")
  func noRecords() {
    let error = NetworkError(.recordEmpty, ["files": "a, b"])
    #expect(throws: error) { try recording(["a": "", "b": "nothing\n"]) }
  }

  @Test("is refused where no look was taken")
  func noSamples() {
    #expect(throws: NetworkError(.recordEmpty, ["files": ""])) { try NetworkRecording([], window: .seconds(1)) }
  }

  @Test("is written as its file's name asks", arguments: [("a.toml", "["), ("a.json", "{"), ("a.txt", "")])
  func forms(name: String, start: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/" + name
    let recording = try recording(["a": Self.line])
    #expect(try recording.write(to: ResultPlace(path)) == path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == TimelineForm(ofFile: name).text(of: recording.timeline, .builtIn))
    #expect(text.hasPrefix(start) || text.contains(start))
  }

  @Test("goes to standard output without a file")
  func standardOutput() throws {
    #expect(try recording(["a": Self.line]).write(to: ResultPlace("-")) == nil)
  }
}
