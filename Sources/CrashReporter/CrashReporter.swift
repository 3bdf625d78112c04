import CCrashHandler

/// Catches crashes of the program that links it, and hands their reports over at the next start.
///
/// Install it first thing in `main`, then process what the last run left:
///
///     try CrashReporter.install(.init(version: "2.1", appKey: "ab12"))
///     try await CrashReporter.processPendingReports { report in try await send(report.path) }
///
/// On Linux the signals SEGV, BUS, ILL, TRAP, ABRT, FPE and SYS are taken over; handlers that were installed before are
/// called afterwards, and the process ends with the signal that it crashed with.
public enum CrashReporter {
  /// Leaves a short remark of what the program is doing; the newest 128 stand in a crash report.
  ///
  /// May be called from any thread, before installation too, where it does nothing. Lock-free, below a microsecond.
  /// - Parameter name: Text past 111 bytes of UTF-8 is cut off.
  public static func leaveBreadcrumb(_ name: String) {
    crash_reporter_leave_breadcrumb(name)
  }

  /// Says who uses the program; reports carry the SHA-256 of the id, never the id itself.
  ///
  /// - Parameter id: Any text that stays the same for a user; nil forgets it.
  public static func setUser(id: String?) {
    mp_crash_set_user(id.map { SHA256.hexadecimal(of: Array($0.utf8)) })
  }

  /// The same for an id that the program has hashed by itself, with a key of its own for instance.
  ///
  /// - Parameter hash: At most 127 bytes; nil forgets it.
  public static func setUser(hash: String?) {
    mp_crash_set_user(hash)
  }
}
