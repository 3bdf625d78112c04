/// The names of a signal, and Apple's name for the exception behind it.
///
/// Numbers differ between kernels, so a table belongs to one: `signal(7)` section "Signal numbering for standard
/// signals" (x86, ARM) for Linux, `<sys/signal.h>` for Darwin.
package struct SignalTable: Sendable {
  private let names: [Int32: String]
  private let codes: [String: [Int32: String]]

  /// The table of the kernel that this program runs on.
  #if os(Linux)
    package static let native = linux
  #else
    package static let native = darwin
  #endif

  /// `SIGSEGV` for 11; `SIG` and the number where it has no name, `SIGRTMIN+n` for real-time signals.
  package func name(_ signal: Int32) -> String {
    if let name = names[signal] { return name }
    return (34...64).contains(signal) ? "SIGRTMIN+\(signal - 34)" : "SIG\(signal)"
  }

  /// The number of `SIGSEGV` and its like; nil for a name that the kernel does not have.
  package func number(_ name: String) -> Int32? {
    names.first { $0.value == name }?.key
  }

  /// `SEGV_MAPERR` for code 1 of SIGSEGV; nil where the code has no name.
  package func codeName(_ code: Int32, of signal: Int32) -> String? {
    codes[name(signal)]?[code] ?? codes["*"]?[code]
  }

  /// The code that a name such as `SEGV_MAPERR` stands for; nil where it is not known.
  package func code(_ name: String, of signal: Int32) -> Int32? {
    (codes[self.name(signal)]?.first { $0.value == name } ?? codes["*"]?.first { $0.value == name })?.key
  }

  /// Apple's exception type: `EXC_BAD_ACCESS` for SIGSEGV, `EXC_CRASH` where it does not come from a hardware
  /// exception.
  package func exceptionType(_ signal: Int32) -> String {
    switch name(signal) {
    case "SIGSEGV", "SIGBUS": "EXC_BAD_ACCESS"
    case "SIGILL": "EXC_BAD_INSTRUCTION"
    case "SIGFPE": "EXC_ARITHMETIC"
    case "SIGTRAP": "EXC_BREAKPOINT"
    case "SIGSYS": "EXC_SYSCALL"
    case "SIGXCPU", "SIGXFSZ": "EXC_RESOURCE"
    default: "EXC_CRASH"
    }
  }

  /// Tells whether the signal's default action ends the process with a core dump, which is what a crash is here.
  package func endsInCore(_ signal: Int32) -> Bool {
    switch name(signal) {
    case "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGSYS", "SIGXCPU", "SIGXFSZ",
      "SIGEMT":
      true
    default: false
    }
  }

  /// Tells whether `si_addr` means something: the kernel raised the signal for an instruction of the thread itself.
  package func hasAddress(_ signal: Int32, code: Int32) -> Bool {
    switch name(signal) {
    case "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP": code > 0 && code != Self.sentByKernel
    default: false
    }
  }

  /// Tells whether `si_pid` names a sender: `kill`, `tgkill`, `sigqueue`.
  package func hasSender(code: Int32) -> Bool {
    code <= 0 && code != -2 && code != -3 && code != -4 && code != -5
  }

  /// `SI_KERNEL`.
  private static let sentByKernel: Int32 = 0x80
}

