/// The end of the last run of this program, as far as it can be told at the next start.
///
/// Call `begin` early, behind `CrashReporter.install`; then `last` says how the run before ended.
public struct Termination: Sendable, Hashable {
  /// The reasons why a run ends.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// It came to its end, or called `exit`.
    case exit
    /// By a crash, of which there is a report.
    case crash
    /// It was ended from outside while it hung.
    case hang
    /// The system ended it for want of memory.
    case outOfMemory = "out-of-memory"
    /// It was asked to end by a signal: HUP, INT, TERM, XCPU.
    case signal
    /// It was gone without a word, while users saw it.
    case killed
    /// The same in the background.
    case killedInBackground = "killed-in-background"
    /// The machine has started anew since: power loss, or a restart.
    case powerLoss = "power-loss"
    /// Another version of the app is there since.
    case update
    /// Another version of the system is there since.
    case systemUpdate = "system-update"
    /// A debugger was attached, and may have ended it.
    case debugger
    /// It still runs: another process of this program.
    case running
  }

  /// The reason.
  public let reason: Reason
  /// The status that it ended in order with, where it did.
  public let status: Int?
  /// The number of the signal that asked it to end.
  public let signal: Int?
  /// The process identifier of that run.
  public let process: Int
  /// The time that it began at, in seconds since 1970.
  public let began: Double
  /// The last time that it was known to live at, in seconds since 1970.
  public let lastSeen: Double
  /// The version of the app.
  public let version: String
  /// Bytes that it used last, where that was noted.
  public let residentMemory: UInt64?
  /// The facts that the reason was found by, in English.
  public let evidence: String
}

extension Termination: CustomStringConvertible {
  /// The reason and what it was found by, in English.
  public var description: String { "\(reason.rawValue): \(evidence)" }
}
