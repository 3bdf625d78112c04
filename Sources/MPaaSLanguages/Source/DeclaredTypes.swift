/// The statements of Swift declarations about the specifiers that names become.
///
/// `let count: Int` and `var price = 9.5` say it; a name that is declared differently elsewhere in the file says
/// nothing. Where the file says nothing, the properties and functions of all sources count that agree on a name's type.
final class DeclaredTypes {
  private let tokens: SwiftTokens
  private let declarations: SwiftDeclarations
  /// Read when the first name is asked for, in one go over the file.
  private lazy var specifiers = read()

  init(_ tokens: SwiftTokens, _ declarations: SwiftDeclarations) {
    self.tokens = tokens
    self.declarations = declarations
  }

  /// The specifier that a property or a variable of a name becomes; nil where it is not known, or not the same
  /// everywhere.
  func specifier(of name: String) -> String? {
    if let own = specifiers[name] { return own }
    guard case .named(let type) = declarations.property(name) else { return nil }
    return Self.types[type]
  }

  /// The specifier of what a function of a name gives back.
  func specifier(ofResult name: String) -> String? {
    guard case .named(let type) = declarations.result(name) else { return nil }
    return Self.types[type]
  }

  private static let types: [String: String] = [
    "Int": "%lld", "Int64": "%lld", "UInt": "%llu", "UInt64": "%llu", "Int32": "%d", "Int16": "%d", "Int8": "%d",
    "UInt32": "%u", "UInt16": "%u", "UInt8": "%u", "Double": "%lf", "CGFloat": "%lf", "TimeInterval": "%lf",
    "Float": "%f", "String": "%@", "Substring": "%@",
  ]

  private func read() -> [String: String?] {
    var found: [String: String?] = [:]
    for index in 0..<tokens.count where tokens.kind(index) == .word {
      guard let specifier = declared(index) ?? counted(index) ?? reckoned(index, found) else { continue }
      let key = tokens.string(index)
      if let other = found[key] {
        if other != specifier { found[key] = .some(nil) }
      } else {
        found[key] = specifier
      }
    }
    return found
  }

  /// The text behind a name's colon or equals sign.
  private func declared(_ name: Int) -> String? {
    let start = name + 2
    if tokens.isToken(name + 1, ":") {
      // `Int.Type`, `Int?`, `Int...` and `Double<…>` are something else; `Double(…)` is what an argument is given.
      let goesOn =
        tokens.touches(start + 1)
        && ([".", "?", "<", "("] as [StaticString]).contains { tokens.isToken(start + 1, $0) }
      return tokens.kind(start) == .word && !goesOn ? Self.types[tokens.string(start)] : nil
    }
    guard tokens.isToken(name + 1, "="), tokens.kind(start) != nil else { return nil }
    let value = start..<tokens.valueEnd(start)
    if let otherwise = tokens.firstAtTop(value, "??"), otherwise + 2 == value.upperBound {
      return Self.specifier(tokens.literalType(otherwise + 1))
    }
    if value.count > 2, tokens.isToken(value.upperBound - 1, "count"), tokens.isToken(value.upperBound - 2, ".") {
      return "%lld"
    }
    let isLiteral = value.count == 1 || (value.count == 3 && tokens.isToken(start + 1, "."))
    let isCall = tokens.isToken(start + 1, "(") && tokens.behind(start + 1) == value.upperBound
    return isLiteral || isCall ? Self.specifier(tokens.literalType(start)) : nil
  }

  /// A name that is reckoned of names of one type and of numbers: `let hours = (seconds % 86_400) / 3600`.
  ///
  /// - Parameter found: The names before it.
  private func reckoned(_ name: Int, _ found: [String: String?]) -> String? {
    guard tokens.isToken(name + 1, "="), tokens.kind(name + 2) != nil else { return nil }
    let value = name + 2..<tokens.valueEnd(name + 2)
    // An operator between operands.
    guard value.count > 2, !value.contains(where: { tokens.kind($0) == .string }) else { return nil }
    var specifiers: Set<String> = []
    var isOperand = true
    for index in value where !tokens.isToken(index, "(") && !tokens.isToken(index, ")") {
      if isOperand {
        guard tokens.kind(index) == .word else { return nil }
        if !isNumber(index) {
          guard case .some(.some(let specifier)) = found[tokens.string(index)] else { return nil }
          specifiers.insert(specifier)
        }
      } else {
        guard (["+", "-", "*", "/", "%"] as [StaticString]).contains(where: { tokens.isToken(index, $0) }) else {
          return nil
        }
      }
      isOperand.toggle()
    }
    return !isOperand && specifiers.count == 1 ? specifiers.first : nil
  }

  /// A name that goes through whole numbers: `for index in 0..<9`, `ForEach([3, 6]) { months in`.
  private func counted(_ name: Int) -> String? {
    guard tokens.isToken(name + 1, "in") else { return nil }
    if tokens.isToken(name - 1, "for") { return isNumber(name + 2) && tokens.isToken(name + 3, ".") ? "%lld" : nil }
    guard tokens.isToken(name - 1, "{"), tokens.isToken(name - 2, ")") else { return nil }
    let open = Int(tokens.all[name - 2].partner)
    guard open > 0, tokens.isToken(open - 1, "ForEach") else { return nil }
    let isList = tokens.isToken(open + 1, "[") && isNumber(open + 2)
    let isRange = isNumber(open + 1) && tokens.isToken(open + 2, ".") && tokens.isToken(open + 3, ".")
    return isList || isRange ? "%lld" : nil
  }

  private func isNumber(_ index: Int) -> Bool { tokens.literalType(index) == .named("Int") }

  private static func specifier(_ type: SwiftType) -> String? {
    guard case .named(let name) = type else { return nil }
    return types[name]
  }
}
