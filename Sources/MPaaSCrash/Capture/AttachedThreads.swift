import CTrace

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The threads of a live process that somebody else started: seized, halted for a moment, and let go.
package struct AttachedThreads {
  package let process: Int32
  /// The signal that each seized thread stopped for, where it stands still.
  private var stops: [Int32: mt_event] = [:]
  package private(set) var seized: Set<Int32> = []
  /// Threads that are there no more but in name: a main thread that ended before the others.
  private var ended: Set<Int32> = []

  /// The end of the process, where it was seen here: its exit status, or 128 + its signal.
  package private(set) var exitStatus: Int32?

  /// Seizes all threads, which does not stop them.
  ///
  /// - Throws: `CaptureError`: not there, not permitted, held by another debugger.
  package init(process: Int32) throws(CaptureError) {
    self.process = process
    guard let status = ProcessStatus(of: process) else { throw CaptureError(.noSuchProcess, process: process) }
    if status.process == ProcessStatus.own { throw CaptureError(.ownProcess, process: process) }
    if status.hasEnded, ProcessStatus.threads(of: process).count < 2 {
      throw CaptureError(.ended, process: process)
    }
    try seizeNew()
    guard !seized.isEmpty else { throw CaptureError(.ended, process: process) }
  }

  /// Seizes the threads that have come since, until there are no more.
  package mutating func seizeNew() throws(CaptureError) {
    for _ in 0..<16 {
      let new = ProcessStatus.threads(of: process).filter { !seized.contains($0) && !ended.contains($0) }
      if new.isEmpty { return }
      for thread in new {
        let error = mt_seize(thread, false)
        if error == 0 {
          seized.insert(thread)
        } else if error == -KernelError.noProcess || ProcessStatus(of: thread)?.hasEnded != false {
          ended.insert(thread)
        } else {
          detach()
          throw refusal(-error)
        }
      }
    }
  }

  private func refusal(_ system: Int32) -> CaptureError {
    let tracer = ProcessStatus(of: process)?.tracer ?? 0
    return CaptureError(tracer != 0 ? .alreadyTraced : .refused, process: process, system: system)
  }

  /// Stops all seized threads; those that did not stop in time.
  package mutating func halt(milliseconds: UInt64 = 1000) -> Set<Int32> {
    let deadline = SystemClock.monotonicNanoseconds() &+ milliseconds &* 1_000_000
    var waiting = seized.filter { stops[$0] == nil }
    for thread in waiting { mt_interrupt(thread) }
    while !waiting.isEmpty, SystemClock.monotonicNanoseconds() < deadline {
      let before = waiting.count
      waiting = waiting.filter { !hasStopped($0) }
      if waiting.count == before { SystemClock.sleep(nanoseconds: 50_000) }
    }
    return waiting
  }

  /// Stops some of the seized threads, each only for as long as it is looked at.
  ///
  /// - Parameters:
  ///   - milliseconds: How long threads are waited for; those that did not stop by then are left to stop later.
  ///   - look: Called with a thread that stands still.
  package mutating func stopEach(of threads: [Int32], milliseconds: UInt64, _ look: (Int32) -> Void) {
    let deadline = SystemClock.monotonicNanoseconds() &+ milliseconds &* 1_000_000
    var turns = 0
    var waiting = threads.filter { seized.contains($0) }
    for thread in waiting { mt_interrupt(thread) }
    while !waiting.isEmpty {
      let before = waiting.count
      waiting.removeAll { thread in
        guard hasStopped(thread) else { return false }
        if stops[thread] != nil { look(thread) }
        resume(thread)
        return true
      }
      guard waiting.count == before else { continue }
      if SystemClock.monotonicNanoseconds() >= deadline { return }
      turns += 1
      // A thread that has a processor stops at once; one that waits for its turn needs ours.
      if turns < 32 { sched_yield() } else { SystemClock.sleep(nanoseconds: 20_000) }
    }
  }

  /// Lets threads go on that stopped by themselves since: for a signal, or because they were waited for too briefly.
  package mutating func resumeStopped() {
    for thread in seized where hasStopped(thread) { resume(thread) }
  }

  /// Tells whether a thread stands still now, or is gone.
  private mutating func hasStopped(_ thread: Int32) -> Bool {
    var event = mt_event()
    let outcome = mt_wait(thread, false, &event)
    if outcome == 0 || outcome == -KernelError.interrupted { return false }
    if outcome < 0 || event.kind == mt_event_exited || event.kind == mt_event_killed {
      seized.remove(thread)
      if outcome > 0, thread == process {
        exitStatus = event.kind == mt_event_killed ? 128 + event.signal : Int32(truncatingIfNeeded: event.message)
      }
    } else {
      stops[thread] = event
    }
    return true
  }

  /// Lets halted threads go on; signals that came meanwhile are delivered.
  mutating func resume() {
    for thread in Array(stops.keys) { resume(thread) }
  }

  private mutating func resume(_ thread: Int32) {
    guard let event = stops.removeValue(forKey: thread) else { return }
    switch event.kind {
    case mt_event_group: mt_listen(thread)
    case mt_event_signal: mt_resume(thread, event.signal)
    default: mt_resume(thread, 0)
    }
  }

  /// Lets the process go for good, running as before.
  package mutating func detach() {
    _ = halt()
    for (thread, event) in stops { mt_detach(thread, event.kind == mt_event_signal ? event.signal : 0) }
    stops = [:]
    seized = []
  }
}
