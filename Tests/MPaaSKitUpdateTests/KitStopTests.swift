import Foundation
import MPaaSKitUpdate
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("An update that is stopped at one of its steps on the disk") struct KitStopTests {
  /// Counts the changes of the disk, and fails from one of them on.
  final class Steps: Sendable {
    private let count = Mutex(0)
    private let failing: Range<Int>

    init(failing: Range<Int> = 0..<0) {
      self.failing = failing
    }

    var taken: Int { count.withLock { $0 } }

    private func step(_ path: String) throws(FileError) {
      let number = count.withLock { count in
        count += 1
        return count - 1
      }
      if failing.contains(number) { throw FileError(.write, path, .noSpace) }
    }

    var files: KitFiles {
      let live = KitFiles.live
      return KitFiles(
        makeFolder: { path throws(FileError) in
          try self.step(path)
          try live.makeFolder(path)
        },
        write: { path, bytes, mode throws(FileError) in
          // A part of the file is there.
          do throws(FileError) {
            try self.step(path)
          } catch {
            try live.write(path, Bytes(bytes.array.prefix(bytes.count / 2)), mode)
            throw error
          }
          try live.write(path, bytes, mode)
        },
        replace: { path, text throws(FileError) in
          try self.step(path)
          try live.replace(path, text)
        },
        link: { path, target throws(FileError) in
          try self.step(path)
          try live.link(path, target)
        },
        rename: { path, target throws(FileError) in
          try self.step(path)
          try live.rename(path, target)
        },
        remove: { path throws(FileError) in
          try self.step(path)
          try live.remove(path)
        },
        settle: { () throws(FileError) in try self.step("") })
    }
  }

  /// The number of steps of an update.
  static func count(_ sample: SampleKit) throws -> Int {
    let steps = Steps()
    _ = try sample.updater(files: steps.files).update()
    try sample.expectWhole("0.3.0")
    return steps.taken
  }

  @Test("for ever, leaves one whole version, and the next update ends what was begun")
  func dead() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    let count = try Self.count(sample)
    #expect(count > 10)
    for step in 0..<count {
      try sample.install()
      _ = try? sample.updater(files: Steps(failing: step..<Int.max).files).update()
      try sample.expectWhole("0.2.0", "0.3.0")
      _ = try sample.updater().update()
      try sample.expectWhole("0.3.0")
      #expect(try sample.updater().rollback().after == "0.2.0", "step \(step)")
      try sample.expectWhole("0.2.0")
    }
  }

  @Test("by a full disk, says so and leaves the version before, or has put the new one in use")
  func fullDisk() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    for step in 0..<(try Self.count(sample)) {
      try sample.install()
      do {
        _ = try sample.updater(files: Steps(failing: step..<step + 1).files).update()
        try sample.expectWhole("0.3.0")
      } catch {
        let code = (error as? KitUpdateError)?.code.id
        #expect(code == FileError(.write, "", .noSpace).diagnostic.id, "step \(step): \(error)")
        try sample.expectWhole("0.2.0")
      }
      _ = try sample.updater().update()
      try sample.expectWhole("0.3.0")
    }
  }

  @Test("in a rollback, leaves one whole version, and the next rollback goes back and forth")
  func rollback() throws {
    let sample = try SampleKit()
    try sample.publish("0.3.0")
    for step in 0..<8 {
      try sample.install()
      _ = try sample.updater().update()
      _ = try? sample.updater(files: Steps(failing: step..<Int.max).files).rollback()
      try sample.expectWhole("0.2.0", "0.3.0")
      let before = sample.folder.current
      _ = try sample.updater().rollback()
      #expect(sample.folder.current != before)
      try sample.expectWhole("0.2.0", "0.3.0")
    }
  }
}
