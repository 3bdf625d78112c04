import CLogScan
import MPaaSLogs

/// The parts of a text where bytes tell all that regular expressions ask for, looked at once for many lines that stand
/// close.
struct PlainText {
  /// Tells whether scalars beyond ASCII may be in it.
  private let beyond: Int32
  private var known = UnsafeRawBufferPointer(start: nil, count: 0)
  private var end: UnsafeRawPointer?
  /// Tells how far beyond a line it looks: more where lines follow each other.
  private var ahead = 0

  private static let (leastAhead, mostAhead) = (1 << 8, 1 << 14)

  init(beyondASCII: Bool) { beyond = beyondASCII ? 1 : 0 }

  /// To be called before parts of another text are asked for.
  mutating func begin(_ text: UnsafeRawBufferPointer) {
    known = UnsafeRawBufferPointer(start: nil, count: 0)
    end = text.baseAddress.map { $0 + text.count }
    ahead = 0
  }

  /// Tells whether a text is plain that stands alone.
  func holds(_ text: UnsafeRawBufferPointer) -> Bool {
    mp_log_plain_size(text.baseAddress, text.count, beyond) == text.count
  }

  /// Tells whether a part is plain of the text that was begun with.
  mutating func holds(part: UnsafeRawBufferPointer) -> Bool {
    guard let start = part.baseAddress, let end else { return part.isEmpty }
    if let first = known.baseAddress, start >= first {
      let left = known.count - (start - first)
      if left >= part.count { return true }
      ahead = left > -Self.mostAhead ? min(max(ahead * 2, Self.leastAhead), Self.mostAhead) : 0
    }
    let size = min(end - start, part.count + ahead)
    known = UnsafeRawBufferPointer(start: start, count: mp_log_plain_size(start, size, beyond))
    return known.count >= part.count
  }
}
