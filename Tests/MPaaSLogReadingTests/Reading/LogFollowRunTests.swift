import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("Following logs to an end") struct LogFollowRunTests {
  let folder: TemporaryFolder
  private var path: String { folder.path + "/a.log" }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ seconds: ClosedRange<Int>) throws {
    let lines = seconds.map { LogMergeTests.line($0, "m\($0)") + "\n" }
    try Data(lines.joined().utf8).write(to: URL(filePath: path))
  }

  @Test("tells the last records, then those of each look, with the names of their files")
  func looks() throws {
    try write(1...3)
    var following = try LogFollow([path], LogOpening(), LogReadOptions())
    var looks = 0
    var told: [[String]] = []
    let problems = try following.run(last: 2) {
      looks += 1
      if looks == 2, let file = FileHandle(forWritingAtPath: path) {
        file.seekToEndOfFile()
        file.write(Data((LogMergeTests.line(4, "m4") + "\n").utf8))
      }
      return looks > 3
    } note: { _ in
    } found: { items, names in
      told.append(items.map { "\(FileSystem.name(of: names[$0.source])) \($0.record.entry.message)" })
    }
    #expect(problems.isEmpty)
    #expect(told == [["a.log m2", "a.log m3"], [], ["a.log m4"], []])
  }

  @Test("tells at once what may be missing of a file that was cut short")
  func notes() throws {
    try write(1...9)
    var following = try LogFollow([path], LogOpening(), LogReadOptions())
    var looks = 0
    var noted: [LogError.Code] = []
    let problems = try following.run(last: 0) {
      looks += 1
      if looks == 1 { try? write(1...1) }
      return looks > 2
    } note: {
      noted.append($0.code)
    } found: { _, _ in
    }
    #expect(problems.isEmpty)
    #expect(noted == [.followCut])
  }
}
