import Dispatch
import Foundation
import HangFaults

/// The ways to hang.
enum HangKind: String, CaseIterable {
  case busy, lock, read, faults, sleep, sync, starve

  /// The start of the function that is to be found in the stack.
  var guilty: UInt64 {
    func address(_ function: @convention(c) (UInt64) -> UInt64) -> UInt64 {
      UInt64(UInt(bitPattern: unsafeBitCast(function, to: UnsafeRawPointer.self)))
    }
    switch self {
    case .busy: return address(hang_busy)
    case .lock: return address(hang_lock)
    case .read: return address(hang_read)
    case .faults: return address(hang_page_faults)
    case .sleep: return address(hang_sleep)
    case .sync:
      let call: @convention(c) (@convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer?) -> UInt64 =
        hang_call
      return UInt64(UInt(bitPattern: unsafeBitCast(call, to: UnsafeRawPointer.self)))
    case .starve: return address(hang_piece)
    }
  }

  var isBusy: Bool { self == .busy || self == .faults || self == .starve }

  /// Hangs the main queue, from the main queue, and calls `done` with the nanoseconds that it took.
  @MainActor func hang(_ nanoseconds: UInt64, done: @escaping @MainActor @Sendable (UInt64) -> Void) {
    switch self {
    case .busy: done(hang_busy(nanoseconds))
    case .lock: done(hang_lock(nanoseconds))
    case .read: done(hang_read(nanoseconds))
    case .faults: done(hang_page_faults(nanoseconds))
    case .sleep: done(hang_sleep(nanoseconds))
    case .sync:
      Held.begin(nanoseconds)
      done(hang_call({ _ in Held.queue.sync {} }, nil))
    case .starve:
      // Many short jobs of the main actor, which one that comes later has to wait for.
      let start = hang_now()
      let piece: UInt64 = 4_000_000
      let count = max(Int(nanoseconds / piece), 1)
      for _ in 0..<count { Task { @MainActor in _ = hang_piece(piece) } }
      Task { @MainActor in done(hang_now() - start) }
    }
  }
}

/// A queue that other work keeps.
enum Held {
  static let queue = DispatchQueue(label: "held")

  static func begin(_ nanoseconds: UInt64) {
    let taken = DispatchSemaphore(value: 0)
    queue.async {
      taken.signal()
      Thread.sleep(forTimeInterval: Double(nanoseconds) / 1e9)
    }
    taken.wait()
  }
}

/// Writes a line at once, for a reader who waits for it.
func tell(_ value: some Any) {
  let bytes = Array("\(value)\n".utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}
