import MPaaSSymbols

/// Words and numbers as crash reports write them.
package enum CrashText {
  /// `0x000000010000beef`: always 16 digits.
  package static func address(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// `SEGV_MAPERR at 0x0000000000000000`: what exactly happened, and at which address; nil where neither is known.
  package static func subtype(_ exception: CrashReport.Exception) -> String? {
    switch (exception.codeName, exception.address) {
    case (let name?, let address?): "\(name) at \(Self.address(address))"
    case (let name?, nil): name
    case (nil, let address?): "at \(Self.address(address))"
    case (nil, nil): nil
    }
  }

  /// The exception that nobody caught; else the first line of the last words; where nothing was said, what the compiler called the trap.
  ///
  /// Optimised Swift prints nothing: there the check that failed stands in the name of an inlined call,
  /// `Swift runtime failure: Index out of range`.
  package static func message(_ report: CrashReport) -> String? {
    if let thrown = report.thrown { return thrown.name + (thrown.reason.map { ": " + $0 } ?? "") }
    // What stands on standard error beside the runtime's words may be anything.
    let words = report.lastWords.filter { $0.key != "stderr" }
    let texts = words.sorted { $0.key < $1.key }.flatMap(\.value)
    if let line = texts.lazy.flatMap({ $0.split(whereSeparator: \.isNewline) }).first { return String(line) }
    guard let index = report.faultingThread, report.threads.indices.contains(index) else { return nil }
    let calls = report.threads[index].frames.first?.calls ?? []
    let name = calls.lazy.map(\.function).first { $0.hasPrefix(RuntimeCode.trapName) }
    return name.map { String($0.dropFirst(RuntimeCode.trapName.count)) }
  }

  /// A function's name as people call it: `Ladder.level(at:)` for a Swift name with modules, types and results.
  ///
  /// The parts that an async function is cut into at its suspension points have the function's own name.
  package static func name(_ call: CrashReport.Call) -> String {
    guard let symbol = call.symbol, Demangler.language(of: symbol) == .swift else {
      return wholeFunction(call.function)
    }
    let whole = wholeFunction(symbol)
    let name = Demangler(mode: .simplified).demangle(whole)
    return name == whole ? call.function : name
  }

  /// A Swift symbol without `TY1_` or `TQ1_` at its end, which number the parts of an async function.
  ///
  /// Source: swift/docs/ABI/Mangling.rst, "await resume" and "suspend resume" partial functions.
  private static func wholeFunction(_ symbol: String) -> String {
    guard symbol.hasSuffix("_") else { return symbol }
    let stem = symbol.dropLast().reversed().drop { $0.isASCII && $0.isNumber }
    let text = String(stem.reversed())
    return text.hasSuffix("TY") || text.hasSuffix("TQ") ? String(text.dropLast(2)) : symbol
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
