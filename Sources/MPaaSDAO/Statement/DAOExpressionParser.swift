/// Reads an expression: `or` < `xor` < `and` < `not` < comparisons < `+ -` < `* / \ %` < signs.
package struct DAOExpressionParser {
  private enum Token: Equatable {
    case sign(String)
    case word(String)
    case literal(DAOValue)
    case end
  }

  private static let greatestDepth = 64
  /// The greatest number of words and signs, which bounds the depth of what is made of them.
  private static let greatestCount = 1000

  private let bytes: [UInt8]
  private var place = 0
  private var token = Token.end
  private var depth = 0
  private var count = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Reads the whole text; every name in it is a global one.
  ///
  /// - Throws: `dao-expression` with the reason.
  package static func expression(_ text: String) throws(DAOError) -> DAOExpression {
    var parser = DAOExpressionParser(text)
    try parser.advance()
    let expression = try parser.disjunction()
    guard parser.token == .end else { throw parser.unexpected() }
    return expression
  }

  private func unexpected() -> DAOError {
    switch token {
    case .end: error("ends-early", "it ends too early")
    case .sign(let text), .word(let text): error("word-there", "'{word}' cannot stand there", text)
    case .literal: error("value-there", "a value cannot stand there")
    }
  }

  private func error(_ cause: String, _ reason: String, _ word: String? = nil) -> DAOError {
    var values = DAOError.reason(cause, reason, word.map { ["word": $0] } ?? [:])
    values["expression"] = String(decoding: bytes, as: UTF8.self)
    return DAOError(.expression, values)
  }

  // MARK: Grammar

  private mutating func takeWord(_ word: String) throws(DAOError) -> Bool {
    guard case .word(let text) = token, text.lowercased() == word else { return false }
    try advance()
    return true
  }

  private mutating func takeSign(_ signs: String...) throws(DAOError) -> DAOExpression.Operator? {
    guard case .sign(let text) = token, signs.contains(text) else { return nil }
    try advance()
    return DAOExpression.Operator(rawValue: text)
  }

  private mutating func disjunction() throws(DAOError) -> DAOExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.greatestDepth else { throw error("expression-deep", "it is too deep") }
    var left = try exclusion()
    while try takeWord("or") { left = .binary(.or, left, try exclusion()) }
    return left
  }

  private mutating func exclusion() throws(DAOError) -> DAOExpression {
    var left = try conjunction()
    while try takeWord("xor") { left = .binary(.xor, left, try conjunction()) }
    return left
  }

  private mutating func conjunction() throws(DAOError) -> DAOExpression {
    var left = try negation()
    while try takeWord("and") { left = .binary(.and, left, try negation()) }
    return left
  }

  private mutating func negation() throws(DAOError) -> DAOExpression {
    var count = 0
    while try takeWord("not") { count += 1 }
    let operand = try comparison()
    return count == 0 ? operand : count.isMultiple(of: 2) ? .not(.not(operand)) : .not(operand)
  }

  private mutating func comparison() throws(DAOError) -> DAOExpression {
    var left = try addition()
    while let sign = try takeSign("==", "!=", "<", ">", "<=", ">=") { left = .binary(sign, left, try addition()) }
    return left
  }

  private mutating func addition() throws(DAOError) -> DAOExpression {
    var left = try multiplication()
    while let sign = try takeSign("+", "-") { left = .binary(sign, left, try multiplication()) }
    return left
  }

  private mutating func multiplication() throws(DAOError) -> DAOExpression {
    var left = try signed()
    while let sign = try takeSign("*", "/", "\\", "%") { left = .binary(sign, left, try signed()) }
    return left
  }

  private mutating func signed() throws(DAOError) -> DAOExpression {
    var signs: [DAOExpression.Operator] = []
    while let sign = try takeSign("+", "-") { signs.append(sign) }
    guard signs.count <= Self.greatestDepth else { throw error("expression-deep", "it is too deep") }
    var operand = try primary()
    for sign in signs.reversed() { operand = sign == .minus ? .negative(operand) : .positive(operand) }
    return operand
  }

  private mutating func primary() throws(DAOError) -> DAOExpression {
    switch token {
    case .literal(let value):
      try advance()
      return .literal(value)
    case .word(let name) where !["or", "xor", "and", "not"].contains(name.lowercased()):
      try advance()
      return try named(name)
    case .sign("("):
      try advance()
      let inner = try disjunction()
      guard case .sign(")") = token else { throw error("parenthesis", "a parenthesis is not closed") }
      try advance()
      return inner
    default: throw unexpected()
    }
  }

  private mutating func named(_ name: String) throws(DAOError) -> DAOExpression {
    switch name {
    case "nil", "null", "NULL": return .literal(.null)
    case "true", "YES": return .literal(.bool(true))
    case "false", "NO": return .literal(.bool(false))
    default: break
    }
    var names = [name]
    while case .sign(".") = token {
      try advance()
      guard case .word(let property) = token else { throw unexpected() }
      names.append(property)
      try advance()
    }
    return .path(DAOPath(root: .global(name), properties: Array(names.dropFirst()), text: names.joined(separator: ".")))
  }

  // MARK: Words

  private mutating func advance() throws(DAOError) {
    count += 1
    guard count <= Self.greatestCount else { throw error("expression-long", "it is too long") }
    while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    guard place < bytes.count else { return token = .end }
    let byte = bytes[place]
    if byte == UInt8(ascii: "'") { return token = .literal(.text(try string())) }
    if byte &- 0x30 < 10 { return token = .literal(try number()) }
    let start = place
    if DAOName.isPart(byte) {
      while place < bytes.count, DAOName.isPart(bytes[place]) { place += 1 }
      return token = .word(String(decoding: bytes[start..<place], as: UTF8.self))
    }
    place += place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "=") && "=!<>".utf8.contains(byte) ? 2 : 1
    let sign = String(decoding: bytes[start..<place], as: UTF8.self)
    guard Self.signs.contains(sign) else { throw error("word-there", "'{word}' cannot stand there", sign) }
    token = .sign(sign)
  }

  private static let signs: Set = [
    "(", ")", "+", "-", "*", "/", "\\", "%", ">", "<", ">=", "<=", "==", "!=", ".",
  ]

  /// A text in quotes, where `\'` is a quote.
  private mutating func string() throws(DAOError) -> String {
    var text: [UInt8] = []
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "'") { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\"), place < bytes.count, bytes[place] == UInt8(ascii: "'") {
        text.append(UInt8(ascii: "'"))
        place += 1
      } else {
        text.append(byte)
      }
    }
    throw error("open-text", "a text is not closed")
  }

  private mutating func number() throws(DAOError) -> DAOValue {
    let start = place
    func isDigit(_ place: Int) -> Bool { place < bytes.count && bytes[place] &- 0x30 < 10 }
    while isDigit(place) { place += 1 }
    if place < bytes.count, bytes[place] == UInt8(ascii: "."), isDigit(place + 1) {
      place += 1
      while isDigit(place) { place += 1 }
    }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      let sign = place + 1 < bytes.count && "+-".utf8.contains(bytes[place + 1]) ? 2 : 1
      if isDigit(place + sign) {
        place += sign
        while isDigit(place) { place += 1 }
      }
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    guard let number = DAONumber(text), place == bytes.count || !DAOName.isPart(bytes[place]) else {
      throw error("no-number", "'{word}' is no number", text)
    }
    return number.value
  }
}
