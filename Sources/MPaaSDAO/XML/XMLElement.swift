/// An element of a document, with its place.
package struct XMLElement: Sendable {
  package enum Child: Sendable {
    case element(XMLElement)
    case text(XMLText)
  }

  package let name: String
  /// In the order of the document; the reader refuses a name that comes twice.
  package let attributes: [(name: String, value: String)]
  package var children: [Child] = []
  package let position: DAOPosition

  package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  package var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The first text that is more than white space.
  package var firstText: XMLText? {
    children.lazy.compactMap { if case .text(let text) = $0, !text.isBlank { text } else { nil } }.first
  }
}

/// The text between two tags, with the places that its parts have in the document.
package struct XMLText: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// Offsets of parts in ascending order, and the place of each.
  private var marks: [(offset: Int, position: DAOPosition)] = []

  package init() {}

  /// Creates a text that stands at one place as a whole, such as an attribute's value.
  package init(_ text: String, at position: DAOPosition) {
    append(Array(text.utf8), at: position)
  }

  package mutating func append(_ part: some Collection<UInt8>, at position: DAOPosition) {
    marks.append((bytes.count, position))
    bytes += part
  }

  /// Appends a part of another text, with its places.
  package mutating func append(_ text: XMLText, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    append(text.bytes[range], at: text.position(at: range.lowerBound))
    let start = bytes.count - range.count
    for mark in text.marks where mark.offset > range.lowerBound && mark.offset < range.upperBound {
      marks.append((start + mark.offset - range.lowerBound, mark.position))
    }
  }

  /// The place of a byte.
  package func position(at offset: Int) -> DAOPosition {
    guard let mark = marks.last(where: { $0.offset <= offset }) ?? marks.first else { return DAOPosition(1, 1) }
    let before = bytes[min(mark.offset, offset)..<min(offset, bytes.count)]
    guard let newline = before.lastIndex(of: UInt8(ascii: "\n")) else {
      return DAOPosition(mark.position.line, mark.position.column + before.count)
    }
    let lines = before.count { $0 == UInt8(ascii: "\n") }
    return DAOPosition(mark.position.line + lines, offset - newline)
  }

  package var isBlank: Bool { bytes.allSatisfy { $0 <= 0x20 } }
  package var isEmpty: Bool { bytes.isEmpty }
}
