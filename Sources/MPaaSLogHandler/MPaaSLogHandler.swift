public import MPaaSLogs

#if canImport(Logging)
  public import Logging
#else
  #error("name the trait Logging where the package depends on mpaaskit: .package(url: …, traits: [\"Logging\"])")
#endif

/// The diagnostic log as a back end of swift-log: `LoggingSystem.bootstrap { MPaaSLogHandler($0, sink: …) }`.
public struct MPaaSLogHandler: LogHandler {
  public var logLevel: Logger.Level = .info
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let sink: any LogSink

  /// - Parameter label: The logger's label, which becomes the tag.
  public init(_ label: String, sink: any LogSink) {
    self.label = label
    self.sink = sink
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

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
