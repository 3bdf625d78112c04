/// The same for a part of the app.
extension Log {
  /// Logs a record.
  public func log(
    _ level: LogLevel, _ tag: String, _ message: @autoclosure () -> LogMessage,
    _ fields: @autoclosure () -> LogFieldList = [:], type: LogType = .diagnostic
  ) {
    LogCentre.shared.append(level, tag, message, fields, type: type, subsystem: subsystem)
  }

  /// Logs that the app cannot go on.
  public func fatal(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.fatal, tag, message, fields, subsystem: subsystem)
  }

  /// Logs that something failed.
  public func error(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.error, tag, message, fields, subsystem: subsystem)
  }

  /// Logs what may become a fault.
  public func warning(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.warning, tag, message, fields, subsystem: subsystem)
  }

  /// Logs what the app does.
  public func info(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.info, tag, message, fields, subsystem: subsystem)
  }

  /// Logs what helps to find faults.
  public func debug(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.debug, tag, message, fields, subsystem: subsystem)
  }

  /// Logs every step.
  public func verbose(
    _ tag: String, _ message: @autoclosure () -> LogMessage, _ fields: @autoclosure () -> LogFieldList = [:]
  ) {
    LogCentre.shared.append(.verbose, tag, message, fields, subsystem: subsystem)
  }
}
