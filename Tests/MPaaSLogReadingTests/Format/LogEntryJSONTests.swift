import MPaaSSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("A record from a line of JSON") struct LogEntryJSONTests {
  private let template = LogEntry(.info, "script", "", fields: [LogField("from", .text("template"))])

  private func read(_ line: String) throws(LogError) -> LogEntry? {
    let bytes = Array(line.utf8)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(LogError) in try template.reading(json: bytes, number: 7) }
    }
    return try result.get()
  }

  @Test("says what the line says, and for the rest what the template does")
  func members() throws {
    let entry = try #require(try read(#"{"message": "m", "level": "WARN", "subsystem": "s"}"#))
    #expect(entry.message == "m")
    #expect(entry.level == .warning)
    #expect(entry.subsystem == "s")
    #expect(entry.tag == "script")
    #expect(entry.fields == template.fields)
  }

  @Test("has what it does not know as fields, each of its kind")
  func fields() throws {
    let entry = try #require(try read(#"{"msg": "m", "fields": {"n": 1, "f": true}, "x": 0.5, "y": [1]}"#))
    let own = entry.fields.dropFirst()
    #expect(own.map(\.name) == ["f", "n", "x", "y"])
    #expect(own.map(\.value) == [.flag(true), .integer(1), .real(0.5), .text("[1]")])
  }

  @Test("keeps the level of the template where the word is none")
  func level() throws {
    #expect(try read(#"{"level": "loud"}"#)?.level == .info)
    #expect(LogLevel(word: "Err") == .error)
  }

  @Test("is none for an empty line, and an error with its number for what is no object")
  func others() throws {
    #expect(try read(" \t") == nil)
    do throws(LogError) {
      _ = try read("[1]")
      Issue.record("read")
    } catch {
      #expect(error.code == .lineMalformed)
      #expect(error.values["line"] == "7")
    }
  }
}
