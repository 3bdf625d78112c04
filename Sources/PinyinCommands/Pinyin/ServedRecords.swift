import MPaaSPinyin
import MPaaSSupport
import Synchronization

/// The index that a server answers from: read at the start, and again where its file changes.
///
/// Whoever searches keeps the generation that was there when it began.
final class ServedRecords: Sendable {
  /// What is searched.
  struct Generation: Sendable {
    let number: Int
    let searched: SearchedRecords
  }

  private struct State {
    var generation: Generation?
    var stamp: FileStatus?
    var failure: Diagnostic?
  }

  let path: String
  private let isIndex: Bool
  private let options: RecordOptions
  private let readings: SearchReadings
  private let state = Mutex(State())

  /// - Parameter isIndex: Whether the file is a saved index rather than texts.
  init(path: String, isIndex: Bool, options: RecordOptions, readings: SearchReadings) throws {
    self.path = path
    self.isIndex = isIndex
    self.options = options
    self.readings = readings
    try read(number: 1)
  }

  /// The newest generation.
  var generation: Generation? { state.withLock { $0.generation } }
  /// Why the last reading failed; nil where it did not.
  var failure: Diagnostic? { state.withLock { $0.failure } }
  /// Whether the file is another one than that which was read, or has another time or size.
  var isOutdated: Bool {
    let status = FileStatus(path)
    return status != nil && status != state.withLock { $0.stamp }
  }

  private func read(number: Int) throws {
    let stamp = FileStatus(path)
    // Noted before, so that a file that cannot be read is not tried again and again.
    state.withLock { $0.stamp = stamp }
    let searched = isIndex ? SearchedRecords(try RecordIndexFile(path).open()) : try indexed()
    state.withLock { state in
      state.generation = Generation(number: number, searched: searched)
      state.failure = nil
    }
  }

  private func indexed() throws -> SearchedRecords {
    // A copy: an editor may cut a mapped file short while it is served.
    let bytes = Bytes(try Bytes.mapping(path).array)
    let records = try SearchRecords(bytes, options: options, file: path)
    return SearchedRecords(RecordIndex(records, readings: readings), records: records)
  }

  /// Reads the file again.
  ///
  /// - Returns: Why that failed; what was there before is served on then.
  func reload() -> Diagnostic? {
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
