/// The text between two tags, with the places that its parts have in the document.
package struct XMLText: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// Offsets of parts in ascending order, and the place of each.
  private var marks: [(offset: Int, mark: XMLMark)] = []

  package init() {}

  /// Creates a text that stands at one place as a whole, such as an attribute's value.
  package init(_ text: String, at mark: XMLMark) {
    append(Array(text.utf8), at: mark)
  }

  package mutating func append(_ part: some Collection<UInt8>, at mark: XMLMark) {
    var offset = bytes.count
    marks.append((offset, mark))
    bytes += part
    // Long parts get marks on their way, so that no place is far from one.
    while bytes.count - offset > Self.markDistance {
      let next = offset + Self.markDistance
      marks.append((next, self.mark(at: next)))
      offset = next
    }
  }

  /// Appends a part of another text, with its places.
  package mutating func append(_ text: XMLText, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = bytes.count
    marks.append((start, text.mark(at: range.lowerBound)))
    bytes += text.bytes[range]
    for part in text.marks[text.firstMark(after: range.lowerBound)...].prefix(while: { $0.offset < range.upperBound }) {
      marks.append((start + part.offset - range.lowerBound, part.mark))
    }
  }

  /// The greatest distance of a byte from the mark before it.
  private static let markDistance = 256

  /// The number of the first mark behind an offset.
  private func firstMark(after offset: Int) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = low + (high - low) / 2
      if marks[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place of a byte.
  package func mark(at offset: Int) -> XMLMark {
    guard !marks.isEmpty else { return XMLMark(1, 1) }
    let part = marks[max(0, firstMark(after: offset) - 1)]
    let before = bytes[min(part.offset, offset)..<min(offset, bytes.count)]
    guard let newline = before.lastIndex(of: UInt8(ascii: "\n")) else {
      return XMLMark(part.mark.line, part.mark.column + before.count)
    }
    let lines = before.count { $0 == UInt8(ascii: "\n") }
    return XMLMark(part.mark.line + lines, offset - newline)
  }

  package var isBlank: Bool { bytes.allSatisfy { $0 <= 0x20 } }
  package var isEmpty: Bool { bytes.isEmpty }
}
