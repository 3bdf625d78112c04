import CPerfEvents
import CUnwind
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols

/// The copy of a thread's stack.
struct CopiedStack {
  /// The stack pointer, from which on the stack was copied.
  let start: UInt64
  let bytes: UnsafeRawBufferPointer
  /// The part of another stack, from which a signal took the thread to its handler's own.
  var otherStart: UInt64 = 0
  var other = UnsafeRawBufferPointer(start: nil, count: 0)
}

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
  func withStack<Value>(_ stack: CopiedStack, _ body: () -> Value) -> Value {
    memory.pointee.stacks.0 = Self.copy(stack.start, stack.bytes)
    memory.pointee.stacks.1 = Self.copy(stack.otherStart, stack.other)
    defer { memory.pointee.stacks = (mp_stack_copy(), mp_stack_copy()) }
    return body()
  }

  private static func copy(_ start: UInt64, _ bytes: UnsafeRawBufferPointer) -> mp_stack_copy {
    mp_stack_copy(start: start, bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
  }
}
