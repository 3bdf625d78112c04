package import MPaaSBase

/// One crash, or one look at a live process: what every way of capture produces and every format is read into.
///
/// It follows Apple's .ips body (see `Documentation/CrashReport.md` for each field); what Linux adds is named there.
package struct CrashReport: Sendable, Equatable {
  /// A random UUID, upper case with dashes.
  package var incident = ""
  /// The kind of event that the report tells of.
  package var kind = Kind.crash
  package var application = Application()
  package var system = OperatingSystem()
  package var process = Process()
  /// The time of the capture.
  package var captured = Timestamp()
  /// The start of the process, where known.
  package var launched: Timestamp?
  /// Nil for a look at a live process.
  package var exception: Exception?
  /// The uncaught exception of a language, where one ended the process.
  package var thrown: ThrownException?
  /// The backtrace of `thrown`, innermost first; empty where it is not known.
  ///
  /// Its first frame is a return address too.
  package var lastExceptionBacktrace: [Frame] = []
  /// The last words of the program or its runtime, by the name of the image that said it.
  package var lastWords: [String: [String]] = [:]
  /// Index into `threads`.
  package var faultingThread: Int?
  package var threads: [Thread] = []
  package var images: [Image] = []
  /// The Lua functions that were under way on the crashed thread, innermost first.
  package var luaStack: [LuaFrame] = []
  /// Oldest first.
  package var breadcrumbs: [Breadcrumb] = []
  /// The failures of the capture, in English sentences: a thread that did not answer, a second crash, ….
  package var notes: [String] = []
  /// True where the capture was cut short and the report holds only what was written until then.
  package var isPartial = false
  /// The time that the program did not answer in; of hangs alone.
  package var hang: Hang?
  /// The way it was captured.
  package var origin = Origin.inProcess
  /// Members of a foreign report's body that this model has no place for, at their places in the .ips body.
  package var extra: JSONValue.Object = [:]
  /// The same for the header line of an .ips file.
  package var extraHeader: JSONValue.Object = [:]

  package init() {}

  /// The kinds of events, by the kinds that Apple's `bug_type` tells apart.
  package enum Kind: String, Sendable, Codable {
    case crash
    /// The program did not answer (228, 288 and others with stacks of a hang).
    case hang
    /// The system ended processes for want of memory (298).
    case jetsam
    /// Too much processor time (202).
    case cpuUsage = "cpu-usage"
    /// Too much written to disk (142, 145).
    case diskWrites = "disk-writes"
    /// The kernel itself failed (210).
    case panic
    case other

    /// - Source: the table of kinds in blacktop/ipsw, `pkg/crashlog/data/log_type.json`.
    package init(bugType: String) {
      switch bugType {
      case "309", "109": self = .crash
      case "228", "288": self = .hang
      case "298": self = .jetsam
      case "202": self = .cpuUsage
      case "142", "145": self = .diskWrites
      case "210": self = .panic
      default: self = .other
      }
    }

    /// Apple's number; a crash's where there is none.
    package var bugType: String {
      switch self {
      case .crash, .other: "309"
      case .hang: "228"
      case .jetsam: "298"
      case .cpuUsage: "202"
      case .diskWrites: "142"
      case .panic: "210"
      }
    }
  }

  package enum Origin: String, Sendable, Codable {
    case inProcess = "in-process"
    case traced
    case attached
    case core
    /// By another program, whose report this was read from.
    case foreign
  }
}

extension CrashReport {
  package struct Application: Sendable, Equatable {
    package var name = ""
    package var identifier: String?
    /// The marketing version (`CFBundleShortVersionString`).
    package var version: String?
    /// The build number (`CFBundleVersion`).
    package var build: String?
    package var appKey: String?
    /// SHA-256 of the user's id, hexadecimal; the id itself is never kept.
    package var userIDHash: String?

    package init() {}
  }

  package struct OperatingSystem: Sendable, Equatable {
    /// The system's own name for itself, such as `Debian GNU/Linux` or `iPhone OS`.
    package var name = ""
    package var version = ""
    package var build = ""
    package var kernel: String?
    /// The name of the machine's model, where it has one.
    package var model: String?

    package init() {}
  }

  package struct Process: Sendable, Equatable {
    package var name = ""
    package var pid: Int32 = 0
    package var path = ""
    package var parentName: String?
    package var parentPID: Int32?
    package var userID: UInt32?
    /// `X86-64`, `ARM-64`, `X86`, `ARM`.
    package var cpuType = ""
    /// Seconds since the machine started.
    package var systemUptime: Double?
    /// Seconds since the process started.
    package var uptime: Double?
    /// Bytes.
    package var freeMemory: UInt64?
    /// Bytes.
    package var residentMemory: UInt64?

    package init() {}
  }

  /// An exception object: `NSException`, a C++ exception, a Swift error.
  package struct ThrownException: Sendable, Equatable {
    /// Such as `NSInvalidArgumentException` or `std::runtime_error`.
    package var name: String
    package var reason: String?

    package init(name: String, reason: String? = nil) {
      self.name = name
      self.reason = reason
    }
  }

  /// A point in time: seconds since 1970, UTC, with nanoseconds.
  package struct Timestamp: Sendable, Equatable {
    package var seconds: Int64
    package var nanoseconds: UInt32
    /// Seconds that local clocks were ahead of UTC, for showing the time; 0 in reports of our own.
    package var utcOffset: Int32

    package init(seconds: Int64 = 0, nanoseconds: UInt32 = 0, utcOffset: Int32 = 0) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
      self.utcOffset = utcOffset
    }
  }

  package struct Exception: Sendable, Equatable {
    /// Apple's word for it, such as `EXC_BAD_ACCESS` or `EXC_CRASH`.
    package var type: String
    /// The signal's name, such as `SIGSEGV`.
    package var signal: String
    package var signalNumber: Int32
    /// `si_code` as the kernel gave it.
    package var code: Int32
    /// The name of `code`: `SEGV_MAPERR`, ….
    package var codeName: String?
    /// The address that the signal names, where it names one.
    package var address: UInt64?
    /// The process that sent the signal, where a process did.
    package var senderPID: Int32?

    package init(type: String, signal: String, signalNumber: Int32, code: Int32) {
      self.type = type
      self.signal = signal
      self.signalNumber = signalNumber
      self.code = code
    }
  }

  /// A function of a hotpatch.
  package struct LuaFrame: Sendable, Equatable {
    /// The patch, as the app named it.
    package var patch: String
    package var file: String
    /// From 1; nil where it is not known.
    package var line: Int?
    /// Empty where it has no name.
    package var function: String

    package init(patch: String, file: String, line: Int?, function: String) {
      self.patch = patch
      self.file = file
      self.line = line
      self.function = function
    }
  }

  package struct Breadcrumb: Sendable, Equatable {
    package var time: Timestamp
    package var name: String

    package init(time: Timestamp, name: String) {
      self.time = time
      self.name = name
    }
  }
}

extension CrashReport {
  /// A random UUID (RFC 9562, version 4), upper case with dashes.
  package static func newIncident() -> String {
    var random = SystemRandomNumberGenerator()
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.hexadecimal.uppercased().dashedUUID
  }
}
