/// A Rust name in the legacy scheme: a C++ nested name whose last part is `h` and 16 hexadecimal digits.
///
/// Source: rustc's `legacy` mangling: `$LT$` and its kin stand for what C++ names cannot hold, `..` for `::`.
struct LegacyRustName {
  /// The parts as the programmer wrote them, without the hash.
  let path: [String]
  /// `h` and 16 digits.
  let hash: String
  /// The suffix after the name, as `.llvm.1234`.
  let suffix: String

  init?(_ symbol: String) {
    var symbol = symbol
    guard symbol.withUTF8({ Self.matches(UnsafeRawBufferPointer($0)) }) else { return nil }
    var rest = Substring(symbol).utf8
    rest = rest.dropFirst(3)
    var parts: [Substring] = []
    while let digit = rest.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit) {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let length = Int(Substring(digits)), length <= rest.count - digits.count else { return nil }
      rest = rest.dropFirst(digits.count)
      parts.append(Substring(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    guard rest.first == UInt8(ascii: "E"), let last = parts.popLast(), !parts.isEmpty, Self.isHash(last.utf8) else {
      return nil
    }
    suffix = String(Substring(rest.dropFirst()))
    guard suffix.isEmpty || suffix.hasPrefix(".") else { return nil }
    hash = String(last)
    path = parts.map(Self.unescaped)
  }

  /// True where a symbol is such a name; told without memory of its own, since every C++ name is asked.
  static func matches(_ symbol: UnsafeRawBufferPointer) -> Bool {
    guard symbol.count < longest, symbol.begins(with: "_ZN") else { return false }
    var position = 3
    var parts = 0
    var last = 0..<0
    while position < symbol.count, symbol[position] != UInt8(ascii: "0"), RustName.isDigit(symbol[position]) {
      var length = 0
      while position < symbol.count, RustName.isDigit(symbol[position]), length < longest {
        length = length * 10 + Int(symbol[position] - UInt8(ascii: "0"))
        position += 1
      }
      guard length <= symbol.count - position else { return false }
      last = position..<position + length
      position += length
      parts += 1
    }
    guard parts > 1, position < symbol.count, symbol[position] == UInt8(ascii: "E"),
      isHash(UnsafeRawBufferPointer(rebasing: symbol[last]))
    else { return false }
    return position + 1 == symbol.count || symbol[position + 1] == UInt8(ascii: ".")
  }

  private static let longest = 1 << 14

  private static func isHash(_ part: some Collection<UInt8>) -> Bool {
    part.count == 17 && part.first == UInt8(ascii: "h") && part.dropFirst().allSatisfy(isLowerHex)
  }

  private static func isLowerHex(_ digit: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
  }

  private static func unescaped(_ part: Substring) -> String {
    // A leading underscore only keeps the part from beginning with `$`.
    var rest = part.hasPrefix("_$") ? part.dropFirst() : part
    var result = ""
    while let next = rest.first {
      if rest.hasPrefix("..") {
        result += "::"
        rest = rest.dropFirst(2)
      } else if next == "$", let end = rest.dropFirst().firstIndex(of: "$"),
        let plain = plain(rest[rest.index(after: rest.startIndex)..<end])
      {
        result += plain
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(next)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func plain(_ escape: Substring) -> String? {
    switch escape {
    case "SP": return "@"
    case "BP": return "*"
    case "RF": return "&"
    case "LT": return "<"
    case "GT": return ">"
    case "LP": return "("
    case "RP": return ")"
    case "C": return ","
    default:
      guard escape.hasPrefix("u"), escape.utf8.dropFirst().allSatisfy(isLowerHex),
        let value = UInt32(escape.dropFirst(), radix: 16), let scalar = Unicode.Scalar(value), value >= 0x20
      else { return nil }
      return String(Character(scalar))
    }
  }
}
