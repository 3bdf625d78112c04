import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSLogs

@Suite("A writer on a full disk") struct FullDiskTests {
  /// A disk with so much room; half of a write may still fit.
  final class Disk: Sendable {
    let room: Mutex<Int>

    init(_ room: Int) { self.room = Mutex(room) }

    var writes: LogDisk {
      LogDisk { [self] descriptor, bytes in
        room.withLock { room in
          let fitting = min(room, bytes.count)
          guard fitting > 0 else {
            errno = ENOSPC
            return -1
          }
          let count = LogDisk.live.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<fitting]))
          if count > 0 { room -= count }
          return count
        }
      }
    }
  }

  static func noise(_ number: Int) -> String {
    "\(number) " + String((0..<300).map { _ in Character(UnicodeScalar(UInt8.random(in: 48...122))) })
  }

  @Test("append goes on; what found no room is counted, and said so once there is room again")
  func dropped() throws {
    let home = try TemporaryFolder()
    let disk = Disk(100_000)
    var options = LogWriterOptions()
    options.disk = disk.writes
    options.stagingSize = 1 << 17
    let writer = try LogWriter(folder: home.path, options: options)
    for number in 0..<3000 { writer.append(LogEntry(.info, "A", Self.noise(number))) }
    #expect(!writer.seal())
    disk.room.withLock { $0 = .max }
    #expect(writer.seal())
    writer.append(LogEntry(.info, "A", "after"))
    writer.close()
    let read = try FolderReader(home.path)
    let notes = read.records.filter { $0.entry.tag == "MPaaSLogs" }
    let dropped = notes.reduce(0) { sum, note in
      guard case .integer(let count) = note.entry.fields[0].value else { return sum }
      return sum + Int(count)
    }
    #expect(dropped > 0)
    #expect(notes.first?.entry.message == "dropped=\(dropped)")
    #expect(read.records.count - notes.count + dropped == 3001)
    #expect(read.gaps == 0)
    #expect(read.records.last?.entry.message == "after")
    #expect(read.records.map(\.sequence) == Array(1...UInt64(read.records.count)))
  }

  @Test("what is dropped when the process ends is said at the next start")
  func droppedBeforeEnd() throws {
    let home = try TemporaryFolder()
    let disk = Disk(0)
    var options = LogWriterOptions()
    options.disk = disk.writes
    options.stagingSize = 1 << 17
    var writer: LogWriter? = try LogWriter(folder: home.path, options: options)
    for number in 0..<1000 { writer?.append(LogEntry(.info, "A", Self.noise(number))) }
    writer = nil
    let kept = try FolderReader(home.path).staged
    #expect(kept > 0)
    #expect(kept < 1000)
    let next = try LogWriter(folder: home.path)
    next.append(LogEntry(.info, "A", "next"))
    next.close()
    let read = try FolderReader(home.path)
    #expect(read.records.filter { $0.entry.tag == "A" }.count == kept + 1)
    #expect(read.records.contains { $0.entry.message == "dropped=\(1000 - kept)" })
  }

  @Test("old files make room: acknowledged ones first, then the oldest, and a record says how many records went")
  func makesRoom() throws {
    let home = try TemporaryFolder()
    let hands = LogWriterTests.Hands()
    var options = LogWriterOptions()
    options.clock = hands.clock
    options.largestTotal = 9_000
    options.isAcknowledged = { $0.hasSuffix("/16.mplog") }
    let writer = try LogWriter(folder: home.path, options: options)
    for hour in 0..<5 {
      for number in 0..<10 { writer.append(LogEntry(.info, "A", "\(hour) \(Self.noise(number))")) }
      writer.seal()
      hands.pass(3600)
    }
    writer.append(LogEntry(.info, "A", "last"))
    writer.close()
    let files = LogFolder(home.path).files
    #expect(!files.map(\.name).contains("14"))
    #expect(!files.map(\.name).contains("16"))
    #expect(files.reduce(0) { $0 + $1.size } <= 10_000)
    let notes = try FolderReader(home.path).records.filter { $0.entry.tag == "MPaaSLogs" }
    #expect(notes.first?.entry.message == "dropped=10")
    #expect(notes.first?.entry.fields.last == LogField("reason", .text("size")))
  }

  @Test("files older than the longest age go")
  func age() throws {
    let home = try TemporaryFolder()
    var options = LogWriterOptions()
    options.longestAge = 86_400
    let first = try LogWriter(folder: home.path, options: options)
    first.append(LogEntry(.info, "A", "old"))
    first.close()
    let path = LogFolder(home.path).files[0].path
    try FileManager.default.setAttributes([.modificationDate: Date() - 90_000], ofItemAtPath: path)
    let second = try LogWriter(folder: home.path, options: options)
    second.close()
    #expect(try FolderReader(home.path).records.map(\.entry.message) == ["dropped=1"])
  }
}
