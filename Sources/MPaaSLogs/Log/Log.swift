/// The app's log: `Log.info("Pay", "paid by \(user) in \(ms) ms", ["route": .public(route)])`.
///
/// `Log.begin` says where records go; before, and after `Log.end`, they go nowhere. When a call returns, the end of the
/// process no longer loses its record. A call whose level is not logged makes neither message nor fields.
///
/// A value of `Log` logs for a part of the app: `let log = Log(subsystem: "payment")`.
public struct Log: Sendable {
  /// The part of the app; empty for none.
  public let subsystem: String

  /// Makes a log for a part of the app.
  public init(subsystem: String) { self.subsystem = subsystem }

  /// Sends all records to `sink` from now on.
  public static func begin(_ sink: any LogSink, _ settings: LogSettings = LogSettings()) {
    LogCentre.shared.begin(sink, settings)
  }

  /// Logs nothing more, and returns when all that was logged survives loss of power.
  public static func end() {
    LogCentre.shared.end()?.flush()
  }

  /// Returns when all that was logged survives loss of power.
  public static func flush() {
    LogCentre.shared.sink?.flush()
  }

  /// Tells whether records of a level are kept.
  public static func isLogged(_ level: LogLevel, subsystem: String = "") -> Bool {
    LogCentre.shared.isLogged(level, subsystem)
  }

  /// Logs a record.
  public static func log(
    _ level: LogLevel, _ tag: String, _ message: @autoclosure () -> LogMessage,
    _ fields: @autoclosure () -> LogFieldList = [:], type: LogType = .diagnostic
  ) {
    LogCentre.shared.append(level, tag, message, fields, type: type, subsystem: "")
  }

  /// Logs that the app cannot go on.
  public static func fatal(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.fatal, tag, message, fields, subsystem: "")
  }

  /// Logs that something failed.
  public static func error(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.error, tag, message, fields, subsystem: "")
  }

  /// Logs what may become a fault.
  public static func warning(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.warning, tag, message, fields, subsystem: "")
  }

  /// Logs what the app does.
  public static func info(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.info, tag, message, fields, subsystem: "")
  }

  /// Logs what helps to find faults.
  public static func debug(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.debug, tag, message, fields, subsystem: "")
  }

  /// Logs every step.
  public static func verbose(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.verbose, tag, message, fields, subsystem: "")
  }
}
