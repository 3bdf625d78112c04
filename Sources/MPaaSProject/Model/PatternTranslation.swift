/// Regular expressions of ECMA-262 (with the `u` flag, as JSON Schema reads them) in Swift's syntax.
///
/// Parts that Swift reads otherwise, and that no option mends, are written differently: white space, escapes of control
/// characters, brackets and operators in classes. The generated code asks for ASCII digits and word characters, simple
/// word boundaries, and Unicode scalars.
package enum PatternTranslation {
  /// The pattern for Swift; nil where it is none.
  package static func swift(_ pattern: String) -> String? {
    var scanner = PatternScanner(pattern)
    return scanner.translated()
  }
}

private struct PatternScanner {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var result = String.UnicodeScalarView()
  /// The groups that are open, by whether they only look ahead.
  private var groups: [Bool] = []
  /// Tells whether something stands before that can be repeated.
  private var isRepeatable = false

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
  }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    place + distance < scalars.count ? scalars[place + distance] : nil
  }

  private mutating func emit(_ text: String) { result.append(contentsOf: text.unicodeScalars) }

  mutating func translated() -> String? {
    while let scalar = next {
      guard step(scalar) else { return nil }
    }
    return groups.isEmpty ? String(result) : nil
  }

  private mutating func step(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(": return open()
    case ")":
      guard let looksAhead = groups.popLast() else { return false }
      // A lookahead cannot be repeated with the flag `u`.
      take(scalar, isRepeatable: !looksAhead)
    case "|", "^": take(scalar, isRepeatable: false)
    case "$":
      place += 1
      emit("$")
      isRepeatable = false
    case "*", "+", "?": return quantifier(String(scalar), length: 1)
    case "{":
      if let length = countLength() {
        return quantifier(String(String.UnicodeScalarView(scalars[place..<place + length])), length: length)
      }
      escape(scalar)
    case "}", "]": escape(scalar)
    case "[": return characterClass()
    case "\\": return escapeSequence(inClass: false)
    default: take(scalar, isRepeatable: true)
    }
    return true
  }

  private mutating func take(_ scalar: Unicode.Scalar, isRepeatable: Bool) {
    result.append(scalar)
    place += 1
    self.isRepeatable = isRepeatable
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    emit("\\" + String(scalar))
    place += 1
    isRepeatable = true
  }

  private mutating func open() -> Bool {
    groups.append(peek(1) == "?" && (peek(2) == "=" || peek(2) == "!"))
    guard groups.count < 100 else { return false }
    isRepeatable = false
    guard peek(1) == "?" else {
      take("(", isRepeatable: false)
      return true
    }
    for head in ["(?:", "(?=", "(?!"] where scalars[place...].starts(with: head.unicodeScalars) {
      emit(head)
      place += head.unicodeScalars.count
      return true
    }
    guard peek(2) == "<", peek(3) != "=", peek(3) != "!", let end = scalars[place...].firstIndex(of: ">"),
      end > place + 3
    else { return false }
    emit(String(String.UnicodeScalarView(scalars[place...end])))
    place = end + 1
    return true
  }

  /// The length of `{2}`, `{2,}` or `{2,3}` here; nil where it is none.
  private func countLength() -> Int? {
    guard let end = scalars[place...].firstIndex(of: "}") else { return nil }
    let parts = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
      .split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let least = Int(parts[0]), parts[0].first?.isNumber == true else { return nil }
    guard parts.count == 2, !parts[1].isEmpty else { return end - place + 1 }
    guard let most = Int(parts[1]), most >= least else { return nil }
    return end - place + 1
  }

  private mutating func quantifier(_ text: String, length: Int) -> Bool {
    guard isRepeatable else { return false }
    emit(text)
    place += length
    isRepeatable = false
    if next == "?" { take("?", isRepeatable: false) }
    return true
  }
}

// MARK: Escapes and classes

