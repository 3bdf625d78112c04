import MPaaSLogUpload
import MPaaSLogs

/// A file that records are read from.
protocol LogSource: Sendable {
  /// As errors and results name it.
  var name: String { get }
  var format: LogFormat { get }
  /// The purpose of its records; nil where each says it, or none does.
  var type: LogType? { get }
  /// The time of its first record, as far as that is known without reading much; nil where it is not.
  func leastTime() -> Int64?
  /// The time of its last record; nil where that is not known without reading, or something is to be told of it.
  func greatestTime() -> Int64?
  /// The pieces that may hold records that are wanted.
  func pieces(for query: LogQuery) throws -> LogPieces
}

extension LogSource {
  func greatestTime() -> Int64? { nil }

  /// Tells whether a query asks for other types only.
  func isLeftOut(by query: LogQuery) -> Bool {
    guard !query.types.isEmpty, let type else { return false }
    return !query.types.contains(type)
  }
}
