/// A token of an expression, with its place in characters.
struct XPathToken: Equatable {
  enum Kind: Equatable {
    case name(String)
    case literal(String)
    case number(Double)
    case sign(String)
    case end
  }

  let kind: Kind
  let offset: Int
}

/// Splits an expression into tokens.
enum XPathLexer {
  private static let signs = [
    "//", "::", "..", "!=", "<=", ">=", "/", "|", "+", "-", "=", "<", ">", "(", ")", "[", "]", ".", "@", ",", "*",
  ]

  static func tokens(of text: String) throws(XPathError) -> [XPathToken] {
    let characters = Array(text)
    var tokens: [XPathToken] = []
    var place = 0
    while place < characters.count {
      let character = characters[place]
      let start = place
      if character.isWhitespace {
        place += 1
      } else if character == "'" || character == "\"" {
        guard let end = characters[(place + 1)...].firstIndex(of: character) else {
          throw XPathError(reason: "a string is not closed", offset: place)
        }
        tokens.append(XPathToken(kind: .literal(String(characters[(place + 1)..<end])), offset: start))
        place = end + 1
      } else if isDigit(character) || (character == "." && characters.dropFirst(place + 1).first.map(isDigit) == true) {
        let digits = characters[place...].prefix { isDigit($0) || $0 == "." }
        place += digits.count
        guard let value = Double("0" + String(digits)) ?? Double(String(digits) + "0") else {
          throw XPathError(reason: "a number has several points", offset: start)
        }
        tokens.append(XPathToken(kind: .number(value), offset: start))
      } else if isNameStart(character) {
        var name = characters[place...].prefix { isNamePart($0) }
        place += name.count
        // A colon belongs to the name unless it begins an axis.
        if place < characters.count, characters[place] == ":", place + 1 < characters.count,
          characters[place + 1] != ":"
        {
          let rest = characters[(place + 1)...].prefix { isNamePart($0) }
          if !rest.isEmpty || characters[place + 1] == "*" {
            name = characters[start..<(place + 1 + max(rest.count, 1))]
            place = start + name.count
          }
        }
        tokens.append(XPathToken(kind: .name(String(name)), offset: start))
      } else if let sign = signs.first(where: { characters[place...].starts(with: $0) }) {
        place += sign.count
        tokens.append(XPathToken(kind: .sign(sign), offset: start))
      } else {
        throw XPathError(reason: "\(character) cannot stand here", offset: place)
      }
    }
    tokens.append(XPathToken(kind: .end, offset: characters.count))
    return tokens
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
  private static func isNameStart(_ character: Character) -> Bool { character.isLetter || character == "_" }
  private static func isNamePart(_ character: Character) -> Bool {
    isNameStart(character) || character.isNumber || character == "-" || character == "."
  }
}
