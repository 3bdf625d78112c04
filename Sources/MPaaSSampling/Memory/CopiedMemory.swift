import CPerfEvents
import CUnwind
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols

/// The memory of a thread at the moment of a sample: the copy of its stack, and the files that are mapped.
///
/// The program runs on meanwhile, so nothing of its memory as it is now is looked at.
final class CopiedMemory: TargetMemory {
  private let memory: UnsafeMutablePointer<mp_copied_memory>
  private var spans: [mp_span] = []
  private var room: UnsafeMutableBufferPointer<mp_span>
  /// The files that the spans point into.
  private var owners: [Bytes] = []

  init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: mp_copied_memory())
    room = .allocate(capacity: 0)
  }

  deinit {
    memory.deallocate()
    room.deallocate()
  }

  var reader: mp_memory { mp_copied_memory_reader(memory) }

  /// Lets a file's parts stand for the memory that they are mapped to; what was there before is forgotten.
  func add(_ file: CodeFile, bias: UInt64) {
    guard let base = file.bytes.buffer.baseAddress else { return }
    owners.append(file.bytes)
    for segment in file.segments where segment.offset < UInt64(file.bytes.count) {
      let size = min(segment.fileSize, UInt64(file.bytes.count) - segment.offset)
      let start = segment.address &+ bias
      guard size > 0, start <= .max - size else { continue }
      let bytes = (base + Int(segment.offset)).assumingMemoryBound(to: UInt8.self)
      spans.removeAll { $0.start < start + size && start < $0.end }
      spans.append(mp_span(start: start, end: start + size, bytes: bytes))
    }
    spans.sort { $0.start < $1.start }
    room.deallocate()
    room = .allocate(capacity: spans.count)
    _ = room.initialize(from: spans)
    memory.pointee.spans = UnsafePointer(room.baseAddress)
    memory.pointee.span_count = spans.count
    memory.pointee.last = 0
  }

  /// Does work while a stack's copy is there.
  func withStack<Value>(
    at address: UInt64, _ bytes: UnsafeRawBufferPointer, _ body: () -> Value
  ) -> Value {
    memory.pointee.stack_start = address
    memory.pointee.stack = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    memory.pointee.stack_size = bytes.count
    defer {
      memory.pointee.stack = nil
      memory.pointee.stack_size = 0
    }
    return body()
  }
}
