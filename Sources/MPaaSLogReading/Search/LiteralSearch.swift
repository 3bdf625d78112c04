import CLogScan
import MPaaSLogs

/// Texts of bytes of which the next one is looked for, prepared once.
///
/// Its memory is given back by `free()`, so that no count of holders stands in the way of every look.
struct LiteralSearch {
  typealias Literal = RequiredLiterals.Literal

  private let prepared: mp_log_needle
  /// The first of them.
  private let bytes: UnsafeMutableBufferPointer<CChar>
  /// All of them, where they are several.
  private let all: OpaquePointer?
  /// The number of bytes by which another that is found before it may begin later.
  let disorder: Int

  /// - Parameter literals: At least three bytes each where they are several.
  /// - Returns: nil where there are none.
  init?(_ literals: [Literal]) {
    guard let first = literals.first, !first.bytes.isEmpty else { return nil }
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: first.bytes.count)
    _ = bytes.initialize(from: first.bytes.lazy.map { CChar(bitPattern: $0) })
    self.bytes = bytes
    prepared =
      bytes.baseAddress.map { mp_log_prepare($0, bytes.count, first.folds ? 1 : 0) } ?? mp_log_needle()
    guard literals.count > 1 else {
      (all, disorder) = (nil, 0)
      return
    }
    all = mp_log_literals_make(
      literals.flatMap(\.bytes), literals.map(\.bytes.count), literals.map { $0.folds ? 1 : 0 }, literals.count)
    disorder = literals.map(\.bytes.count).max() ?? 0
    guard all != nil else {
      bytes.deallocate()
      return nil
    }
  }

  /// Gives its memory back; it is not used afterwards.
  func free() {
    bytes.deallocate()
    mp_log_literals_free(all)
  }

  /// The place of the next one at or behind `start`; nil where none does.
  func place(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < text.count, let base = text.baseAddress, let needle = bytes.baseAddress else { return nil }
    let from = base.assumingMemoryBound(to: CChar.self) + start
    let size = text.count - start
    if let all { return mp_log_literals_find(all, from, size, 0).map { start + ($0 - from) } }
    let found = withUnsafePointer(to: prepared) { mp_log_find_prepared($0, from, size, needle, bytes.count) }
    return found.map { start + ($0 - from) }
  }

  /// The places of a single text, none of which lies over another.
  func places(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while let next = place(in: text, from: start) {
      found.append(next..<next + bytes.count)
      start = next + bytes.count
    }
    return found
  }
}
