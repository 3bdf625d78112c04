import CPerfEvents

/// The kernel's words on a thread that runs on.
final class WatchedThread {
  private let files: mp_thread_files
  /// The stack that was taken last, while the thread waited: it is the same until the thread has run.
  var waiting: (stack: Int, progress: Progress)?

  /// The distance that a thread has come.
  struct Progress: Equatable {
    let slices: UInt64
    let nanoseconds: UInt64
  }

  init(_ thread: Int32, of process: Int32) {
    files = mp_thread_open(process, thread)
  }

  deinit { mp_thread_close(files) }

  /// Nil where the kernel does not tell.
  var progress: Progress? {
    var slices: UInt64 = 0
    var nanoseconds: UInt64 = 0
    return mp_thread_slices(files, &slices, &nanoseconds) ? Progress(slices: slices, nanoseconds: nanoseconds) : nil
  }

  /// Tells whether it sleeps.
  var isWaiting: Bool {
    let state = UInt8(bitPattern: mp_thread_state(files))
    return state == UInt8(ascii: "S") || state == UInt8(ascii: "D")
  }

  /// A number that differs when the process has become another program; 0 where it is not told.
  var epoch: UInt64 { mp_thread_epoch(files) }
}