extension PatternScanner {
  private mutating func escapeSequence(inClass: Bool) -> Bool {
    guard let kind = peek(1) else { return false }
    isRepeatable = true
    switch kind {
    case "s": return replace(2, inClass ? "\\s\\uFEFF" : "[\\s\\uFEFF]")
    case "S" where !inClass: return replace(2, "[^\\s\\uFEFF]")
    case "d", "D", "w", "W", "S", "n", "r", "t", "f": return replace(2, "\\" + String(kind))
    case "v": return replace(2, "\\u000B")
    case "b": return inClass ? replace(2, "\\u0008") : boundary("\\b")
    case "B" where !inClass: return boundary("\\B")
    case "0": return replace(2, "\\u0000")
    case "1"..."9" where !inClass: return replace(2, "\\" + String(kind))
    case "k" where !inClass: return reference()
    case "c": return control()
    case "x": return code(digits: 2)
    case "u": return code(digits: 4)
    case "p", "P": return property()
    default:
      guard kind.isASCII, !kind.properties.isAlphabetic else { return false }
      return replace(2, kind == "/" ? "/" : "\\" + String(kind))
    }
  }

  private mutating func replace(_ length: Int, _ text: String) -> Bool {
    emit(text)
    place += length
    return true
  }

  private mutating func boundary(_ text: String) -> Bool {
    isRepeatable = false
    return replace(2, text)
  }

  private mutating func reference() -> Bool {
    guard peek(2) == "<", let end = scalars[place...].firstIndex(of: ">") else { return false }
    return replace(end - place + 1, String(String.UnicodeScalarView(scalars[place...end])))
  }

  private mutating func control() -> Bool {
    guard let letter = peek(2), letter.isASCII, letter.properties.isAlphabetic else { return false }
    return replace(3, "\\u{" + String(letter.value & 0x1f, radix: 16) + "}")
  }

  /// `\x41`, `\u0041`, `\u{41}`, or two halves of a pair.
  private mutating func code(digits: Int) -> Bool {
    if digits == 4, peek(2) == "{" {
      guard let end = scalars[place...].firstIndex(of: "}"),
        let value = UInt32(String(String.UnicodeScalarView(scalars[(place + 3)..<end])), radix: 16),
        Unicode.Scalar(value) != nil
      else { return false }
      return replace(end - place + 1, "\\u{" + String(value, radix: 16) + "}")
    }
    guard let first = hexadecimal(at: place + 2, digits) else { return false }
    if first & 0xfc00 == 0xd800, scalars.count > place + 7, scalars[place + 6] == "\\", scalars[place + 7] == "u",
      let second = hexadecimal(at: place + 8, 4), second & 0xfc00 == 0xdc00
    {
      let value = 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff))
      return replace(12, "\\u{" + String(value, radix: 16) + "}")
    }
    guard Unicode.Scalar(first) != nil else { return false }
    return replace(2 + digits, "\\u{" + String(first, radix: 16) + "}")
  }

  private func hexadecimal(at start: Int, _ digits: Int) -> UInt32? {
    guard start + digits <= scalars.count else { return nil }
    let part = scalars[start..<start + digits]
    guard part.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    return UInt32(String(String.UnicodeScalarView(part)), radix: 16)
  }

  private mutating func property() -> Bool {
    guard peek(2) == "{", let end = scalars[place...].firstIndex(of: "}"), end > place + 3 else { return false }
    let name = scalars[(place + 3)..<end]
    guard name.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || "0123456789_=".unicodeScalars.contains($0)) })
    else { return false }
    return replace(end - place + 1, String(String.UnicodeScalarView(scalars[place...end])))
  }

  private mutating func characterClass() -> Bool {
    let isNegated = peek(1) == "^"
    let start = place + (isNegated ? 2 : 1)
    if start < scalars.count, scalars[start] == "]" {
      place = start + 1
      isRepeatable = true
      emit(isNegated ? "[\\s\\S]" : "(?!)")
      return true
    }
    emit(isNegated ? "[^" : "[")
    place = start
    while let scalar = next {
      switch scalar {
      case "]":
        take(scalar, isRepeatable: true)
        return true
      case "\\":
        guard escapeSequence(inClass: true) else { return false }
      case "-":
        let isRange = place > start && peek(1) != "]"
        emit(isRange ? "-" : "\\-")
        place += 1
      case "[", "&", "~": escape(scalar)
      default: take(scalar, isRepeatable: true)
      }
    }
    return false
  }
}
