import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSLogs

@Suite("The writer of logs") struct LogWriterTests {
  /// A clock that a test sets.
  final class Hands: Sendable {
    private let moment: Mutex<LogMoment>

    init(_ wall: Int64 = 1_790_000_000_000_000_000) {
      moment = Mutex(LogMoment(wall: wall, monotonic: 50_000_000_000))
    }

    var clock: LogClock {
      LogClock { [self] in
        moment.withLock {
          $0.wall += 1_000_000
          $0.monotonic += 1_000_000
          return $0
        }
      }
    }

    func pass(_ seconds: Int64) {
      moment.withLock {
        $0.wall += seconds * 1_000_000_000
        $0.monotonic += UInt64(seconds) * 1_000_000_000
      }
    }

    func set(back seconds: Int64) { moment.withLock { $0.wall -= seconds * 1_000_000_000 } }
  }

  @Test(
    "what was appended stands in files after close, in order, with time, thread and fields", arguments: [true, false])
  func appended(isEncrypted: Bool) throws {
    let home = try TemporaryFolder()
    let identity = AgeIdentity.generate()
    let writer = try LogWriter(
      folder: home.path, options: LogWriterOptions(recipients: isEncrypted ? [try #require(identity.recipient)] : []))
    let entries = SampleLog.records(5000).map(\.entry)
    for entry in entries { writer.append(entry) }
    writer.close()
    let read = try FolderReader(home.path, [identity])
    #expect(read.records.map(\.entry) == entries)
    #expect(read.records.map(\.sequence) == Array(1...5000))
    #expect(read.staged == 0)
    #expect(read.gaps == 0)
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    #expect(read.records.allSatisfy { abs(($0.time ?? 0) - now) < 600_000_000_000 && $0.thread != 0 && $0.boot != 0 })
    #expect(zip(read.records, read.records.dropFirst()).allSatisfy { ($0.time ?? 0) <= ($1.time ?? 0) })
  }

  @Test("what is staged can be read while the writer runs, and is in the files once sealed")
  func live() throws {
    let home = try TemporaryFolder()
    let identity = AgeIdentity.generate()
    let writer = try LogWriter(
      folder: home.path, options: LogWriterOptions(recipients: [try #require(identity.recipient)]))
    writer.append(LogEntry(.error, "A", "秘密 staged"))
    let staged = try FolderReader(home.path, [identity])
    #expect(staged.records.map(\.entry.message) == ["秘密 staged"])
    #expect(staged.files == 0)
    let raw = try Data(contentsOf: URL(filePath: home.path + "/diagnostic/staging.mpring"))
    #expect(raw.range(of: Data("秘密".utf8)) == nil)
    #expect(writer.seal())
    writer.flush()
    let sealed = try FolderReader(home.path, [identity])
    #expect(sealed.records.map(\.entry.message) == ["秘密 staged"])
    #expect(sealed.staged == 0)
  }

  @Test("numbers go on at the next start, in the same file, with a key of its own")
  func restarts() throws {
    let home = try TemporaryFolder()
    let identity = AgeIdentity.generate()
    let hands = Hands()
    var options = LogWriterOptions(recipients: [try #require(identity.recipient)])
    options.clock = hands.clock
    for start in 0..<3 {
      let writer = try LogWriter(folder: home.path, options: options)
      for number in 0..<10 { writer.append(LogEntry(.info, "A", "\(start) \(number)")) }
      writer.close()
    }
    let read = try FolderReader(home.path, [identity])
    #expect(read.records.map(\.sequence) == Array(1...30))
    #expect(read.files == 1)
    let file = try LogFile(path: LogFolder(home.path).files[0].path)
    #expect(Set(file.parts.map(\.wrappedKey)).count == 3)
    try FileManager.default.removeItem(atPath: home.path + "/diagnostic/staging.mpring")
    let writer = try LogWriter(folder: home.path, options: options)
    writer.append(LogEntry(.info, "A", "again"))
    writer.close()
    #expect(try FolderReader(home.path, [identity]).records.last?.sequence == 31)
  }

  @Test("each hour and type has files of its own; a file that is large enough is followed by another")
  func rotation() throws {
    let home = try TemporaryFolder()
    let hands = Hands()
    var options = LogWriterOptions()
    options.clock = hands.clock
    options.largestFile = 2000
    let writer = try LogWriter(folder: home.path, options: options)
    for hour in 0..<3 {
      writer.append(LogEntry(.info, "A", "hour \(hour)"))
      writer.append(LogEntry(.info, "A", "pay", type: .behavior))
      hands.pass(3600)
    }
    for number in 0..<30 {
      writer.append(LogEntry(.info, "A", FullDiskTests.noise(number)))
      writer.seal()
    }
    writer.append(LogEntry(.info, "A", "no folder", type: LogType(rawValue: "../x")))
    writer.close()
    let names = LogFolder(home.path).files.map { String($0.path.dropFirst(home.path.count + 1)) }
    let behavior = (14...16).map { "behavior/2026-09-21/\($0).mplog" }
    #expect(names.filter { $0.hasPrefix("behavior") } == behavior)
    #expect(names.contains("diagnostic/2026-09-21/17.1.mplog"))
    #expect(try FolderReader(home.path).records.count == 33)
    #expect(LogFolder(home.path).types.map(\.rawValue) == ["behavior", "diagnostic"])
  }

  @Test("a clock that is set back a day overwrites nothing; numbers keep the order and the record says so")
  func clockJump() throws {
    let home = try TemporaryFolder()
    let hands = Hands()
    var options = LogWriterOptions()
    options.clock = hands.clock
    let writer = try LogWriter(folder: home.path, options: options)
    writer.append(LogEntry(.info, "A", "first"))
    hands.set(back: 86_400)
    writer.append(LogEntry(.info, "A", "second"))
    writer.append(LogEntry(.info, "A", "third"))
    hands.set(back: -86_400)
    writer.append(LogEntry(.info, "A", "fourth"))
    writer.close()
    let read = try FolderReader(home.path)
    let records = read.records.sorted { $0.sequence < $1.sequence }
    #expect(records.map(\.entry.message) == ["first", "second", "third", "fourth"])
    #expect(records.map(\.followsClockJump) == [false, true, false, true])
    #expect(read.files == 2)
    #expect(zip(records, records.dropFirst()).allSatisfy { ($0.monotonic ?? 0) < ($1.monotonic ?? 0) })
  }

  @Test("sixteen threads lose nothing and number all records once")
  func threads() async throws {
    let home = try TemporaryFolder()
    let identity = AgeIdentity.generate()
    var options = LogWriterOptions(recipients: [try #require(identity.recipient)])
    options.stagingSize = 1 << 17
    let writer = try LogWriter(folder: home.path, options: options)
    await withTaskGroup { group in
      for thread in 0..<16 {
        group.addTask {
          for number in 0..<500 {
            let type: LogType = number % 50 == 0 ? .behavior : .diagnostic
            writer.append(LogEntry(.info, "T\(thread)", "number \(number)", type: type))
            if number % 200 == 199 { writer.flush() }
          }
        }
      }
    }
    writer.close()
    let read = try FolderReader(home.path, [identity])
    #expect(read.records.map(\.sequence).sorted() == Array(1...7840))
    #expect(Set(read.records.map { $0.entry.tag + $0.entry.message }).count == 7840)
    #expect(try FolderReader(home.path, [identity], type: .behavior).records.count == 160)
  }

  @Test("a record larger than a staging segment stands in its place among the others")
  func large() throws {
    let home = try TemporaryFolder()
    let identity = AgeIdentity.generate()
    let writer = try LogWriter(
      folder: home.path, options: LogWriterOptions(recipients: [try #require(identity.recipient)]))
    let long = (0..<40_000).map { "line \($0)" }.joined(separator: "\n")
    for message in ["before", long, "after"] { writer.append(LogEntry(.fatal, "Crash", message, type: .crash)) }
    writer.close()
    let read = try FolderReader(home.path, [identity], type: .crash)
    #expect(read.records.map(\.entry.message) == ["before", long, "after"])
    #expect(read.records.map(\.sequence) == [1, 2, 3])
  }

  @Test("two writers of a folder have files of their own")
  func lanes() throws {
    let home = try TemporaryFolder()
    let hands = Hands()
    var options = LogWriterOptions()
    options.clock = hands.clock
    let one = try LogWriter(folder: home.path, options: options)
    let two = try LogWriter(folder: home.path, options: options)
    #expect(one.lane == 0)
    #expect(two.lane == 1)
    one.append(LogEntry(.info, "A", "one"))
    two.append(LogEntry(.info, "A", "two"))
    one.close()
    two.close()
    let files = LogFolder(home.path).files
    #expect(files.map(\.name).sorted() == ["14", "14-1"])
    #expect(files.map(\.lane).sorted() == [0, 1])
    #expect(Set(try FolderReader(home.path).records.map(\.entry.message)) == ["one", "two"])
  }
}