extension SignalTable {
  package static let linux = SignalTable(
    names: [
      1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
      9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
      16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP", 20: "SIGTSTP", 21: "SIGTTIN", 22: "SIGTTOU",
      23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ", 26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH", 29: "SIGIO",
      30: "SIGPWR", 31: "SIGSYS",
    ],
    codes: [
      "*": [
        0: "SI_USER", 0x80: "SI_KERNEL", -1: "SI_QUEUE", -2: "SI_TIMER", -3: "SI_MESGQ", -4: "SI_ASYNCIO",
        -5: "SI_SIGIO", -6: "SI_TKILL",
      ],
      "SIGILL": [
        1: "ILL_ILLOPC", 2: "ILL_ILLOPN", 3: "ILL_ILLADR", 4: "ILL_ILLTRP", 5: "ILL_PRVOPC", 6: "ILL_PRVREG",
        7: "ILL_COPROC", 8: "ILL_BADSTK", 9: "ILL_BADIADDR",
      ],
      "SIGFPE": [
        1: "FPE_INTDIV", 2: "FPE_INTOVF", 3: "FPE_FLTDIV", 4: "FPE_FLTOVF", 5: "FPE_FLTUND", 6: "FPE_FLTRES",
        7: "FPE_FLTINV", 8: "FPE_FLTSUB", 14: "FPE_FLTUNK", 15: "FPE_CONDTRAP",
      ],
      "SIGSEGV": [
        1: "SEGV_MAPERR", 2: "SEGV_ACCERR", 3: "SEGV_BNDERR", 4: "SEGV_PKUERR", 5: "SEGV_ACCADI", 6: "SEGV_ADIDERR",
        7: "SEGV_ADIPERR", 8: "SEGV_MTEAERR", 9: "SEGV_MTESERR", 10: "SEGV_CPERR",
      ],
      "SIGBUS": [1: "BUS_ADRALN", 2: "BUS_ADRERR", 3: "BUS_OBJERR", 4: "BUS_MCEERR_AR", 5: "BUS_MCEERR_AO"],
      "SIGTRAP": [
        1: "TRAP_BRKPT", 2: "TRAP_TRACE", 3: "TRAP_BRANCH", 4: "TRAP_HWBKPT", 5: "TRAP_UNK", 6: "TRAP_PERF",
      ],
      "SIGSYS": [1: "SYS_SECCOMP", 2: "SYS_USER_DISPATCH"],
    ])

  package static let darwin = SignalTable(
    names: [
      1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGEMT", 8: "SIGFPE",
      9: "SIGKILL", 10: "SIGBUS", 11: "SIGSEGV", 12: "SIGSYS", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
      16: "SIGURG", 17: "SIGSTOP", 18: "SIGTSTP", 19: "SIGCONT", 20: "SIGCHLD", 21: "SIGTTIN", 22: "SIGTTOU",
      23: "SIGIO", 24: "SIGXCPU", 25: "SIGXFSZ", 26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH", 29: "SIGINFO",
      30: "SIGUSR1", 31: "SIGUSR2",
    ],
    codes: [
      "*": [0x10001: "SI_USER", 0x10002: "SI_QUEUE", 0x10003: "SI_TIMER", 0x10004: "SI_ASYNCIO", 0x10005: "SI_MESGQ"],
      "SIGILL": [
        1: "ILL_ILLOPC", 2: "ILL_ILLTRP", 3: "ILL_PRVOPC", 4: "ILL_ILLOPN", 5: "ILL_ILLADR", 6: "ILL_PRVREG",
        7: "ILL_COPROC", 8: "ILL_BADSTK",
      ],
      "SIGFPE": [
        1: "FPE_FLTDIV", 2: "FPE_FLTOVF", 3: "FPE_FLTUND", 4: "FPE_FLTRES", 5: "FPE_FLTINV", 6: "FPE_FLTSUB",
        7: "FPE_INTDIV", 8: "FPE_INTOVF",
      ],
      "SIGSEGV": [1: "SEGV_MAPERR", 2: "SEGV_ACCERR"],
      "SIGBUS": [1: "BUS_ADRALN", 2: "BUS_ADRERR", 3: "BUS_OBJERR"],
      "SIGTRAP": [1: "TRAP_BRKPT", 2: "TRAP_TRACE"],
    ])
}

extension CrashReport.Exception {
  /// The exception that a signal stands for, from the fields of `siginfo_t`.
  ///
  /// - Parameters:
  ///   - address: `si_addr`; kept only where the signal's code says that it has one.
  ///   - sender: `si_pid`; kept only where the code says that a process sent the signal.
  package init(signal: Int32, code: Int32, address: UInt64, sender: Int32, table: SignalTable = .native) {
    self.init(
      type: table.exceptionType(signal), signal: table.name(signal), signalNumber: signal, code: code)
    codeName = table.codeName(code, of: signal)
    if table.hasAddress(signal, code: code) { self.address = address }
    if table.hasSender(code: code) { senderPID = sender }
  }
}
