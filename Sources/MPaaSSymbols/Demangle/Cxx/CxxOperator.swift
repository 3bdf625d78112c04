/// The operators of C++ names and expressions.
///
/// Source: Itanium C++ ABI, 5.1.3 "Operator Encodings".
struct CxxOperator {
  enum Shape { case unary, postfix, binary, call, subscripted, conditional, cast, other }

  /// As it follows the word `operator`, with a space where it is a word itself.
  let symbol: String
  let shape: Shape

  /// The operator whose two letters stand at `position`.
  static func at(_ input: [UInt8], _ position: Int) -> CxxOperator? {
    guard position + 2 <= input.count else { return nil }
    return table[UInt16(input[position]) << 8 | UInt16(input[position + 1])]
  }

  private static let table: [UInt16: CxxOperator] = {
    var table: [UInt16: CxxOperator] = [:]
    func add(_ shape: Shape, _ entries: [(StaticString, String)]) {
      for (code, symbol) in entries {
        let key = code.withUTF8Buffer { UInt16($0[0]) << 8 | UInt16($0[1]) }
        table[key] = CxxOperator(symbol: symbol, shape: shape)
      }
    }
    add(
      .unary,
      [
        ("ps", "+"), ("ng", "-"), ("ad", "&"), ("de", "*"), ("co", "~"), ("nt", "!"), ("aw", " co_await"),
      ])
    add(.postfix, [("pp", "++"), ("mm", "--")])
    add(
      .binary,
      [
        ("pl", "+"), ("mi", "-"), ("ml", "*"), ("dv", "/"), ("rm", "%"), ("an", "&"), ("or", "|"), ("eo", "^"),
        ("aS", "="), ("pL", "+="), ("mI", "-="), ("mL", "*="), ("dV", "/="), ("rM", "%="), ("aN", "&="),
        ("oR", "|="), ("eO", "^="), ("ls", "<<"), ("rs", ">>"), ("lS", "<<="), ("rS", ">>="), ("eq", "=="),
        ("ne", "!="), ("lt", "<"), ("gt", ">"), ("le", "<="), ("ge", ">="), ("ss", "<=>"), ("aa", "&&"),
        ("oo", "||"), ("cm", ","), ("pm", "->*"), ("pt", "->"), ("dt", "."), ("ds", ".*"),
      ])
    add(.call, [("cl", "()")])
    add(.subscripted, [("ix", "[]")])
    add(.conditional, [("qu", "?")])
    add(.cast, [("dc", "dynamic_cast"), ("sc", "static_cast"), ("cc", "const_cast"), ("rc", "reinterpret_cast")])
    add(.other, [("nw", " new"), ("na", " new[]"), ("dl", " delete"), ("da", " delete[]")])
    return table
  }()
}
