import CTrace
import MPaaSCrash

/// The end of a recording: the program's, that of the time, or a wish.
final class RecordingEnd {
  private let process: Int32
  private let isChild: Bool
  private let duration: UInt64?
  private let isDone: () -> Bool
  /// The exit status of a program that was started here, or 128 + its signal.
  private(set) var status: Int32?

  init(process: Int32, isChild: Bool, duration: UInt64?, isDone: @escaping () -> Bool) {
    self.process = process
    self.isChild = isChild
    self.duration = duration
    self.isDone = isDone
  }

  /// Takes the end of a traced program, which the tracer was told of.
  func take(_ status: Int32?) { self.status = status ?? self.status }

  /// Tells whether it has come for a recording that began at a time.
  func hasCome(since start: UInt64) -> Bool {
    if isChild {
      if status == nil { reap() }
      if status != nil { return true }
    } else if ProcessStatus.threads(of: process).isEmpty || hasEnded {
      return true
    }
    if let duration, SystemClock.monotonicNanoseconds() &- start >= duration { return true }
    return isDone()
  }

  private var hasEnded: Bool {
    ProcessStatus(of: process)?.hasEnded != false && ProcessStatus.threads(of: process).count < 2
  }

  private func reap() {
    var event = mt_event()
    // Stops are the tracer's to see: one that is taken from it would last for ever.
    let outcome = mt_take_end(process, &event)
    if outcome == -KernelError.noChild { status = status ?? 0 }
    guard outcome == 1 else { return }
    switch event.kind {
    case mt_event_exited: status = Int32(truncatingIfNeeded: event.message)
    case mt_event_killed: status = 128 + event.signal
    default: break
    }
  }
}
