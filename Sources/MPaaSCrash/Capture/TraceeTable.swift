import CTrace

/// A signal that a thread's program catches itself, kept until it is known whether the program survives it.
struct CaughtFault {
  let signal: mt_signal
  let state: ThreadState
  /// Counts up, so that the earliest fault of a process can be told.
  let order: Int
}

/// One traced thread.
struct Tracee {
  var process: Int32
  var isStopped = false
  /// It is past its end: a main thread that ended before the others stays as a shell of itself.
  var isEnding = false
  /// The event that it stopped for while its process was being brought to a halt; handled when the process goes on.
  var deferred: mt_event?
  /// Oldest first; the program may have recovered from any of them.
  private(set) var faults: [CaughtFault] = []

  init(process: Int32) {
    self.process = process
  }

  mutating func remember(_ fault: CaughtFault) {
    // Programs that live on faults (virtual machines) have thousands; a crash in a crash needs a few.
    if faults.count == 8 { faults.removeFirst() }
    faults.append(fault)
  }
}

/// The traced threads, by their numbers.
struct TraceeTable {
  private(set) var threads: [Int32: Tracee] = [:]

  subscript(thread: Int32) -> Tracee? {
    get { threads[thread] }
    set { threads[thread] = newValue }
  }

  /// Takes a thread in that was seen for the first time.
  mutating func learn(_ thread: Int32) {
    guard threads[thread] == nil else { return }
    threads[thread] = Tracee(process: ProcessStatus(of: thread)?.process ?? thread)
  }

  func threads(of process: Int32) -> [Int32] {
    threads.filter { $0.value.process == process && !$0.value.isEnding }.keys.sorted()
  }

  /// A process became another program: only the calling thread is left, and it has the process' number now.
  mutating func exec(process: Int32) {
    threads = threads.filter { $0.value.process != process }
    threads[process] = Tracee(process: process)
  }

  mutating func remove(_ thread: Int32) {
    threads[thread] = nil
  }

  /// The earliest fault in a process that is being handled still, by `isActive`.
  func earliestFault(
    of process: Int32, where isActive: (Int32, CaughtFault) -> Bool
  ) -> (thread: Int32, fault: CaughtFault)? {
    let faults = threads.compactMap { thread, tracee in
      tracee.process == process ? tracee.faults.map { (thread: thread, fault: $0) } : nil
    }
    return faults.joined().sorted { $0.fault.order < $1.fault.order }.first { isActive($0.thread, $0.fault) }
  }
}
