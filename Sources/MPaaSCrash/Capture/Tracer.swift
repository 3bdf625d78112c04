import CTrace
import MPaaSCrashReport

/// Follows a program and all its children by `ptrace`, and makes a report of each that dies of a fault.
///
/// All of it happens on one thread, the one that started the program: the kernel knows tracers by thread.
struct Tracer {
  /// The process whose end ends the trace.
  let main: Int32
  let words: StandardErrorWords?
  /// Called while the crashed process stands still.
  let onReport: (CrashReport) -> Void

  private var tracees = TraceeTable()
  /// Processes whose report is made: what they do until their end is of no more interest.
  private var reported: Set<Int32> = []
  private var faultCount = 0
  private var echo = SignalEcho()
  private(set) var hasExecuted = false
  /// The end of the main process.
  private(set) var end: mt_event?

  init(main: Int32, words: StandardErrorWords?, onReport: @escaping (CrashReport) -> Void) {
    self.main = main
    self.words = words
    self.onReport = onReport
    tracees[main] = Tracee(process: main)
  }

  /// Handles events until the main process has ended, then lets its children go.
  mutating func run() {
    while end == nil {
      var event = mt_event()
      let outcome = mt_wait(-1, true, &event)
      if outcome == 1 {
        handle(event)
      } else if outcome != -KernelError.interrupted {
        break
      }
    }
    release()
  }

  private mutating func handle(_ event: mt_event) {
    if event.kind == mt_event_exited || event.kind == mt_event_killed {
      tracees.remove(event.thread)
      // The number may belong to another process from now on.
      reported.remove(event.thread)
      if event.thread == main { end = event }
      return
    }
    tracees.learn(event.thread)
    switch event.kind {
    case mt_event_signal:
      mt_resume(event.thread, signal(event))
    case mt_event_group:
      mt_listen(event.thread)
    case mt_event_exec:
      tracees.exec(process: event.thread)
      reported.remove(event.thread)
      if event.thread == main { hasExecuted = true }
      mt_resume(event.thread, 0)
    case mt_event_exit:
      exiting(event)
      tracees[event.thread]?.isEnding = true
      mt_resume(event.thread, 0)
    default:
      mt_resume(event.thread, 0)
    }
  }

  // MARK: Signals

  /// Looks at a signal before it is delivered; the number to deliver, 0 for none.
  private mutating func signal(_ event: mt_event) -> Int32 {
    var details = mt_signal()
    guard mt_get_signal(event.thread, &details) == 0, let tracee = tracees[event.thread] else { return event.signal }
    if tracee.process == main, echo.isEcho(details) { return 0 }
    guard SignalTable.native.endsInCore(event.signal), let status = ProcessStatus(of: event.thread) else {
      return event.signal
    }
    switch status.disposition(of: event.signal) {
    case .ignored: break
    case .caught where SignalTable.native.name(details.signal) == "SIGSYS" && details.sender == tracee.process:
      // The in-process CrashReporter stops its threads in this way: no fault of the program.
      break
    case .caught: remember(details, in: event.thread)
    case .standard: crash(details, in: event.thread, of: tracee.process)
    }
    return event.signal
  }

  /// Keeps the state at a fault that the program handles itself, in case that it dies in its handler.
  private mutating func remember(_ details: mt_signal, in thread: Int32) {
    guard let state = ProcessCapture.state(of: thread) else { return }
    faultCount += 1
    tracees[thread]?.remember(CaughtFault(signal: details, state: state, order: faultCount))
  }

  /// A signal is about to end the process.
  private mutating func crash(_ details: mt_signal, in thread: Int32, of process: Int32) {
    guard reported.insert(process).inserted else { return }
    capture(process, dying: thread, of: details)
  }

  /// A thread is about to end: the last chance for a process that dies without a signal's delivery.
  private mutating func exiting(_ event: mt_event) {
    guard let process = tracees[event.thread]?.process, !reported.contains(process) else { return }
    let signal = Int32(truncatingIfNeeded: event.message & 0x7f)
    if SignalTable.native.endsInCore(signal) {
      // The kernel kills without asking: a seccomp filter, a fault that it cannot deliver.
      reported.insert(process)
      capture(process, dying: event.thread, of: mt_signal(signal: signal, code: 0x80, error: 0, sender: 0, address: 0))
    } else if let faults = tracees[event.thread]?.faults, !faults.isEmpty,
      let state = ProcessCapture.state(of: event.thread)
    {
      // It may end itself in its own handler.
      let reader = StackReader.live(process)
      guard let fault = faults.first(where: { reader.isHandling($0, in: state) }) else { return }
      reported.insert(process)
      capture(process, dying: event.thread, of: fault.signal)
    }
  }

