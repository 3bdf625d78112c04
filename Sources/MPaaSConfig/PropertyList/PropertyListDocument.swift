package import MPaaSSupport

/// An XML property list as it stands in its file: its value, and every byte around it.
///
/// Edits give a new document, in which all that was not edited is as it was: comments, blanks, the order of keys, the
/// encoding. Each edit is read again, and refused unless it says what was asked.
package struct PropertyListDocument: Sendable {
  /// The file's name in errors.
  package let file: String
  package let bytes: [UInt8]
  package let root: PropertyListValue
  let text: PropertyListText

  /// - Throws: `ConfigError` with the place of the first thing that cannot stand there; `plist-format` for the binary
  /// and
  ///   the old-style format, which are not read here.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    try Self.refuseOtherFormats(bytes, file)
    let text = try PropertyListText(bytes, file: file)
    self.init(bytes, file: file, text: text, root: try PropertyListReader.read(text.utf8, file: file))
  }

  init(_ text: PropertyListText, file: String) throws(ConfigError) {
    self.init(text.bytes, file: file, text: text, root: try PropertyListReader.read(text.utf8, file: file))
  }

  private init(_ bytes: [UInt8], file: String, text: PropertyListText, root: PropertyListValue) {
    self.file = file
    self.bytes = bytes
    self.text = text
    self.root = root
  }

  private static func refuseOtherFormats(_ bytes: [UInt8], _ file: String) throws(ConfigError) {
    if bytes.starts(with: "bplist".utf8) {
      throw ConfigError(.plistFormat, ["file": file, "format": "binary"], at: .file(file))
    }
    let word = bytes.drop(while: PropertyListMarkup.isBlank).prefix(2)
    guard let first = word.first else { return }
    let isHex = first == 0x3c && word.count > 1 && isHexDigitOrBlank(word[word.startIndex + 1])
    if isHex || [0x7b, 0x28, 0x22, 0x2f].contains(first) {
      throw ConfigError(
        .plistFormat, ["file": file, "format": "OpenStep"], at: .text(file: file, line: 1, column: 1))
    }
  }

  private static func isHexDigitOrBlank(_ byte: UInt8) -> Bool {
    // `<da>` would be data; what begins a property list's elements is longer: `<dict`, `<array`, `<data`, `<date`,
    // `<false`.
    (0x30...0x39).contains(byte) || byte == 0x20
  }

  /// Line and column of a value that was read from this document.
  package func place(of value: PropertyListValue) -> Place { place(at: value.span.lowerBound) }

  /// Line and column of a member's key.
  package func place(of member: PropertyListMember) -> Place { place(at: member.keySpan.lowerBound) }

  /// Line and column of what a leaf says: `<string>HERE`.
  package func placeInside(_ value: PropertyListValue) -> Place {
    place(at: value.inside?.lowerBound ?? value.span.lowerBound)
  }

  func place(at offset: Int) -> Place {
    let (line, column) = text.utf8.withUnsafeBufferPointer { TextLines.position(of: offset, in: $0) }
    return .text(file: file, line: line, column: column)
  }
}

/// A step from a container to what it holds.
package enum PropertyListStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case key(String)
  case index(Int)

  package init(stringLiteral value: String) { self = .key(value) }
  package init(integerLiteral value: Int) { self = .index(value) }
}

extension PropertyListDocument {
  /// The value that the steps lead to; nil where there is none.
  package func value(at path: [PropertyListStep]) -> PropertyListValue? {
    var value = root
    for step in path {
      guard let next = value[step] else { return nil }
      value = next
    }
    return value
  }
}

extension PropertyListValue {
  subscript(step: PropertyListStep) -> PropertyListValue? {
    switch step {
    case .key(let key): self[key]
    case .index(let index): values.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }
}
