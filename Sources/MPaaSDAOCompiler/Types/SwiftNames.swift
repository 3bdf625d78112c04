import MPaaSDeclarations

/// Names and literals of Swift.
enum Swift {
  private static let keywords = SwiftKeywords.reserved.union(["Any", "Self"])

  /// A name that Swift takes: other characters become `_`, keywords stand in back-ticks.
  static func name(_ text: String) -> String {
    let name = bare(text)
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// A label of an argument in a call, where few keywords need back-ticks, and Swift warns of others.
  static func label(_ text: String) -> String {
    let name = bare(text)
    return ["inout", "let", "var"].contains(name) ? "`\(name)`" : name
  }

  /// The same without back-ticks, for names that it is a part of.
  static func bare(_ text: String) -> String {
    var name = String(String.UnicodeScalarView(text.unicodeScalars.map { isPart($0) ? $0 : "_" }))
    if name.unicodeScalars.first.map({ ("0"..."9").contains($0) }) ?? true { name = "_" + name }
    return name
  }

  /// Letters and digits of ASCII, and what scripts of CJK, Latin and so on call letters.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("0"..."9").contains(scalar) || scalar.properties.isAlphabetic
  }

  /// A text as a literal.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}": result += "\\0"
      case _
      where scalar.value < 0x20 || scalar.value == 0x7f || (0x80..<0xa0).contains(scalar.value)
        || scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .lineSeparator
        || scalar.properties.generalCategory == .paragraphSeparator:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func literal(_ bytes: [UInt8]) -> String { literal(String(decoding: bytes, as: UTF8.self)) }

  static func list(_ texts: [String]) -> String { "[" + texts.map(literal).joined(separator: ", ") + "]" }
}
