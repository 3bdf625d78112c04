/// Writes `[Int]`, `[Int : String]` and `Int?` where the Swift runtime's demangler spells the types out.
enum SwiftSugar {
  private static let optional = Array("Swift.Optional<".utf8)
  private static let array = Array("Swift.Array<".utf8)
  private static let dictionary = Array("Swift.Dictionary<".utf8)

  static func apply(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
    return String(decoding: sweetened(Array(text.utf8)[...], depth: 0), as: UTF8.self)
  }

  private static func sweetened(_ text: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
    var output: [UInt8] = []
    var position = text.startIndex
    while position < text.endIndex {
      guard text[position] == UInt8(ascii: "S"), depth < 100, !continuesName(output.last),
        let opening = [optional, array, dictionary].first(where: text[position...].starts(with:)),
        let end = SwiftSimplifier.closing(text, from: position + opening.count - 1)
      else {
        output.append(text[position])
        position += 1
        continue
      }
      let inside = text[(position + opening.count)..<end]
      output += shape(opening, inside, depth + 1)
      position = end + 1
    }
    return output
  }

  private static func shape(_ opening: [UInt8], _ inside: ArraySlice<UInt8>, _ depth: Int) -> [UInt8] {
    let plain = sweetened(inside, depth: depth)
    if opening == array { return Array("[".utf8) + plain + Array("]".utf8) }
    if opening == dictionary { return Array("[".utf8) + entries(plain) + Array("]".utf8) }
    return needsParentheses(plain)
      ? Array("(".utf8) + plain + Array(")?".utf8) : plain + Array("?".utf8)
  }

  /// Whether a function type or a composition stands there, not inside brackets of its own.
  private static func needsParentheses(_ type: [UInt8]) -> Bool {
    var depth = 0
    for position in type.indices {
      switch type[position] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where position > 0 && type[position - 1] == UInt8(ascii: "-"):
        if depth == 0 { return true }
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "&") where depth == 0: return true
      default: break
      }
    }
    return false
  }

  /// The comma between key and value becomes a colon.
  private static func entries(_ inside: [UInt8]) -> [UInt8] {
    var depth = 0
    for position in inside.indices {
      switch inside[position] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where position > 0 && inside[position - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        return inside[..<position] + Array(" :".utf8) + inside[(position + 1)...]
      default: break
      }
    }
    return inside
  }

  private static func continuesName(_ byte: UInt8?) -> Bool {
    byte.map { $0 == UInt8(ascii: ".") || SwiftSimplifier.continuesIdentifier($0) } ?? false
  }
}
