import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

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
}
