import CUnwind
import Foundation
import MPaaSCrash
import MPaaSTestSupport
import Testing

@testable import MPaaSSampling

@Suite("Objects in the memory of a process") struct HeapObjectsTests {
  /// A process that makes objects, until the test ends.
  private final class Subject {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init() throws {
      process.executableURL = Command.products.appending(path: "HangSubject")
      process.arguments = ["objects"]
      process.standardInput = input
      process.standardOutput = output
      try withNoSignalsBlocked { try process.run() }
      wait(for: "ready")
    }

    deinit {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    private func wait(for word: String) {
      var text = ""
      while !text.contains(word) {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return }
        text += String(decoding: data, as: UTF8.self)
      }
    }

    func makeMore() {
      input.fileHandleForWriting.write(Data("\n".utf8))
      wait(for: "more")
    }
  }

  private func count(_ objects: HeapObjects, _ type: String) -> Int? {
    objects.rows.first { $0.type == "HangSubject.\(type)" }?.count
  }

  @Test("are counted to the one, on all threads, generic and weakly referred to, and not those that are gone")
  func counted() throws {
    let subject = try Subject()
    let before = try HeapObjects.live(subject.process.processIdentifier).objects
    #expect(count(before, "Parcel") == 1234)
    #expect(count(before, "Crate") == 77 && count(before, "Objects.Watched") == 1)
    #expect(before.blocks > 1234 && before.stopped > 0)
    let parcel = try #require(before.rows.first { $0.type == "HangSubject.Parcel" })
    #expect(parcel.image == "HangSubject" && parcel.bytes == 1234 * 48)
    subject.makeMore()
    let after = try HeapObjects.live(subject.process.processIdentifier).objects
    let growth = after.growth(from: before)
    #expect(growth.first { $0.type == "HangSubject.Parcel" }?.count == 100)
    #expect(!growth.contains { $0.type == "HangSubject.Crate" })
    #expect(subject.process.isRunning)
  }

  @Test("need the sizes of blocks to lead to the end of the heap")
  func walk() {
    /// Memory that begins at an address.
    final class Memory: TargetMemory {
      let words: [UInt64]

      init(_ words: [UInt64]) {
        self.words = words
      }

      var reader: mp_memory {
        mp_memory(
          read: { context, address, target, size in
            guard let context, let target else { return 0 }
            let words = Unmanaged<Memory>.fromOpaque(context).takeUnretainedValue().words
            return words.withUnsafeBytes { bytes in
              guard address >= 0x10000, address - 0x10000 < UInt64(bytes.count) else { return 0 }
              let part = bytes[Int(address - 0x10000)...].prefix(size)
              let source = UnsafeRawBufferPointer(rebasing: part).baseAddress
              if let source { target.copyMemory(from: source, byteCount: part.count) }
              return part.count
            }
          }, context: Unmanaged.passUnretained(self).toOpaque())
      }
    }
    let range = MemoryRange(start: 0x10000, end: 0x10000 + 128, permissions: "rw-p", inode: 0, path: "[heap]")
    // A block in use, a free one before it by its mark, and the rest.
    let good: [UInt64] = [0, 33, 7, 8, 0, 33, 0, 0, 32, 32, 9, 10, 0, 33, 0, 0]
    var window = MemoryWindow(Memory(good))
    let heap = MallocHeap(range, &window)
    #expect(heap?.blocks.map(\.first) == [7, 9] && heap?.blocks.map(\.address) == [0x10010, 0x10050])
    for wrong: UInt64 in [0, 16 * 9 + 1, 40 + 1, .max] {
      var bad = good
      bad[9] = wrong
      var window = MemoryWindow(Memory(bad))
      #expect(MallocHeap(range, &window) == nil, "\(wrong)")
    }
  }
}
