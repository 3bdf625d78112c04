/// The severity of a record.
public enum LogLevel: UInt8, Sendable, Hashable, CaseIterable, Comparable {
  case verbose = 0
  case debug
  case info
  case warning
  case error
  case fatal

  /// Orders levels from the least grave to the gravest.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  /// `VERBOSE`, `DEBUG`, `INFO`, `WARN`, `ERROR` or `FATAL`, as lines of text have it.
  public var name: String {
    switch self {
    case .verbose: "VERBOSE"
    case .debug: "DEBUG"
    case .info: "INFO"
    case .warning: "WARN"
    case .error: "ERROR"
    case .fatal: "FATAL"
    }
  }
}
