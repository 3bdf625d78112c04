public import MPaaSLogs

#if canImport(Logging)
  public import Logging
#else
  #error("name the trait Logging where the package depends on mpaaskit: .package(url: …, traits: [\"Logging\"])")
#endif

/// The diagnostic log as a back end of swift-log: `LoggingSystem.bootstrap { MPaaSLogHandler($0, sink: …) }`.
public struct MPaaSLogHandler: LogHandler {
  /// The least level of events that the logger passes on; `info` unless set.
  public var logLevel: Logger.Level = .info
  /// The values that each event of the logger carries.
  public var metadata: Logger.Metadata = [:]
  /// A source of further values for each event, which the logger's own win over; nil for none.
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let sink: any LogSink

  /// - Parameters:
  ///   - label: The logger's label, which becomes the tag.
  ///   - sink: The destination of the records.
  public init(_ label: String, sink: any LogSink) {
    self.label = label
    self.sink = sink
  }

  /// The value of a key in `metadata`; nil where there is none, and assigning nil removes it.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Appends an event to the sink: the logger's label becomes the tag, all metadata become fields in the order of their
  /// keys.
  ///
  /// The event's value of a key wins over the logger's, and that over the provider's.
  public func log(event: LogEvent) {
    var all = metadataProvider?.get() ?? [:]
    all.merge(metadata) { _, own in own }
    if let more = event.metadata { all.merge(more) { _, own in own } }
    let fields = all.sorted { $0.key < $1.key }.map { LogField($0.key, .text($0.value.description)) }
    sink.append(LogEntry(LogLevel(event.level), label, event.message.description, fields: fields))
  }
}

extension LogLevel {
  /// The level nearest to one of swift-log.
  init(_ level: Logger.Level) {
    self =
      switch level {
      case .trace: .verbose
      case .debug: .debug
      case .info, .notice: .info
      case .warning: .warning
      case .error: .error
      case .critical: .fatal
      }
  }
}
