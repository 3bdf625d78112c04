import CPerfEvents
import CUnwind
import MPaaSCrash

/// Copies what a stopped thread needs to go on at once: its registers and the innermost part of its stack, or all of it.
final class StackCopier {
  private var room: UnsafeMutableRawBufferPointer
  private let size: Int
  private var start: UInt64 = 0
  private var count = 0
  private var otherStart: UInt64 = 0
  private var otherCount = 0
  /// Tells whether the stack that was copied last turned out to go on elsewhere.
  var wasCut = false

  init(size: Int) {
    self.size = max(size, 8)
    room = .allocate(byteCount: self.size, alignment: 16)
  }

  deinit { room.deallocate() }

  /// The stack that was copied last.
  var stack: CopiedStack {
    CopiedStack(
      start: start, bytes: UnsafeRawBufferPointer(rebasing: room[..<count]), otherStart: otherStart,
      other: UnsafeRawBufferPointer(rebasing: room[count..<count + otherCount]))
  }

  struct Copy {
    let registers: mp_registers?
    /// The system call that the thread was in when it was stopped.
    let call: Int64?

    var state: RecordedState { .waiting(call: call.flatMap(SystemCall.name), function: nil) }
  }

  /// Tells whether there is room for a deep stack.
  var isDeep: Bool { room.count > size }

  /// Tells whether the stack may go on beyond what was copied.
  var mayGoOn: Bool { count == size || wasCut }

  /// Copies what is missing of a thread that stands still yet, up to `most` bytes with what is there.
  ///
  /// - Parameter place: The stack pointer of the frame whose caller is not there: within the copy where the stack is deep,
  ///   elsewhere where a signal's handler has a stack of its own.
  func copyRest(from place: UInt64, of process: Int32, most: Int) {
    if room.count < most {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<count]))
      room.deallocate()
      room = larger
    }
    let (end, overflow) = start.addingReportingOverflow(UInt64(count))
    guard !overflow, count < most else { return }
    let isDeep = place >= start && place <= end
    let rest = UnsafeMutableRawBufferPointer(rebasing: room[count..<most])
    let more = Int(clamping: mp_copy_memory(process, isDeep ? end : place, rest.baseAddress, UInt64(rest.count)))
    if isDeep { count += more } else { (otherStart, otherCount) = (place, more) }
  }

  /// Copies the state of a thread that stands still; nil where it is gone.
  func copy(_ thread: Int32, of process: Int32) -> Copy? {
    guard let state = ThreadState(of: thread) else { return nil }
    (start, otherCount) = (state.stackPointer, 0)
    count = Int(clamping: mp_copy_memory(process, start, room.baseAddress, UInt64(size)))
    return Copy(registers: state.unwindable, call: state.systemCall)
  }
}

/// Names of system calls.
enum SystemCall {
  static func name(_ number: Int64) -> String? { mp_system_call_name(number).map { String(cString: $0) } }
}
