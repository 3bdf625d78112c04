import CrashReporter

/// Decides why a run ended, from its notes and what is known at the next start.
struct TerminationFacts {
  /// The notes of the run.
  let last: RunNotes
  /// The notes of the run that asks, as it begins.
  let now: RunNotes
  /// The word of the crash reporter about the run.
  let crash: CrashReporter.End
  /// A record of a hang that had not ended is there.
  let hung: Bool
  /// The process still lives.
  let isAlive: Bool

  /// Memory notes are of use for so long, in microseconds.
  private static let lowMemoryWindow: Int64 = 30_000_000

  var termination: Termination {
    let (reason, evidence) = verdict
    return Termination(
      reason: reason, status: last.status.map(Int.init), signal: last.signal == 0 ? nil : Int(last.signal),
      process: Int(last.process), began: Double(last.began) / 1e6, lastSeen: Double(last.seen) / 1e6,
      version: last.version, residentMemory: last.resident == 0 ? nil : last.resident, evidence: evidence)
  }

  private var verdict: (Termination.Reason, String) {
    if isAlive { return (.running, "process \(last.process) still runs") }
    if crash == .crashed { return (.crash, "there is a report of its crash") }
    if last.signal != 0 { return (.signal, "signal \(last.signal) asked it to end") }
    if let status = last.status { return (.exit, "it ended in order with status \(status)") }
    if last.boot != now.boot { return (.powerLoss, "the machine has started anew since") }
    if hung { return (.hang, "it was ended while it hung") }
    if let memory { return (.outOfMemory, memory) }
    if last.isTraced { return (.debugger, "a debugger was attached") }
    if last.version != now.version {
      return (.update, "version \(last.version) has become \(now.version)")
    }
    if last.inode != now.inode || last.changed != now.changed { return (.update, "the program's file is another one") }
    if last.system != now.system { return (.systemUpdate, "\(last.system) has become \(now.system)") }
    if last.isInBackground { return (.killedInBackground, "it was gone without a word in the background") }
    return (.killed, "it was gone without a word")
  }

  /// The signs that memory had run out; nil where there are none.
  private var memory: String? {
    if now.kills > last.kills { return "the system has ended \(now.kills - last.kills) processes of the group since" }
    let age = last.seen.subtractingReportingOverflow(last.lowMemory)
    if last.lowMemory != 0, !age.overflow, age.partialValue <= Self.lowMemoryWindow {
      return "memory was low shortly before"
    }
    if last.limit > 0, last.resident > last.limit / 100 * 90 { return "it used nine tenths of its group's memory" }
    if last.total > 0, last.available < last.total / 100 * 2, last.resident > last.total / 4 {
      return "the machine had no memory left"
    }
    return nil
  }
}
