import MPaaSLogUpload
import MPaaSLogs

/// A file that records are read from.
protocol LogSource: Sendable {
  /// As errors and results name it.
  var name: String { get }
  var format: LogFormat { get }
  /// What its records are for; nil where each says it, or none does.
  var type: LogType? { get }
  /// When its first record was, as far as that is known without reading much; nil where it is not.
  func leastTime() -> Int64?
  /// When its last record was; nil where that is not known without reading, or something is to be told of it.
  func greatestTime() -> Int64?
  /// What may hold records that are wanted.
  func pieces(for query: LogQuery) throws -> LogPieces
}

extension LogSource {
  func greatestTime() -> Int64? { nil }

  /// Whether a query asks for other types only.
  func isLeftOut(by query: LogQuery) -> Bool {
    guard !query.types.isEmpty, let type else { return false }
    return !query.types.contains(type)
  }
}
