import CSQLite
import MPaaSSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The effort that trying a document's statements may take, whatever it says.
///
/// SQLite bounds the steps of a statement that runs; neither the time of one step nor that of preparing. It is for one
/// thread.
final class DAOTrialEffort {
  /// The steps of SQLite's machine between two looks at the effort.
  private static let stepsAtOnce: Int32 = 1000

  private var stepsLeft = 50_000_000
  /// The processor time of this thread, in seconds, until which statements are tried.
  private let end: Double
  private var weights = SQLWeights()

  /// - Parameter size: The bytes of the document, of which a large one may take longer.
  init(size: Int) { end = Self.processorTime() + 2 + Double(size) / 50_000 }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private var isSpent: Bool { stepsLeft <= 0 || Self.processorTime() > end }

  /// Has statements of a database end that take more.
  ///
  /// The effort must live as long as the database.
  func bound(_ database: SQLiteDatabase) {
    sqlite3_progress_handler(
      database.pointer, Self.stepsAtOnce,
      { data in
        guard let data else { return 0 }
        return Unmanaged<DAOTrialEffort>.fromOpaque(data).takeUnretainedValue().step() ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func step() -> Bool {
    stepsLeft -= Int(Self.stepsAtOnce)
    return !isSpent
  }

  /// Refuses a statement that would take too long to prepare, or for which nothing is left.
  ///
  /// - Throws: `dao-sql`.
  func check(_ sql: String) throws(DAOError) {
    guard isSpent || weights.add(sql) > SQLWeights.greatest else { return }
    throw DAOError(.sql, DAOError.reason("untried", "it takes too long to try"))
  }
}
