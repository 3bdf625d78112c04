import MPaaSLock
package import MPaaSSupport

/// Records that a server answers from: read at the start, and again where their file changes.
///
/// A search keeps the generation that was there when it began.
package final class ServedRecords: Sendable {
  /// The records as one reading found them.
  package struct Generation: Sendable {
    /// From 1.
    package let number: Int
    package let searched: SearchedRecords
  }

  private struct State {
    var generation: Generation?
    var stamp: FileStatus?
    var failure: Diagnostic?
  }

  package let path: String
  private let stamp: @Sendable () -> FileStatus?
  private let load: @Sendable () throws -> SearchedRecords
  private let state = Lock(State())

  /// Reads the records for the first time.
  ///
  /// - Parameters:
  ///   - stamp: Tells the file from a changed one; nil where it is not there.
  ///   - load: Reads the file.
  /// - Throws: Errors of `load`.
  init(
    path: String, stamp: @escaping @Sendable () -> FileStatus?, load: @escaping @Sendable () throws -> SearchedRecords
  ) throws {
    self.path = path
    self.stamp = stamp
    self.load = load
    try read(number: 1)
  }

  /// Reads an index that was written to a file.
  package convenience init(index path: String) throws {
    try self.init(path: path, stamp: { FileStatus(path) }) { SearchedRecords(try RecordIndexFile(path).open()) }
  }

  /// Reads and indexes the texts of a file.
  package convenience init(texts path: String, options: RecordOptions, readings: SearchReadings) throws {
    try self.init(path: path, stamp: { FileStatus(path) }) {
      // A copy: an editor may cut a mapped file short while it is served.
      let bytes = Bytes(try Bytes.mapping(path).array)
      let records = try SearchRecords(bytes, options: options, file: path)
      return SearchedRecords(RecordIndex(records, readings: readings), records: records)
    }
  }

  /// The newest generation.
  package var generation: Generation? { state.withLock { $0.generation } }
  /// The reason why the last reading failed; nil where it did not.
  package var failure: Diagnostic? { state.withLock { $0.failure } }
  /// Says that the file is another one than that which was read, or has another time or size.
  package var isOutdated: Bool {
    let status = stamp()
    return status != nil && status != state.withLock { $0.stamp }
  }

  private func read(number: Int) throws {
    let stamp = stamp()
    // Noted before, so that a file that cannot be read is not tried again and again.
    state.withLock { $0.stamp = stamp }
    let searched = try load()
    state.withLock { state in
      state.generation = Generation(number: number, searched: searched)
      state.failure = nil
    }
  }

  /// Reads the file again.
  ///
  /// - Returns: The reason why that failed; the records that were there before are served on then.
  package func reload() -> Diagnostic? {
    do {
      try read(number: (generation?.number ?? 0) + 1)
      return nil
    } catch {
      let diagnostic = (error as? any DiagnosticConvertible)?.diagnostic
      state.withLock { $0.failure = diagnostic }
      return diagnostic
    }
  }
}
