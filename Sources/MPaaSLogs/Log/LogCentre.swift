import CAppLog
import MPaaSLock

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The destination of the app's records: one for the process.
final class LogCentre: Sendable {
  static let shared = LogCentre()

  /// The state from one `begin` to the next.
  private final class Current: Sendable {
    let sink: any LogSink
    let settings: LogSettings
    let isSampled: Bool
    let mask: LogMask

    init(_ sink: any LogSink, _ settings: LogSettings) {
      self.sink = sink
      self.settings = settings
      isSampled = settings.isSampled
      mask = LogMask(
        isOn: settings.redaction.isOn,
        key: settings.hashKey.map { SymmetricKey(data: $0) } ?? SymmetricKey(size: .bits256))
    }

    func isLogged(_ level: LogLevel, _ subsystem: String) -> Bool {
      guard isSampled || level >= .error else { return false }
      let own = subsystem.isEmpty ? nil : settings.subsystemLevels[subsystem]
      return level >= own ?? settings.minimumLevel
    }
  }

  private static let nothing = Int(UInt8.max)
  private let current = Lock<Current?>(nil)
  /// The least level that anybody logs, so that most calls of no use end with one comparison.
  private let leastLevel = AtomicInteger(nothing)

  var sink: (any LogSink)? { current.withLock { $0 }?.sink }

  func begin(_ sink: any LogSink, _ settings: LogSettings) {
    let next = Current(sink, settings)
    let least = settings.subsystemLevels.values.reduce(settings.minimumLevel, min)
    current.withLock { current in
      current = next
      leastLevel.store(Int(least.rawValue))
    }
    mp_app_log_take { tag, message in
      guard let tag, let message else { return }
      // A line of C is a text that the program made: private values are what its format makes of them.
      LogCentre.shared.append(
        .info, String(cString: tag), { LogMessage(String(cString: message), privacy: .public) }, { [:] }, subsystem: "")
    }
  }

  func end() -> (any LogSink)? {
    mp_app_log_take(nil)
    return current.withLock { current in
      defer { current = nil }
      leastLevel.store(Self.nothing)
      return current?.sink
    }
  }

  func isLogged(_ level: LogLevel, _ subsystem: String) -> Bool {
    guard Int(level.rawValue) >= leastLevel.load() else { return false }
    return current.withLock { $0 }?.isLogged(level, subsystem) ?? false
  }

  func append(
    _ level: LogLevel, _ tag: String, _ message: () -> LogMessage, _ fields: () -> LogFieldList,
    type: LogType = .diagnostic, subsystem: String
  ) {
    guard Int(level.rawValue) >= leastLevel.load(), let current = current.withLock({ $0 }),
      current.isLogged(level, subsystem)
    else { return }
    current.sink.append(
      LogEntry(
        level, tag, message().text(current.mask), type: type, subsystem: subsystem,
        fields: fields().shown(current.mask)))
  }
}
