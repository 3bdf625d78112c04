import MPaaSBase

/// Words and numbers as crash reports write them.
package enum CrashText {
  /// `0x000000010000beef`: always 16 digits.
  package static func address(_ value: UInt64) -> String { "0x" + value.padded(to: 16, radix: 16) }

  /// `SEGV_MAPERR at 0x0000000000000000`: what exactly happened, and at which address; nil where neither is known.
  package static func subtype(_ exception: CrashReport.Exception) -> String? {
    switch (exception.codeName, exception.address) {
    case (let name?, let address?): "\(name) at \(Self.address(address))"
    case (let name?, nil): name
    case (nil, let address?): "at \(Self.address(address))"
    case (nil, nil): nil
    }
  }

  /// `Segmentation fault: 11, SEGV_MAPERR at 0x0000000000000000`: all that the signal says by itself.
  package static func cause(_ exception: CrashReport.Exception) -> String {
    [indicator(exception), subtype(exception)].compactMap { $0 }.joined(separator: ", ")
  }

  /// `Segmentation fault: 11`: the signal in words, as shells and Apple's reports say it.
  package static func indicator(_ exception: CrashReport.Exception) -> String {
    let words: [String: String] = [
      "SIGHUP": "Hangup", "SIGINT": "Interrupt", "SIGQUIT": "Quit", "SIGILL": "Illegal instruction",
      "SIGTRAP": "Trace/BPT trap", "SIGABRT": "Abort trap", "SIGBUS": "Bus error", "SIGFPE": "Floating point exception",
      "SIGKILL": "Killed", "SIGSEGV": "Segmentation fault", "SIGSYS": "Bad system call", "SIGPIPE": "Broken pipe",
      "SIGALRM": "Alarm clock", "SIGTERM": "Terminated", "SIGXCPU": "Cputime limit exceeded",
      "SIGXFSZ": "Filesize limit exceeded",
    ]
    // Windows has no signals.
    if exception.signal.isEmpty { return exception.type }
    return "\(words[exception.signal] ?? exception.signal): \(exception.signalNumber)"
  }
}
