/// A regular expression of ECMA-262 (with the flag `u`, as JSON Schema reads them) in the language of `MPaaSPattern`.
///
/// Look-ahead, look-behind and references to groups are not supported, since linear time cannot do them.
enum ECMAPattern {
  case translated(String)
  case unsupported
  case malformed

  init(_ text: String) {
    var translation = Translation(scalars: Array(text.unicodeScalars))
    self = translation.run()
  }

  private struct Translation {
    let scalars: [Unicode.Scalar]
    var place = 0
    var result = ""
    var isInClass = false

    private static let space =
      "\\t\\n\\x{0b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
      + "\\x{205f}\\x{3000}\\x{feff}"

    mutating func run() -> ECMAPattern {
      while place < scalars.count {
        let scalar = scalars[place]
        switch scalar {
        case "\\":
          if let failure = escape() { return failure }
          continue
        case "[" where !isInClass:
          isInClass = true
          result += "["
          if place + 1 < scalars.count, scalars[place + 1] == "^" {
            place += 1
            result += "^"
          }
          if place + 1 < scalars.count, scalars[place + 1] == "]" { return .unsupported }
        case "[": result += "\\["
        case "]" where isInClass:
          isInClass = false
          result += "]"
        case "(" where !isInClass && peek(1) == "?":
          if peek(2) == "=" || peek(2) == "!" { return .unsupported }
          if peek(2) == "<", peek(3) == "=" || peek(3) == "!" { return .unsupported }
          guard peek(2) == ":" || peek(2) == "<" else { return .malformed }
          result += "("
        case "." where !isInClass: result += "[^\\n\\r\\x{2028}\\x{2029}]"
        default: result.unicodeScalars.append(scalar)
        }
        place += 1
      }
      return isInClass ? .malformed : .translated(result)
    }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
      place + distance < scalars.count ? scalars[place + distance] : nil
    }

    private mutating func emit(_ text: String, past length: Int) -> ECMAPattern? {
      result += text
      place += length
      return nil
    }

    private mutating func escape() -> ECMAPattern? {
      guard let kind = peek(1) else { return .malformed }
      switch kind {
      case "s": return emit(isInClass ? Self.space : "[" + Self.space + "]", past: 2)
      case "S": return isInClass ? .unsupported : emit("[^" + Self.space + "]", past: 2)
      case "d", "D", "w", "W", "t", "n", "f", "r": return emit("\\\(kind)", past: 2)
      case "b": return isInClass ? emit("\\x{08}", past: 2) : emit("\\b", past: 2)
      case "B" where !isInClass: return emit("\\B", past: 2)
      case "v": return emit("\\x{0b}", past: 2)
      case "0": return emit("\\x{00}", past: 2)
      case "1"..."9", "k": return .unsupported
      case "c":
        guard let letter = peek(2), letter.isASCII, letter.properties.isAlphabetic else { return .malformed }
        return emit("\\x{" + String(letter.value & 0x1f, radix: 16) + "}", past: 3)
      case "x": return code(2)
      case "u": return code(4)
      case "p", "P": return property(kind)
      default:
        guard kind.isASCII, !kind.properties.isAlphabetic else { return .malformed }
        return kind == "/" || kind == " " ? emit(String(kind), past: 2) : emit("\\\(kind)", past: 2)
      }
    }

    private mutating func code(_ digits: Int) -> ECMAPattern? {
      if digits == 4, peek(2) == "{" {
        guard let end = scalars[place...].firstIndex(of: "}") else { return .malformed }
        let text = String(String.UnicodeScalarView(scalars[(place + 3)..<end]))
        guard let value = UInt32(text, radix: 16), Unicode.Scalar(value) != nil else { return .malformed }
        return emit("\\x{\(text)}", past: end - place + 1)
      }
      guard let value = hexadecimal(at: place + 2, digits) else { return .malformed }
      if value & 0xfc00 == 0xd800, peek(6) == "\\", peek(7) == "u", let low = hexadecimal(at: place + 8, 4) {
        let whole = 0x10000 + ((value & 0x3ff) << 10 | (low & 0x3ff))
        return emit("\\x{" + String(whole, radix: 16) + "}", past: 12)
      }
      guard Unicode.Scalar(value) != nil else { return .malformed }
      return emit("\\x{" + String(value, radix: 16) + "}", past: 2 + digits)
    }

    private func hexadecimal(at start: Int, _ digits: Int) -> UInt32? {
      guard start + digits <= scalars.count else { return nil }
      return UInt32(String(String.UnicodeScalarView(scalars[start..<start + digits])), radix: 16)
    }

    private mutating func property(_ kind: Unicode.Scalar) -> ECMAPattern? {
      guard peek(2) == "{", let end = scalars[place...].firstIndex(of: "}") else { return .malformed }
      var name = String(String.UnicodeScalarView(scalars[(place + 3)..<end]))
      for prefix in ["Script=", "sc=", "General_Category=", "gc="] where name.hasPrefix(prefix) {
        name = String(name.dropFirst(prefix.count))
      }
      let short = ["Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Number": "N", "digit": "Nd"]
      return emit("\\\(kind){\(short[name] ?? name)}", past: end - place + 1)
    }
  }
}