  // MARK: The report

  private mutating func capture(_ process: Int32, dying thread: Int32, of details: mt_signal) {
    tracees[thread]?.isStopped = true
    let late = halt(process)
    var capture = ProcessCapture(process: process, origin: .traced)
    let reader = capture.reader
    // The program died of the fault that its own handler was at work on.
    let original = tracees.earliestFault(of: process) { each, fault in
      guard !late.contains(each), let state = ProcessCapture.state(of: each) else { return false }
      return reader.isHandling(fault, in: state, dyingOf: each == thread ? details.signal : nil)
    }
    for each in tracees.threads(of: process) {
      if late.contains(each) {
        capture.add(running: each)
      } else {
        capture.add(thread: each, from: each == original?.thread ? original?.fault.state : nil)
      }
    }
    capture.fault(original?.fault.signal ?? details, in: original?.thread ?? thread)
    if let original { capture.note(original, before: details, in: thread) }
    capture.addLastWords(standardError: words?.text(of: process))
    onReport(capture.report)
    resumeOthers(of: process, than: thread)
  }

  /// Stops all threads of a process within a second; those that did not stop.
  private mutating func halt(_ process: Int32) -> Set<Int32> {
    var asked: Set<Int32> = []
    let deadline = SystemClock.monotonicNanoseconds() &+ 1_000_000_000
    while true {
      for thread in ProcessStatus.threads(of: process) where tracees[thread] == nil { tracees.learn(thread) }
      let running = tracees.threads(of: process).filter { tracees[$0]?.isStopped == false }
      if running.isEmpty { return [] }
      for thread in running where asked.insert(thread).inserted { mt_interrupt(thread) }
      if !running.map({ collect($0) }).contains(true) {
        guard SystemClock.monotonicNanoseconds() < deadline else { return Set(running) }
        SystemClock.sleep(nanoseconds: 200_000)
      }
    }
  }

  /// Takes a thread's stop where there is one already; true where something happened.
  private mutating func collect(_ thread: Int32) -> Bool {
    var event = mt_event()
    let outcome = mt_wait(thread, false, &event)
    if outcome == -KernelError.noChild {
      tracees.remove(thread)
      return true
    }
    guard outcome == 1 else { return false }
    if event.kind == mt_event_exited || event.kind == mt_event_killed {
      handle(event)
    } else {
      tracees[thread]?.isStopped = true
      tracees[thread]?.deferred = event
    }
    return true
  }

  private mutating func resumeOthers(of process: Int32, than thread: Int32) {
    tracees[thread]?.isStopped = false
    for each in tracees.threads(of: process) where each != thread {
      guard let event = tracees[each]?.deferred else { continue }
      tracees[each]?.deferred = nil
      tracees[each]?.isStopped = false
      handle(event)
    }
  }

  // MARK: The end

  /// Lets everything that is left go on untraced.
  private mutating func release() {
    let deadline = SystemClock.monotonicNanoseconds() &+ 300_000_000
    for thread in tracees.threads.keys { mt_interrupt(thread) }
    // Threads that have not stopped by then are let go by the kernel when this thread ends.
    while !tracees.threads.isEmpty, SystemClock.monotonicNanoseconds() < deadline {
      var event = mt_event()
      let outcome = mt_wait(-1, false, &event)
      if outcome == 1 {
        leave(event)
      } else if outcome == 0 {
        SystemClock.sleep(nanoseconds: 500_000)
      } else if outcome != -KernelError.interrupted {
        return
      }
    }
  }

  private mutating func leave(_ event: mt_event) {
    if event.kind == mt_event_exited || event.kind == mt_event_killed {
      tracees.remove(event.thread)
      return
    }
    tracees.learn(event.thread)
    let delivered = event.kind == mt_event_signal ? signal(event) : 0
    mt_detach(event.thread, delivered)
    tracees.remove(event.thread)
  }
}
