import CPerfEvents
import CUnwind
import MPaaSCrash

/// Copies what a stopped thread needs to go on at once: its registers and the innermost part of its stack.
final class StackCopier {
  private let room: UnsafeMutableRawBufferPointer
  private var count = 0

  init(size: Int) {
    room = .allocate(byteCount: max(size, 8), alignment: 16)
  }

  deinit { room.deallocate() }

  /// The stack that was copied last.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

  struct Copy {
    let registers: mp_registers?
    /// The system call that the thread was in when it was stopped.
    let call: Int64?

    var state: RecordedState { .waiting(call: call.flatMap(SystemCall.name), function: nil) }
  }

  /// Copies the state of a thread that stands still; nil where it is gone.
  func copy(_ thread: Int32, of process: Int32) -> Copy? {
    guard let state = ThreadState(of: thread) else { return nil }
    count = Int(clamping: mp_copy_memory(process, state.stackPointer, room.baseAddress, UInt64(room.count)))
    return Copy(registers: state.unwindable, call: state.systemCall)
  }
}

/// Names of system calls.
enum SystemCall {
  static func name(_ number: Int64) -> String? { mp_system_call_name(number).map { String(cString: $0) } }
}
