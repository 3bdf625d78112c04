import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("Lines of text") struct LineFormTests {
  /// 2026-01-31 00:00:00 UTC.
  static let reference: Int64 = 1_769_817_600

  static func item(_ line: String) throws -> LogItem {
    let shape = TextShape(hasHeads: true, zone: LogZone(.utc), reference: reference)
    return try Array(line.utf8).withUnsafeBytes { bytes in
      var reader = shape.reader
      let found = reader.head(bytes)
      let head = try #require(found, "no head: \(line)")
      return TextRecord(bytes, head, shape).item(asksFields: false)
    }
  }

  static func nanoseconds(_ seconds: Int64, _ milliseconds: Int64 = 0) -> Int64 {
    seconds * 1_000_000_000 + milliseconds * 1_000_000
  }

  /// 2026-01-01 00:00:00 UTC.
  static let newYear: Int64 = 1_767_225_600

  @Test(
    "are read for what they say, whoever wrote them",
    arguments: [
      ("2026-01-01T08:00:00.015+08:00 INFO Net [77] hello", 15, LogLevel.info, "Net", "hello", UInt64(77)),
      ("2026-01-01 00:00:00,015 ERROR Pay: no money", 15, .error, "Pay", "no money", 0),
      ("2026-01-01 00:00:00.015 Shop[12:1f] started", 15, nil, "Shop", "started", 31),
      ("[2026-01-01 00:00:00] [warning] [cart] odd", 0, .warning, "cart", "odd", 0),
      ("01-01 00:00:00.015  1234  5678 W Activity: slow start", 15, .warning, "Activity", "slow start", 5678),
      (
        "[E][2026-01-01 +8.0 08:00:00.015][12, 34*][net][a.cc:7, send][no answer", 15, .error, "net",
        "[a.cc:7, send][no answer", 34
      ),
      ("<11>Jan  1 00:00:00 host app[99]: failed", 0, .error, "app", "failed", 99),
      ("Jan  1 00:00:00 host app: fine", 0, nil, "app", "fine", 0),
      (
        "<165>1 2026-01-01T00:00:00.015Z host app 99 ID47 [a@1 k=\"v\\\"\" n=\"]\"] a message", 15, .info, "app",
        "a message", 99
      ),
      ("I0101 00:00:00.015000  42 server.cc:12] ready", 15, .info, "server.cc:12", "ready", 42),
      ("1767225600.015 plain", 15, nil, "", "plain", 0),
      ("1767225600015 DEBUG plain", 15, .debug, "", "plain", 0),
      ("DEBUG 2026-01-01 00:00:00.015 late", 15, .debug, "", "late", 0),
      (
        "{\"ts\":1767225600.015,\"level\":\"warn\",\"logger\":\"db\",\"msg\":\"slow\",\"tid\":5}", 15, .warning, "db",
        "slow", 5
      ),
      (
        "{\"time\":\"2026-01-01T00:00:00.015Z\",\"level\":50,\"message\":\"x\"}", 15, .error, "", "x", 0
      ),
    ] as [(String, Int64, LogLevel?, String, String, UInt64)])
  func forms(line: String, milliseconds: Int64, level: LogLevel?, tag: String, message: String, thread: UInt64) throws {
    let item = try Self.item(line)
    #expect(item.record.time == Self.nanoseconds(Self.newYear, milliseconds))
    #expect(item.record.entry.tag == tag)
    #expect(item.record.entry.message == message)
    #expect(item.record.thread == thread)
    #expect((item.hasLevel ? item.record.entry.level : nil) == level)
  }

  @Test("a web server's line has its time in brackets")
  func web() throws {
    let item = try Self.item("127.0.0.1 - - [01/Jan/2026:01:00:00 +0100] \"GET / HTTP/1.1\" 200 5")
    #expect(item.record.time == Self.nanoseconds(Self.newYear))
  }

  @Test("structured data of RFC 5424 and members of JSON become fields")
  func fields() throws {
    let syslog = try Self.item("<165>1 2026-01-01T00:00:00Z h app - - [a@1 k=\"v\\\"\" n=\"]\"] m").record.entry
    #expect(syslog.fields == [LogField("k", .text("v\"")), LogField("n", .text("]"))])
    let json = try Self.item("{\"time\":1767225600,\"msg\":\"m\",\"user\":\"u1\",\"fields\":{\"n\":3,\"ok\":true}}")
      .record
    #expect(
      json.entry.fields == [LogField("n", .integer(3)), LogField("ok", .flag(true)), LogField("user", .text("u1"))])
  }

  @Test("without a year are of the last year that is not in the future")
  func years() throws {
    let december = try Self.item("<11>Dec 31 00:00:00 host app: x").record.time
    #expect(december == Self.nanoseconds(Self.newYear - 86_400))
    let leap = try Self.item("<11>Feb 29 00:00:00 host app: x").record.time
    #expect(leap == Self.nanoseconds(1_709_164_800))
  }

  @Test(
    "what is no head is none",
    arguments: ["", "   at a.b(c.swift:1)", "hello world", "2026-13-01 00:00:00 x", "{", "12"])
  func none(line: String) {
    var reader = TextShape(zone: LogZone(.utc), reference: Self.reference).reader
    let head = Array(line.utf8).withUnsafeBytes { reader.head($0) }
    #expect(head == nil)
  }

  @Test("a record of ours is read again from its line of text and of JSON")
  func own() throws {
    var text: [UInt8] = [], json: [UInt8] = []
    var writer = LogText(.utc)
    for record in SampleLog.records(40) where !record.entry.tag.isEmpty && !record.entry.message.contains("\n") {
      text = []
      json = []
      writer.append(record, to: &text)
      writer.appendJSON(record, to: &json)
      let fromText = try Self.item(String(decoding: text, as: UTF8.self)).record
      #expect(fromText.time.map { $0 / 1_000_000 } == record.time.map { $0 / 1_000_000 })
      #expect(fromText.entry.tag == record.entry.tag)
      #expect(fromText.entry.level == record.entry.level)
      #expect(fromText.thread == record.thread)
      let fromJSON = try Self.item(String(decoding: json, as: UTF8.self)).record
      #expect(fromJSON.time == record.time)
      #expect(fromJSON.sequence == record.sequence)
      #expect(fromJSON.entry.message == record.entry.message)
      #expect(fromJSON.entry.tag == record.entry.tag)
      #expect(Set(fromJSON.entry.fields.map(\.name)).isSuperset(of: record.entry.fields.map(\.name)))
    }
  }

  @Test("days are counted right over four centuries, and within the years of 64 bits of nanoseconds")
  func days() throws {
    var date = try #require(CivilDate(year: 1900, month: 1, day: 1))
    for number in Int64(-25_567)..<120_000 {
      #expect(LogDay.number(year: date.year, month: date.month, day: date.day) == number)
      date = CivilDate(daysSince1970: Int(number) + 1)
      if date.year > 2200 { break }
    }
    #expect(LogDay.number(year: 2025, month: 2, day: 29) == nil)
    #expect(LogDay.number(year: 1677, month: 1, day: 1) == nil)
    #expect(LogDay.number(year: 2262, month: 1, day: 1) == nil)
  }

  @Test("any bytes are read without a crash")
  func fuzz() {
    var random = SeededRandom(seed: 7)
    let seeds = [
      "2026-01-01T08:00:00.015+08:00 INFO Net [77] hello",
      "<165>1 2026-01-01T00:00:00.015Z h a 9 I [a@1 k=\"v\\\"\"] m",
      "[E][2026-01-01 +8.0 08:00:00.015][12, 34*][net][a.cc:7, send][x", "{\"ts\":1767225600.015,\"msg\":\"slow\"}",
      "01-01 00:00:00.015  1234  5678 W Activity: slow", "I0101 00:00:00.015000  42 server.cc:12] ready",
      "127.0.0.1 - - [01/Jan/2026:01:00:00 +0100] \"GET\"",
    ].map { Array($0.utf8) }
    let shape = TextShape(hasHeads: true, zone: LogZone(.local), reference: Self.reference)
    var reader = shape.reader
    for _ in 0..<SeededRandom.rounds(or: 4000) {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      bytes.withUnsafeBytes { raw in
        let head = reader.head(raw)
        _ = TextRecord(raw, head, shape).item(asksFields: true)
      }
    }
  }
}
