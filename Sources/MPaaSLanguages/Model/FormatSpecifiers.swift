/// The specifiers of a text that is a format (IEEE 1003.1, `fprintf`; Foundation's `%@` and `%#@name@`).
package struct FormatSpecifiers: Sendable, Equatable {
  /// An argument as a specifier takes it.
  package struct Argument: Sendable, Hashable {
    /// Length and conversion: `lld`, `@`.
    package let specifier: String

    /// The type that the argument must have: two that differ in it read different bytes.
    package var type: String {
      guard let conversion = specifier.last else { return "" }
      let length = specifier.dropLast()
      switch conversion {
      case "d", "D", "i", "u", "U", "o", "O", "x", "X":
        return ["l", "ll", "q", "z", "t", "j"].contains(length) || "DUO".contains(conversion) ? "int64" : "int"
      case "f", "F", "e", "E", "g", "G", "a", "A": return length == "L" ? "long double" : "double"
      case "c", "C": return "int"
      case "s", "S": return String(conversion)
      default: return String(conversion)
      }
    }
  }

  /// By position, from 1.
  package private(set) var arguments: [Int: Argument] = [:]
  /// The names of `%#@name@`.
  package private(set) var substitutions: [String] = []
  /// Positions that two specifiers take for different types.
  package private(set) var contradictions: [Int] = []
  /// The places of specifiers, `%%` included, in bytes of UTF-8.
  package private(set) var ranges: [Range<Int>] = []

  package init(_ text: String) {
    var reader = Reader(Array(text.utf8))
    reader.read(into: &self)
  }

  private mutating func add(_ position: Int, _ argument: Argument) {
    if let other = arguments[position], other.type != argument.type { contradictions.append(position) }
    arguments[position] = argument
  }

  /// The notation of the arguments: `%1$@ %2$lld`.
  package var description: String {
    let list = arguments.sorted { $0.key < $1.key }.map { "%\($0.key)$\($0.value.specifier)" }
    return (list + substitutions.map { "%#@\($0)@" }).joined(separator: " ")
  }

  private struct Reader {
    let text: [UInt8]
    var offset = 0
    var nextPosition = 1

    init(_ text: [UInt8]) { self.text = text }

    mutating func read(into result: inout FormatSpecifiers) {
      while offset < text.count {
        guard text[offset] == UInt8(ascii: "%") else {
          offset += 1
          continue
        }
        let start = offset
        offset += 1
        if specifier(into: &result) { result.ranges.append(start..<offset) } else { offset = start + 1 }
      }
    }

    private func byte(_ offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

    private mutating func number() -> Int? {
      let start = offset
      while (0x30...0x39).contains(byte(offset)), offset - start < 6 { offset += 1 }
      return Int(String(decoding: text[start..<offset], as: UTF8.self))
    }

    private mutating func position() -> Int? {
      let start = offset
      if let number = number(), byte(offset) == UInt8(ascii: "$") {
        offset += 1
        return number
      }
      offset = start
      return nil
    }

    /// Reads behind a percent sign; false where no specifier stands there.
    private mutating func specifier(into result: inout FormatSpecifiers) -> Bool {
      if byte(offset) == UInt8(ascii: "%") {
        offset += 1
        return true
      }
      // The name that a catalogue gives to the argument of a substitution.
      if text[offset...].starts(with: "arg".utf8), !SourceBytes.isWord(byte(offset + 3)) {
        offset += 3
        return true
      }
      let position = position()
      if byte(offset) == UInt8(ascii: "#"), byte(offset + 1) == UInt8(ascii: "@") {
        return substitution(into: &result)
      }
      var hasSpace = false
      while [0x2d, 0x2b, 0x20, 0x23, 0x30, 0x27].contains(byte(offset)) {
        hasSpace = hasSpace || byte(offset) == 0x20
        offset += 1
      }
      width(into: &result)
      if byte(offset) == UInt8(ascii: ".") {
        offset += 1
        width(into: &result)
      }
      let start = offset
      while "hlqLzjt".utf8.contains(byte(offset)), offset - start < 2 { offset += 1 }
      guard "@dDiuUxXoOfFeEgGaAcCsSp".utf8.contains(byte(offset)), !hasSpace || position != nil || isEnd(offset + 1)
      else { return false }
      offset += 1
      let argument = Argument(specifier: String(decoding: text[start..<offset], as: UTF8.self))
      // `%0$@` says what counting from 1 makes impossible; it names nothing.
      result.add(position ?? next(), argument)
      return true
    }

    /// "100 % of" is no specifier, though a space is a flag: what follows must not go on as a word.
    private func isEnd(_ offset: Int) -> Bool { !SourceBytes.isWord(byte(offset)) }

    private mutating func next() -> Int {
      defer { nextPosition += 1 }
      return nextPosition
    }

    private mutating func width(into result: inout FormatSpecifiers) {
      if byte(offset) == UInt8(ascii: "*") {
        offset += 1
        result.add(position() ?? next(), Argument(specifier: "d"))
      } else {
        _ = number()
      }
    }

    private mutating func substitution(into result: inout FormatSpecifiers) -> Bool {
      let start = offset + 2
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "@"), end - start < 200 { end += 1 }
      guard byte(end) == UInt8(ascii: "@") else { return false }
      result.substitutions.append(String(decoding: text[start..<end], as: UTF8.self))
      offset = end + 1
      return true
    }
  }
}
