import MPaaSSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("Records from a script") struct ScriptRecordsTests {
  private static let template = LogEntry(.warning, "script", "", fields: [LogField("a", .integer(1))])

  /// The lines of a source that gives one batch at each read; a test fails where it is read without need.
  private static func source(_ batches: [[String]]) -> ScriptRecords.Lines {
    var rest = batches[...]
    var number = 0
    return { take in
      guard let batch = rest.popFirst() else { return false }
      for line in batch {
        number += 1
        try Array(line.utf8).withUnsafeBytes { try take(number, $0) }
      }
      return true
    }
  }

  @Test("are the messages, each with what the template says, and the lines are not read then")
  func messages() throws {
    var entries: [LogEntry] = []
    let records = ScriptRecords(Self.template, isJSON: true)
    let count = try records.write(["one", "{}"], else: { _ in throw CancellationError() }) { entries.append($0) }
    #expect(count == 2)
    #expect(entries.map(\.message) == ["one", "{}"])
    #expect(entries.allSatisfy { $0.level == .warning && $0.tag == "script" && $0.fields == Self.template.fields })
  }

  @Test("are the lines of all reads where there is no message, empty ones too")
  func lines() throws {
    var entries: [LogEntry] = []
    let lines = Self.source([["one", ""], [], ["{\"message\": 1}"]])
    let count = try ScriptRecords(Self.template, isJSON: false).write([], else: lines) { entries.append($0) }
    #expect(count == 3)
    #expect(entries.map(\.message) == ["one", "", "{\"message\": 1}"])
  }

  @Test("are the objects of lines of JSON, without empty lines, up to one that is none")
  func json() throws {
    var entries: [LogEntry] = []
    let records = ScriptRecords(Self.template, isJSON: true)
    let lines = Self.source([["{\"message\": \"m\", \"level\": \"error\"}", " "], ["[1]", "{}"]])
    #expect(throws: LogError(.lineMalformed, ["line": "3"])) {
      try records.write([], else: lines) { entries.append($0) }
    }
    #expect(entries.map(\.message) == ["m"])
    #expect(entries.map(\.level) == [.error])
    let rest = Self.source([["{\"message\": \"m\"}", "", "{\"b\": true}"]])
    #expect(try records.write([], else: rest) { entries.append($0) } == 2)
  }

  @Test(
    "have fields as they are typed",
    arguments: [
      ("a=b", "a", LogValue.text("b")), ("a=", "a", .text("")), ("a=b=c", "a", .text("b=c")),
      ("n=-7", "n", .integer(-7)),
      ("f=true", "f", .flag(true)), ("f=false", "f", .flag(false)), ("t=True", "t", .text("True")),
      ("n=99999999999999999999", "n", .text("99999999999999999999")), ("n=1.5", "n", .text("1.5")),
    ])
  func fields(text: String, name: String, value: LogValue) throws {
    #expect(try LogField(typed: text) == LogField(name, value))
  }

  @Test("have no field without a name or without a sign", arguments: ["", "a", "=", "=b"])
  func malformedFields(text: String) {
    #expect(throws: LogError(.fieldMalformed, ["value": text])) { try LogField(typed: text) }
  }
}
