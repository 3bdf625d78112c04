/// The forms that property lists have.
package enum PropertyListFormat: String, Sendable, Hashable, CaseIterable {
  case xml
  case binary
  case json
  /// The old style, with braces; `.strings` files too.
  case openstep

  /// The format that bytes are in, by their content; where that leaves two, by the file's name.
  package init(detecting bytes: [UInt8], file: String) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    // The first bytes tell, whatever the encoding: all that says something is ASCII.
    let start = bytes.prefix(1 << 16).filter { $0 != 0 }
    let marks: Set<UInt8> = [0xef, 0xbb, 0xbf, 0xfe, 0xff]
    var words = FormatWords(start.drop { marks.contains($0) }[...])
    self = words.format(isJSON: file.lowercased().hasSuffix(".json"))
  }
}

/// The first words of a text, by which its format is known.
private struct FormatWords {
  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) {
    rest = text
  }

  private mutating func skipBlanks() { rest = rest.drop(while: PropertyListMarkup.isBlank) }

  mutating func format(isJSON: Bool) -> PropertyListFormat {
    skipBlanks()
    switch rest.first {
    case 0x3c: return isData ? .openstep : .xml
    case 0x5b: return .json
    case 0x7b:
      rest.removeFirst()
      skipBlanks()
      if rest.first == 0x7d { return isJSON ? .json : .openstep }
      return rest.first == 0x22 ? keyed(isJSON: isJSON) : isJSON && rest.first != 0x2f ? .json : .openstep
    case 0x22: return keyed(isJSON: isJSON)
    case nil: return isJSON ? .json : .xml
    default: return isJSON ? .json : .openstep
    }
  }

  /// Data in digits, or a value in the form of GNUstep: no element of a property list begins so.
  private var isData: Bool {
    guard let second = rest.dropFirst().first else { return false }
    let isHex = (0x30...0x39).contains(second) || second == 0x20 || second == 0x3e || second == 0x2a || second == 0x5b
    if isHex { return true }
    let inside = rest.dropFirst().prefix { $0 != 0x3e }
    return !inside.isEmpty && inside.count < rest.count - 1
      && inside.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit || PropertyListMarkup.isBlank($0) }
  }

  /// By what follows the string that is next.
  private mutating func keyed(isJSON: Bool) -> PropertyListFormat {
    var isEscaped = false
    rest = rest.dropFirst()
    while let byte = rest.first {
      rest = rest.dropFirst()
      if isEscaped { isEscaped = false } else if byte == 0x5c { isEscaped = true } else if byte == 0x22 { break }
    }
    skipBlanks()
    switch rest.first {
    case 0x3a: return .json
    case 0x3d, 0x3b: return .openstep
    default: return isJSON ? .json : .openstep
    }
  }
}
