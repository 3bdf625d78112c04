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

  /// The objects of a core are those of the process, and its memory has the same kinds.
  private static func expect(_ path: String, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
    let core = try CoreFile(path: path)
    let objects = try HeapObjects(core)
    let counts = ["Parcel": 1234, "Crate": 77, "Objects.Watched": 1]
    for (type, count) in counts {
      let row = objects.rows.first { $0.type == "HangSubject.\(type)" }
      #expect(row?.count == count, "\(type)", sourceLocation: sourceLocation)
    }
    #expect(objects.blocks > 1312 && objects.stopped == 0, sourceLocation: sourceLocation)
    let map = MemoryMap(core)
    #expect(map.missing == 0, sourceLocation: sourceLocation)
    for kind in [MemoryKind.program, .libraries, .heap, .stack, .kernel, .anonymous] {
      #expect(map.sums.byKind[kind] != nil, "\(kind)", sourceLocation: sourceLocation)
    }
  }

  @Test("are counted in a core of gdb's as in the process", .tool("gcore"))
  func debuggerCore() throws {
    let subject = try Subject()
    let live = try HeapObjects.live(subject.process.processIdentifier).objects
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "core").path
    let process = subject.process.processIdentifier
    let outcome = try withNoSignalsBlocked { try Command.run("gcore", ["-o", path, "\(process)"]) }
    #expect(outcome.status == 0, "\(outcome.errors)")
    try Self.expect("\(path).\(process)")
    #expect(try HeapObjects(CoreFile(path: "\(path).\(process)")).rows == live.rows)
  }

  /// The kernel writes cores into the folder of the process.
  private static let writesCores =
    (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) == "core\n"

  @Test("are counted in a core of the kernel's, which leaves out what files have", .enabled(if: writesCores))
  func kernelCore() throws {
    let folder = try TemporaryFolder()
    let command = """
      ulimit -c unlimited; cd '\(folder.url.path)'; mkfifo wait
      SWIFT_BACKTRACE=enable=no '\(Command.products.appending(path: "HangSubject").path)' objects <wait >out & pid=$!
      exec 9>wait; until grep -q ready out; do sleep 0.05; done; kill -ABRT $pid; wait $pid; ls core*
      """
    let outcome = try withNoSignalsBlocked { try Command.run("sh", ["-c", command]) }
    let name = outcome.output.split(separator: "\n").last.map(String.init) ?? ""
    try #require(name.hasPrefix("core"), "\(outcome.output)\(outcome.errors)")
    try Self.expect(folder.url.appending(path: name).path)
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
