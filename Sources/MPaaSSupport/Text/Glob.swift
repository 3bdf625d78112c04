/// A pattern of bytes in which `*` stands for any text, the empty one included, and `?` for one byte where it is to.
package struct Glob: Sendable, Hashable {
  package let text: String
  private let pattern: [UInt8]
  private let ignoresCase: Bool
  private let one: UInt8?

  /// - Parameters:
  ///   - ignoresCase: Of ASCII letters.
  ///   - hasQuestionMark: Whether `?` stands for any one byte, and not for itself.
  package init(_ text: String, ignoresCase: Bool = false, hasQuestionMark: Bool = false) {
    self.text = text
    self.ignoresCase = ignoresCase
    one = hasQuestionMark ? UInt8(ascii: "?") : nil
    pattern = text.utf8.map { ignoresCase ? $0.lowercasedASCII : $0 }
  }

  /// Tells whether the whole of `text` is what the pattern says.
  package func matches(_ text: some StringProtocol) -> Bool {
    if let matches = text.utf8.withContiguousStorageIfAvailable(fits) { return matches }
    return Array(text.utf8).withUnsafeBufferPointer(fits)
  }

  private func fits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    pattern.withUnsafeBufferPointer { pattern in
      Wildcards.match(pattern, bytes) {
        $0 == UInt8(ascii: "*")
      } takes: {
        $0 == (ignoresCase ? $1.lowercasedASCII : $1) || $0 == one
      }
    }
  }
}

/// Patterns some of whose elements stand for any number of others.
package enum Wildcards {
  /// Tells whether the whole of `subject` is what `pattern` says.
  ///
  /// It goes back to the last wildcard only, which is enough since that can take all that an earlier one could; the
  /// time is bounded by the product of both lengths.
  ///
  /// - Parameters:
  ///   - isAny: Whether an element of the pattern stands for any number of elements, none included.
  ///   - takes: Whether another one stands for this element.
  @inlinable
  package static func match<Pattern: RandomAccessCollection, Subject: RandomAccessCollection>(
    _ pattern: Pattern, _ subject: Subject, isAny: (Pattern.Element) -> Bool,
    takes: (Pattern.Element, Subject.Element) -> Bool
  ) -> Bool {
    var (wanted, place) = (pattern.startIndex, subject.startIndex)
    var last: (wanted: Pattern.Index, place: Subject.Index)?
    while place < subject.endIndex {
      if wanted < pattern.endIndex, isAny(pattern[wanted]) {
        last = (wanted, place)
        wanted = pattern.index(after: wanted)
      } else if wanted < pattern.endIndex, takes(pattern[wanted], subject[place]) {
        wanted = pattern.index(after: wanted)
        place = subject.index(after: place)
      } else if let wildcard = last {
        place = subject.index(after: wildcard.place)
        last = (wildcard.wanted, place)
        wanted = pattern.index(after: wildcard.wanted)
      } else {
        return false
      }
    }
    return pattern[wanted...].allSatisfy(isAny)
  }
}

extension UInt8 {
  /// The small letter of a large ASCII letter, else the byte itself.
  package var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }
}
