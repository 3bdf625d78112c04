import MPaaSCrashReport
import MPaaSSupport

extension CrashReport {
  /// The kind of end that the process came to, as grouping compares it: never a message, an address or a code.
  ///
  /// A thrown exception's name counts where there is one. Signals that stand for the same mistake on different
  /// processors and systems are one kind: Swift's trap is SIGTRAP on ARM and SIGILL on x86, a bad pointer SIGSEGV or
  /// SIGBUS.
  package var exceptionKind: String {
    if let name = thrownName { return "thrown \(name)" }
    guard let exception else { return "none" }
    switch (exception.signal, exception.type) {
    case ("SIGSEGV", _), ("SIGBUS", _), ("", "EXC_BAD_ACCESS"): return "bad-access"
    case ("SIGTRAP", _), ("SIGILL", _), ("", "EXC_BREAKPOINT"), ("", "EXC_BAD_INSTRUCTION"): return "trap"
    case ("SIGABRT", _): return "abort"
    case ("SIGFPE", _), ("", "EXC_ARITHMETIC"): return "arithmetic"
    case ("SIGKILL", _): return "killed" + termination
    // Windows has no signals.
    case ("", let type) where type.hasPrefix("EXCEPTION_ACCESS_VIOLATION") || type == "EXCEPTION_STACK_OVERFLOW":
      return "bad-access"
    case ("", "EXCEPTION_BREAKPOINT"), ("", "EXCEPTION_ILLEGAL_INSTRUCTION"): return "trap"
    case ("", "EXCEPTION_INT_DIVIDE_BY_ZERO"), ("", "EXCEPTION_FLT_DIVIDE_BY_ZERO"): return "arithmetic"
    default:
      let words = [exception.type, exception.signal].filter { !$0.isEmpty }
      return words.isEmpty ? "unknown" : words.joined(separator: "/")
    }
  }

  /// The one that ended the process and why, in the system's numbers: a watchdog is no memory limit.
  private var termination: String {
    guard let object = extra["termination"]?.object, let space = object["namespace"]?.string, space != "SIGNAL"
    else { return "" }
    return " \(space) \(object["code"]?.line ?? "")"
  }

  /// The name of the uncaught exception; Apple's reports have it only in the runtime's last words.
  private var thrownName: String? {
    if let thrown { return thrown.name }
    guard !lastExceptionBacktrace.isEmpty else { return nil }
    for text in lastWords.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
      guard let mark = text.place(of: "uncaught exception") ?? text.place(of: "uncaught exception of type") else {
        continue
      }
      let rest = text[mark.upperBound...].drop { $0 == " " }
      if rest.hasPrefix("of type ") { return String(rest.dropFirst(8).prefix { $0 != ":" && $0 != " " }) }
      if rest.hasPrefix("'") { return String(rest.dropFirst().prefix { $0 != "'" }) }
    }
    return nil
  }
}
