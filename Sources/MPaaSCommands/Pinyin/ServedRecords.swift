import MPaaSPinyin
import MPaaSSupport
import Synchronization

/// The index that a server answers from: read at the start, and again where its file changes. Whoever searches keeps the
/// generation that was there when it began.
final class ServedRecords: Sendable {
  /// What is searched.
  struct Generation: Sendable {
    let number: Int
    /// The texts of the primary field of all records, then those of the secondary field.
    let index: PinyinIndex
    /// Where the texts come from; nil for a saved index.
    let records: SearchRecords?
    /// The line of each record, where records are not lines.
    let lines: [Int]?
    /// How many records there are.
    let count: Int

    init(_ number: Int, _ index: PinyinIndex, _ records: SearchRecords? = nil) {
      self.number = number
      self.index = index
      self.records = records
      lines = records.flatMap { $0.format == .lines ? nil : $0.lineNumbers() }
      let hasSecondary = index.endNumber > 1 && index.group(of: index.endNumber - 1) == 1
      count = records?.count ?? (hasSecondary ? index.endNumber / 2 : index.endNumber)
    }
  }

  private struct State {
    var generation: Generation?
    var stamp: FileStatus?
    var failure: Diagnostic?
  }

  let path: String
  private let isIndex: Bool
  private let options: RecordOptions
  private let state = Mutex(State())

  /// - Parameter isIndex: Whether the file is a saved index rather than texts.
  init(path: String, isIndex: Bool, options: RecordOptions) throws {
    self.path = path
    self.isIndex = isIndex
    self.options = options
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
    let generation = isIndex ? Generation(number, try PinyinIndex(mapping: path)) : try indexed(number)
    state.withLock { state in
      state.generation = generation
      state.failure = nil
    }
  }

  private func indexed(_ number: Int) throws -> Generation {
    // A copy: an editor may cut a mapped file short while it is served.
    let bytes = Bytes(try Bytes.mapping(path).array)
    let records = try SearchRecords(bytes, options: options, file: path)
    let second = records.secondaryTexts ?? []
    let groups = second.isEmpty ? [] : records.texts.map { _ in UInt8(0) } + second.map { _ in UInt8(1) }
    return Generation(number, PinyinIndex(records.texts + second, groups: groups), records)
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
