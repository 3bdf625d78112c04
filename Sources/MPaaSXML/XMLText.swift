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
    marks.append((bytes.count, mark))
    bytes += part
  }

  /// Appends a part of another text, with its places.
  package mutating func append(_ text: XMLText, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    append(text.bytes[range], at: text.mark(at: range.lowerBound))
    let start = bytes.count - range.count
    for part in text.marks where part.offset > range.lowerBound && part.offset < range.upperBound {
      marks.append((start + part.offset - range.lowerBound, part.mark))
    }
  }

  /// The place of a byte.
  package func mark(at offset: Int) -> XMLMark {
    guard let part = marks.last(where: { $0.offset <= offset }) ?? marks.first else { return XMLMark(1, 1) }
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
