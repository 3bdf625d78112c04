/// Goes through a demangled name once and leaves out what stands in brackets.
///
/// Operators such as `operator<<` and `operator()` keep their signs. A bracket that is never closed ends the name
/// there, so that no input loops or nests without end.
struct NameScan {
  private let bytes: [UInt8]
  private var place = 0

  init(_ name: String) {
    bytes = Array(name.utf8)
  }

  /// The text outside all brackets; of Rust's `<Type as Trait>::f` and C++'s lambdas what names them stays.
  mutating func withoutBrackets() -> String {
    var result: [UInt8] = []
    if bytes.first == UInt8(ascii: "<"), let type = leadingType() { result += type }
    while place < bytes.count {
      let byte = bytes[place]
      if takeOperator(into: &result) { continue }
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): skipGroup()
      case UInt8(ascii: "{"):
        // The component stays, so that it is seen that a lambda stood here.
        result.append(byte)
        skipGroup()
      case UInt8(ascii: "'") where result.last == UInt8(ascii: ":"):
        result += "'lambda".utf8
        skipQuoted()
      case UInt8(ascii: "-") where bytes[place...].starts(with: "->".utf8):
        result += "->".utf8
        place += 2
      default:
        result.append(byte)
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Takes `operator` with its signs, where it is next.
  private mutating func takeOperator(into result: inout [UInt8]) -> Bool {
    guard bytes[place] == UInt8(ascii: "o"), bytes[place...].starts(with: "operator".utf8),
      result.last.map({ !Self.isWord($0) }) ?? true
    else { return false }
    var end = place + 8
    if end < bytes.count, Self.isWord(bytes[end]) { return false }
    if bytes[end...].starts(with: "()".utf8) || bytes[end...].starts(with: "[]".utf8) {
      end += 2
    } else {
      while end < bytes.count, "<>=!+-*/%^&|~,".utf8.contains(bytes[end]) { end += 1 }
      // `operator<<int>` has a template argument behind one sign, `operator< <int>` a blank between them.
      if bytes[place + 8..<end].elementsEqual("<<".utf8), Self.isClosedTemplate(bytes[end...]) { end -= 1 }
    }
    result += bytes[place..<end]
    place = end
    return true
  }

  /// Tells whether the text goes on like `int>(`: an argument, a closing bracket, the parameters.
  private static func isClosedTemplate(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let first = rest.first, isWord(first), let close = rest.firstIndex(of: UInt8(ascii: ">")) else {
      return false
    }
    return rest[rest.index(after: close)...].first == UInt8(ascii: "(")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte >= 0x80
  }

  /// The type of `<Type as Trait>` at the start, without what its own brackets hold.
  private mutating func leadingType() -> [UInt8]? {
    let start = place
    skipGroup()
    guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else {
      place = start
      return nil
    }
    var inner: [UInt8] = []
    var depth = 0
    for byte in bytes[start + 1..<max(place - 1, start + 1)] {
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
      if depth == 0 {
        if byte == UInt8(ascii: " "), inner.suffix(3) == Array(" as".utf8) { break }
        inner.append(byte)
      }
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") {
        depth = max(depth - 1, 0)
      }
    }
    if inner.suffix(3) == Array(" as".utf8) { inner.removeLast(3) }
    return inner.isEmpty ? nil : inner
  }

  private mutating func skipGroup() {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ">") where place > 0 && bytes[place - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      place += 1
      if depth <= 0 { return }
    }
  }

  private mutating func skipQuoted() {
    place += 1
    while place < bytes.count {
      place += 1
      if bytes[place - 1] == UInt8(ascii: "'") { return }
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Tells whether a text stands in it; compared by bytes, for which no characters have to be made.
  func holds(_ text: String) -> Bool { place(of: text) != nil }

  /// The first, or the last, place of a text.
  func place(of text: String, isLast: Bool = false) -> Range<Index>? {
    let wanted = Array(text.utf8)
    let bytes = utf8
    guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
    var found: Range<Index>?
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == first, bytes[index...].starts(with: wanted) {
        found = index..<bytes.index(index, offsetBy: wanted.count)
        if !isLast { return found }
      }
      index = bytes.index(after: index)
    }
    return found
  }
}
