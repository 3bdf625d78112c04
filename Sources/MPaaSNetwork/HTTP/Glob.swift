/// A pattern in which `*` stands for anything, the empty text included.
package struct Glob: Sendable, Hashable {
  private let pattern: [UInt8]
  private let ignoresCase: Bool

  package init(_ pattern: String, ignoresCase: Bool = false) {
    self.ignoresCase = ignoresCase
    self.pattern = pattern.utf8.map { ignoresCase ? $0.lowercasedASCII : $0 }
  }

  /// Whether the whole text is what the pattern says; the time is bounded by the product of both lengths.
  package func matches(_ text: some StringProtocol) -> Bool {
    let text = text.utf8.map { ignoresCase ? $0.lowercasedASCII : $0 }
    var place = 0
    var at = 0
    // Where the last star stood, and how much of the text it has taken.
    var star: (place: Int, at: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == text[at] {
        place += 1
        at += 1
      } else if let last = star {
        star = (last.place, last.at + 1)
        place = last.place + 1
        at = last.at + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

extension UInt8 {
  /// The small letter of a large ASCII letter, else the byte itself.
  package var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }
}
