import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSLogUpload
@testable import MPaaSLogs

/// A clock that a test sets.
final class SetClock: Sendable {
  private let seconds: Mutex<Double>

  init(_ seconds: Double) { self.seconds = Mutex(seconds) }

  func advance(_ by: Double) { seconds.withLock { $0 += by } }
  /// East of Greenwich by eight hours.
  var clock: MonitorClock { MonitorClock(now: { self.seconds.withLock { $0 } }, offset: { _ in 28_800 }) }
}

/// 2026-01-31T01:05:07.015Z.
let someTime = 1_769_821_507.015

@Suite("Files of monitor points") struct MonitorFilesTests {
  static func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  @Test("a record is a line that begins with 0, in a file of its type, day and hour by the local clock")
  func lines() throws {
    let folder = try TemporaryFolder()
    let time = SetClock(someTime)
    let files = try MonitorFiles(folder.path, clock: time.clock)
    #expect(files.append(.behavior, "clicked", [.init("page", "home"), .init("n", "1,2=3\\4\n5")])?.records == 1)
    time.advance(3600)
    #expect(files.append(.behavior, "closed", [])?.records == 2)
    #expect(files.append(LogType(rawValue: "../shop"), "paid", [])?.records == 1)
    #expect(
      try Self.text(folder, "behavior/2026-01-31/09.log")
        == "02026-01-31T09:05:07.015+08:00,clicked,page=home,n=1\\,2\\=3\\\\4\\n5\n")
    #expect(try Self.text(folder, "behavior/2026-01-31/10.log") == "02026-01-31T10:05:07.015+08:00,closed\n")
    #expect(try Self.text(folder, "%2e%2e%2fshop/2026-01-31/10.log").hasSuffix(",paid\n"))
    #expect(files.types == [LogType(rawValue: "../shop"), .behavior])
  }

  @Test("a line is read as it was written, whatever is in it")
  func roundTrip() throws {
    var random = SeededRandom(seed: 9)
    let alphabet = Array("ab,=\\\n\r é中0")
    func word() -> String {
      String((0..<Int.random(in: 0...6, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "x" })
    }
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let line = MonitorLine(time: "t" + word(), event: word(), fields: (0..<3).map { _ in .init(word(), word()) })
      #expect(!line.text.contains("\n"))
      #expect(MonitorLine(line.text) == line)
      var bytes = Array(line.text.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = MonitorLine(String(decoding: bytes, as: UTF8.self))
    }
    let long = MonitorLine(time: "t", event: String(repeating: "\\é", count: 40_000)).text
    #expect(long.utf8.count <= MonitorLine.longest)
    #expect(long.hasSuffix("…"))
    #expect(MonitorLine(long) != nil)
  }

  @Test("days and hours are those of the calendar, in every zone and year", arguments: [-43_200, 0, 20_700, 50_400])
  func calendar(offset: Int) throws {
    var random = SeededRandom(seed: UInt64(offset + 50_000))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: offset))
    for _ in 0..<500 {
      let seconds = Double.random(in: -12_000_000_000...60_000_000_000, using: &random)
      let time = MonitorTime(seconds, MonitorClock(now: { 0 }, offset: { _ in offset }))
      let parts = calendar.dateComponents([.year, .month, .day, .hour], from: Date(timeIntervalSince1970: seconds))
      // The Gregorian calendar of Foundation changes to the Julian one before 1582.
      let wanted = String(
        format: "%04d-%02d-%02d %02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0, parts.hour ?? 0)
      #expect("\(time.day) \(time.hour)" == wanted, "\(seconds)")
    }
    for wild in [Double.nan, .infinity, -.infinity, 1e300] {
      #expect(MonitorTime(wild, MonitorClock(now: { 0 })).day.count == 10)
    }
  }

  @Test("what waits is given oldest first, and marked in place")
  func marking() throws {
    let folder = try TemporaryFolder()
    let time = SetClock(someTime)
    let files = try MonitorFiles(folder.path, clock: time.clock)
    for number in 0..<10 {
      _ = files.append(.behavior, "e\(number)", [])
      time.advance(900)
    }
    let first = files.next(.behavior, records: 4, bytes: 1 << 20)
    #expect(first.lines.map { $0.suffix(2) } == ["e0", "e1", "e2", "e3"])
    #expect(files.lines(first.slices) == first.lines)
    try files.mark(.behavior, first.slices)
    #expect(files.waiting[.behavior]?.records == 6)
    #expect(try MonitorFiles(folder.path).waiting[.behavior]?.records == 6)
    #expect(files.next(.behavior, records: 1, bytes: 1).lines.map { $0.suffix(2) } == ["e4"])
    let all = try ["09", "10", "11"].map { try Self.text(folder, "behavior/2026-01-31/\($0).log") }.joined()
    #expect(all.split(separator: "\n").map { $0.first } == Array("1111000000"))
  }

  @Test("a file that took another's name is not marked")
  func otherFile() throws {
    let folder = try TemporaryFolder()
    let files = try MonitorFiles(folder.path, clock: SetClock(someTime).clock)
    _ = files.append(.behavior, "old", [])
    let batch = files.next(.behavior, records: 4, bytes: 1 << 20)
    try FileManager.default.removeItem(atPath: folder.path + "/behavior")
    _ = files.append(.behavior, "new", [])
    #expect(files.lines(batch.slices).isEmpty)
    try files.mark(.behavior, batch.slices)
    #expect(files.next(.behavior, records: 4, bytes: 1 << 20).lines.map { $0.suffix(3) } == ["new"])
  }

  @Test("the beginning of a line that a killed process left goes before the next line comes")
  func tornLine() throws {
    let folder = try TemporaryFolder()
    let clock = SetClock(someTime).clock
    let file = folder.url.appending(path: "behavior/2026-01-31/09.log")
    for torn in ["0torn", "0whole\n0tor", ""] {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(torn.utf8).write(to: file)
      let files = try MonitorFiles(folder.path, clock: clock)
      _ = files.append(.behavior, "next", [])
      let lines = files.next(.behavior, records: 9, bytes: 1 << 20).lines
      #expect(lines.map { $0.suffix(4) } == (torn.contains("whole") ? ["hole", "next"] : ["next"]))
    }
  }

  @Test("beyond the limit the oldest that is uploaded goes first, then the oldest, and what is dropped is told")
  func limits() throws {
    let folder = try TemporaryFolder()
    let time = SetClock(someTime)
    var settings = MonitorSettings()
    settings.size = 20_000
    let files = try MonitorFiles(folder.path, settings: settings, clock: time.clock)
    let text = String(repeating: "x", count: 900)
    for number in 0..<200 {
      _ = files.append(.behavior, "e\(number)", [.init("text", text)])
      if number == 9 { try files.mark(.behavior, files.next(.behavior, records: 100, bytes: 1 << 20).slices) }
      time.advance(900)
    }
    let left = files.next(.behavior, records: 1000, bytes: 1 << 20).lines.compactMap(MonitorLine.init)
    let dropped = left.filter { $0.event == "dropped" }.compactMap { Int($0["records"] ?? "") }.reduce(0, +)
    let kept = left.filter { $0.event.hasPrefix("e") }.count
    // The record of a drop may have been dropped itself, with its number.
    #expect(kept > 5, "\(kept) \(dropped) \(left.map(\.event))")
    #expect(kept < 40, "\(kept) \(dropped) \(left.map(\.event))")
    #expect(dropped > 0, "\(kept) \(dropped) \(left.map(\.event))")
    #expect(left.last?.event == "e199", "\(kept) \(dropped) \(left.map(\.event))")
    let size = try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(0) {
      $0 + Int((try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + $1)[.size] as? UInt64) ?? 0)
    }
    #expect(size < 60_000)
  }

  @Test("a clock that is set back a day overwrites nothing")
  func clockJump() throws {
    let folder = try TemporaryFolder()
    let time = SetClock(someTime)
    let files = try MonitorFiles(folder.path, clock: time.clock)
    for (number, jump) in [0.0, 86_400, -86_400, -86_400, 86_400].enumerated() {
      time.advance(jump)
      _ = files.append(.behavior, "e\(number)", [])
    }
    let lines = files.next(.behavior, records: 99, bytes: 1 << 20).lines
    #expect(Set(lines.map { String($0.suffix(2)) }) == ["e0", "e1", "e2", "e3", "e4"])
  }

  @Test("several writers share a folder")
  func writers() async throws {
    let folder = try TemporaryFolder()
    let clock = SetClock(someTime).clock
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        let files = try MonitorFiles(folder.path, clock: clock)
        group.addTask { for number in 0..<200 { _ = files.append(.behavior, "\(writer)-\(number)", []) } }
      }
      try await group.waitForAll()
    }
    let lines = try MonitorFiles(folder.path).next(.behavior, records: 9999, bytes: 1 << 24).lines
    #expect(lines.count == 800)
    #expect(Set(lines).count == 800)
  }
}
