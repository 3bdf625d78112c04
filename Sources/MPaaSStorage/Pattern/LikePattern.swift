/// A pattern of SQL's LIKE as SQLite has it: `%` for any text, `_` for one character, letters of ASCII in either case.
package struct LikePattern: Sendable {
  private let pattern: [Unicode.Scalar]

  package init(_ pattern: String) { self.pattern = pattern.unicodeScalars.map(\.lowered) }

  /// Tells whether all of `text` is as the pattern says.
  package func matches(_ text: String) -> Bool {
    let text = text.unicodeScalars.map(\.lowered)
    var place = 0, at = 0
    // Behind the last `%`, and where the text began that it stands for nothing more of.
    var (afterPercent, retry): (Int?, Int) = (nil, 0)
    while at < text.count {
      if place < pattern.count, pattern[place] == "%" {
        place += 1
        (afterPercent, retry) = (place, at)
      } else if place < pattern.count, pattern[place] == "_" || pattern[place] == text[at] {
        place += 1
        at += 1
      } else if let back = afterPercent {
        retry += 1
        (place, at) = (back, retry)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "%" }
  }
}

extension Unicode.Scalar {
  fileprivate var lowered: Unicode.Scalar {
    ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(truncatingIfNeeded: value) | 0x20) : self
  }
}
