import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal

/// The choice of records.
struct LogFilterOptions: ParsableArguments {
  @Option(help: .text("command.log.since", valueName: "time"))
  var since: String?

  @Option(help: .text("command.log.until", valueName: "time"))
  var until: String?

  @Option(
    name: [.short, .long], help: .text("command.log.level"), completion: .list(LogLevelName.allCases.map(\.rawValue)))
  var level: LogLevelName?

  @Option(name: [.short, .long], help: .text("command.log.tag", valueName: "tag"))
  var tag: [String] = []

  @Option(help: .text("command.log.subsystem", valueName: "name"))
  var subsystem: [String] = []

  @Option(help: .text("command.log.field", valueName: "name[=value]"))
  var field: [String] = []

  @Option(help: .text("command.log.user", valueName: "user"))
  var user: String?

  @Option(help: .text("command.log.type", valueName: "type"))
  var type: [String] = []

  @Option(help: .text("command.log.thread", valueName: "number"))
  var thread: UInt64?

  @Flag(help: .text("command.log.unordered"))
  var unordered = false

  func query(_ zone: LogZone, in context: Context) throws -> LogQuery {
    var query = LogQuery()
    query.since = try since.map { try time($0, zone, context) }
    query.until = try until.map { try time($0, zone, context) }
    query.level = level?.level
    query.tags = tag
    query.subsystems = subsystem
    query.fields = field.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return LogQuery.FieldCondition(parts[0], parts.count > 1 ? parts[1] : nil)
    }
    query.user = user
    query.types = Set(type.map { LogType(rawValue: $0) })
    query.thread = thread
    query.isUnordered = unordered
    return query
  }

  private func time(_ text: String, _ zone: LogZone, _ context: Context) throws -> Int64 {
    try context.logTime(text, zone)
  }
}

/// Levels as the option has them.
enum LogLevelName: String, ExpressibleByArgument, CaseIterable {
  case verbose, debug, info, warning, error, fatal

  var level: LogLevel {
    switch self {
    case .verbose: .verbose
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    case .fatal: .fatal
    }
  }

  init?(argument: String) {
    guard let level = LogLevel(word: argument), let name = Self.allCases.first(where: { $0.level == level }) else {
      return nil
    }
    self = name
  }
}

extension Context {
  /// Nanoseconds since 1970, now.
  var logNow: Int64 { Int64(now().timeIntervalSince1970 * 1_000_000_000) }

  /// A time as users name it.
  func logTime(_ text: String, _ zone: LogZone) throws -> Int64 {
    guard let time = LogTimeText.nanoseconds(text, now: logNow, zone: zone) else {
      throw Diagnostic("log-time-malformed", ["value": text], exit: .usage)
    }
    return time
  }

  /// The folder that `MPAAS_LOG_FOLDER` names; nil where it is empty or not set.
  var logFolder: String? { environment.variable("MPAAS_LOG_FOLDER") }

  /// The files that are named, or the pipe that is read where none is.
  func logInputs(_ paths: [String], _ opening: LogOpening, _ query: LogQuery) throws -> LogInputs {
    let named = paths.isEmpty ? logFolder.map { [$0] } ?? [] : paths
    if named == ["-"] || (named.isEmpty && !StandardInput.isTerminal) {
      let inputs = try LogInputs(
        try data(at: "-"), name: name(ofData: "-"), now: logNow / 1_000_000_000, opening)
      for problem in inputs.problems { terminal.warning(problem.diagnostic) }
      return inputs
    }
    guard !named.isEmpty else { throw Diagnostic("log-no-files", exit: .usage) }
    let inputs = try LogInputs(named, opening, query: query)
    for problem in inputs.problems { terminal.warning(problem.diagnostic) }
    return inputs
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
