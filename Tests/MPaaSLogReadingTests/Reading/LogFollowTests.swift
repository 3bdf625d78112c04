import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("Following logs") struct LogFollowTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func append(_ text: String, to name: String) throws {
    let path = folder.url.appending(path: name)
    if !FileManager.default.fileExists(atPath: path.path) { try Data().write(to: path) }
    let file = try FileHandle(forWritingTo: path)
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  @Test("tells each line of text once, when it is ended, of new files and of rotated ones too")
  func text() throws {
    try append(LogMergeTests.line(1, "a") + "\n" + LogMergeTests.line(2, "b"), to: "a.log")
    var following = try LogFollow([folder.path], LogOpening(), LogReadOptions())
    #expect(try following.begin(10).items.map(\.record.entry.message) == ["a"])
    #expect(try following.more().items.isEmpty)
    try append(" more\n", to: "a.log")
    try append(LogMergeTests.line(3, "c") + "\n", to: "b.log")
    #expect(try following.more().items.map(\.record.entry.message) == ["b more", "c"])
    try FileManager.default.removeItem(at: folder.url.appending(path: "a.log"))
    try append(LogMergeTests.line(4, "d") + "\n", to: "a.log")
    #expect(try following.more().items.map(\.record.entry.message) == ["d"])
    #expect(try following.more().items.isEmpty)
  }

  @Test("tells each record of a writer once, staged and then sealed")
  func writer() throws {
    let folder = folder.path
    let writer = try LogWriter(folder: folder)
    writer.append(LogEntry(.info, "T", "one"))
    var following = try LogFollow([folder], LogOpening(), LogReadOptions())
    #expect(try following.begin(10).items.map(\.record.entry.message) == ["one"])
    writer.append(LogEntry(.info, "T", "two"))
    writer.append(LogEntry(.error, "T", "three"))
    #expect(try following.more().items.map(\.record.entry.message) == ["two", "three"])
    writer.flush()
    #expect(try following.more().items.isEmpty)
    writer.append(LogEntry(.info, "T", "four"))
    #expect(try following.more().items.map(\.record.entry.message) == ["four"])
  }

  @Test(
    "tells what was written, renamed and compressed between two looks, once, and none of its own bytes", .tool("gzip"))
  func compressed() throws {
    let path = folder.url.appending(path: "app.log").path
    try append(LogMergeTests.line(1, "a") + "\n", to: "app.log")
    var following = try LogFollow([path], LogOpening(), LogReadOptions())
    #expect(try following.begin(10).items.map(\.record.entry.message) == ["a"])
    func rename(_ from: String, _ to: String) throws {
      try FileManager.default.moveItem(at: folder.url.appending(path: from), to: folder.url.appending(path: to))
    }
    // One that is known, with a line that was not told; then one that no look saw.
    try append(LogMergeTests.line(2, "b") + "\n", to: "app.log")
    try rename("app.log", "app.log.2")
    #expect(try Command.run("gzip", [folder.path + "/app.log.2"]).status == 0)
    try append(LogMergeTests.line(3, "c") + "\n", to: "app.log")
    try rename("app.log", "app.log.1")
    #expect(try Command.run("gzip", [folder.path + "/app.log.1"]).status == 0)
    try append(LogMergeTests.line(4, "d") + "\n", to: "app.log")
    #expect(try following.more().items.map(\.record.entry.message) == ["b", "c", "d"])
    // One that is not all there yet.
    try append(LogMergeTests.line(5, "e") + "\n", to: "app.log.0")
    #expect(try Command.run("gzip", [folder.path + "/app.log.0"]).status == 0)
    let last = try Data(contentsOf: folder.url.appending(path: "app.log.0.gz"))
    for size in [0, 1, 12, last.count - 1] {
      try last.prefix(size).write(to: folder.url.appending(path: "app.log.0.gz"), options: [])
      #expect(try following.more().items.isEmpty, "\(size) bytes")
    }
    try last.write(to: folder.url.appending(path: "app.log.0.gz"), options: [])
    #expect(try following.more().items.map(\.record.entry.message) == ["e"])
    // Records that were told come under another name.
    try rename("app.log.2.gz", "app.log.3.gz")
    #expect(try following.more().items.isEmpty)
    // A copy that is compressed before the file is seen cut short.
    try append(LogMergeTests.line(6, "f") + "\n", to: "app.log")
    try append(
      String(decoding: try Data(contentsOf: folder.url.appending(path: "app.log")), as: UTF8.self), to: "app.log.9")
    #expect(try Command.run("gzip", [folder.path + "/app.log.9"]).status == 0)
    truncate(path, 0)
    try append(LogMergeTests.line(7, "g") + "\n", to: "app.log")
    let found = try following.more()
    #expect(found.items.map(\.record.entry.message) == ["f", "g"])
    #expect(found.problems.isEmpty)
  }

  @Test("loses no line and tells none twice through random rotations of a file in place or folder", .tool("gzip"))
  func rotations() throws {
    let rounds = SeededRandom.rounds(or: 30)
    for isNamed in [true, false] {
      let place = try TemporaryFolder()
      var log = RotatedLog(place.url, seed: isNamed ? 1 : 2)
      try log.write(3)
      let path = isNamed ? place.url.appending(path: "app.log").path : place.path
      var following = try LogFollow([path], LogOpening(), LogReadOptions())
      var told = try following.begin(100).items.map(\.record.entry.message)
      var problems: [LogError] = []
      for _ in 0..<rounds {
        try log.step()
        let found = try following.more()
        told += found.items.map(\.record.entry.message)
        problems += found.problems
      }
      told += try following.more().items.map(\.record.entry.message)
      #expect(told.sorted() == (0..<log.count).map { "line \($0)" }.sorted(), "named: \(isNamed)")
      #expect(problems.isEmpty, "named: \(isNamed)")
    }
  }

  @Test("says that lines may be missing where a file was cut short and no copy of it is there")
  func cut() throws {
    try append(LogMergeTests.line(1, "a") + "\n", to: "a.log")
    var following = try LogFollow([folder.url.appending(path: "a.log").path], LogOpening(), LogReadOptions())
    _ = try following.begin(10)
    try Data((LogMergeTests.line(2, "a much longer line than before") + "\n").utf8)
      .write(to: folder.url.appending(path: "a.log"), options: [])
    let found = try following.more()
    #expect(found.items.map(\.record.entry.message) == ["a much longer line than before"])
    #expect(found.problems.map(\.code) == [.followCut])
  }

  @Test(
    "reads what was written, renamed and compressed between two looks, by whatever program",
    arguments: ["gzip", "xz", "bzip2", "lz4"].filter { Command.find($0) != nil })
  func compressed(program: String) throws {
    let rotated = folder.url.appending(path: "app.log.1")
    try append(LogMergeTests.line(1, "a") + "\n", to: "app.log")
    var following = try LogFollow([folder.url.appending(path: "app.log").path], LogOpening(), LogReadOptions())
    _ = try following.begin(10)
    // One generation that is known and one that never was, both compressed before the next look.
    try append(LogMergeTests.line(2, "b") + "\n", to: "app.log")
    try FileManager.default.moveItem(at: folder.url.appending(path: "app.log"), to: rotated)
    try compress(rotated, by: program)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix("app.log.1.") {
      let older = folder.url.appending(path: file.replacing("app.log.1.", with: "app.log.2."))
      try FileManager.default.moveItem(at: folder.url.appending(path: file), to: older)
    }
    try append(LogMergeTests.line(3, "c") + "\n", to: "app.log.1")
    try compress(rotated, by: program)
    try append(LogMergeTests.line(4, "d") + "\n", to: "app.log")
    let found = try following.more()
    #expect(found.items.map(\.record.entry.message) == ["b", "c", "d"])
    #expect(found.problems.isEmpty)
  }

  private func compress(_ file: URL, by program: String) throws {
    let arguments = program == "lz4" ? ["-q", "--rm", file.path, file.path + ".lz4"] : [file.path]
    let outcome = try Command.run(program, arguments)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("says that lines are missing where a file was compressed between two looks and cannot be read")
  func unread() throws {
    try append(LogMergeTests.line(1, "a") + "\n", to: "app.log")
    var following = try LogFollow([folder.url.appending(path: "app.log").path], LogOpening(), LogReadOptions())
    _ = try following.begin(10)
    try Data([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]).write(to: folder.url.appending(path: "app.log.1.xz"))
    let found = try following.more()
    #expect(found.items.isEmpty)
    #expect(found.problems.map(\.code) == [.followUnread])
    #expect(try following.more().problems.isEmpty, "it is told once")
  }

  @Test("says nothing of a compressed file that cannot be read where its lines were told from the file before")
  func unreadButTold() throws {
    try append(LogMergeTests.line(1, "a") + "\n", to: "app.log")
    var following = try LogFollow([folder.url.appending(path: "app.log").path], LogOpening(), LogReadOptions())
    _ = try following.begin(10)
    try append(LogMergeTests.line(2, "b") + "\n", to: "app.log")
    try FileManager.default.removeItem(at: folder.url.appending(path: "app.log"))
    try Data([0x1f, 0x9d, 0x90, 0, 0]).write(to: folder.url.appending(path: "app.log.1.Z"))
    let found = try following.more()
    #expect(found.items.map(\.record.entry.message) == ["b"])
    #expect(found.problems.isEmpty)
  }
}

/// A log that is written and rotated in every way.
private struct RotatedLog {
  private let folder: URL
  private var random: SeededRandom
  private var generation = 0
  private(set) var count = 0

  init(_ folder: URL, seed: UInt64) {
    self.folder = folder
    random = SeededRandom(seed: seed)
  }

  private var live: URL { folder.appending(path: "app.log") }

  mutating func write(_ lines: Int) throws {
    if !FileManager.default.fileExists(atPath: live.path) {
      // Not `Data().write`: that may replace the file.
      close(open(live.path, O_CREAT | O_WRONLY, 0o644))
    }
    let file = try FileHandle(forWritingTo: live)
    defer { try? file.close() }
    try file.seekToEnd()
    for _ in 0..<lines {
      let second = count % 60 < 10 ? "0\(count % 60)" : "\(count % 60)"
      let minute = count / 60 % 60 < 10 ? "0\(count / 60 % 60)" : "\(count / 60 % 60)"
      try file.write(
        contentsOf: Data("2026-03-01 \(10 + count / 3600):\(minute):\(second).000 INFO T: line \(count)\n".utf8))
      count += 1
    }
  }

  /// Writes, rotates in one way, and writes again, all between two looks.
  mutating func step() throws {
    // A record that comes and is removed between two looks was never there for anyone.
    let isKnown = FileManager.default.fileExists(atPath: live.path)
    try write(isKnown ? Int.random(in: 0...4, using: &random) : 1)
    generation += 1
    let rotated = folder.appending(path: "app.log.\(generation)")
    switch Int.random(in: isKnown ? 0...4 : 0...2, using: &random) {
    case 0: try FileManager.default.moveItem(at: live, to: rotated)
    case 1:
      try FileManager.default.copyItem(at: live, to: rotated)
      truncate(live.path, 0)
    case 2:
      try FileManager.default.moveItem(at: live, to: rotated)
      _ = try Command.run("gzip", [rotated.path])
    case 3: try FileManager.default.removeItem(at: live)
    default: break
    }
    // A name may be without a file for a while.
    if Bool.random(using: &random) { try write(Int.random(in: 1...4, using: &random)) }
  }
}
