/// A name that equals another only if both have the same UTF-8 bytes.
///
/// `String` compares after canonical equivalence of Unicode: "é" as one scalar equals "é" as two. Names in signed
/// documents, archives and file systems are bytes, and two of them that only look alike are two names. As the key of a
/// dictionary or the member of a set this type keeps them apart.
///
/// - Source: Unicode Standard Annex #15, section 1.1 (canonical equivalence), which this type does without on purpose.
package struct ExactName: Sendable {
  /// The name as text.
  package let text: String

  /// Creates the exact name of `text`.
  package init(_ text: String) {
    self.text = text
  }
}

extension ExactName: Hashable {
  package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }
}

extension ExactName: Comparable {
  /// Orders names by their UTF-8 bytes, which is the order of their Unicode scalars.
  package static func < (left: ExactName, right: ExactName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension ExactName: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension ExactName: CustomStringConvertible {
  package var description: String { text }
}

extension ExactName: Codable {
  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
