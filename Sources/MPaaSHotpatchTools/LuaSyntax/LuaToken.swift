/// A word or sign of Lua.
struct LuaToken: Sendable {
  enum Kind: String, Sendable {
    case and, `break`, `do`, `else`, elseif, end, `false`, `for`, function, goto, `if`, `in`, local, `nil`, not, or
    case `repeat`, `return`, then, `true`, until, `while`
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case caret = "^"
    case hash = "#"
    case ampersand = "&"
    case tilde = "~"
    case bar = "|"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case doubleSlash = "//"
    case equal = "=="
    case notEqual = "~="
    case lessEqual = "<="
    case greaterEqual = ">="
    case less = "<"
    case greater = ">"
    case assign = "="
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case doubleColon = "::"
    case semicolon = ";"
    case colon = ":"
    case comma = ","
    case dot = "."
    case concat = ".."
    case dots = "..."
    case name = "<name>"
    case string = "<string>"
    case integer = "<integer>"
    case float = "<number>"
    case endOfFile = "<eof>"
    /// A byte that begins nothing in Lua.
    case unknown = "<unknown>"
  }

  var kind: Kind
  var start: Int
  var end: Int
  /// The index of a name among the names, or of a string among the strings; the bits of an integer.
  var payload: Int64 = 0
  var number: Double = 0

  var range: Range<Int> { start..<end }

  static let keywords: [String: Kind] = {
    let all: [Kind] = [
      .and, .break, .do, .else, .elseif, .end, .false, .for, .function, .goto, .if, .in, .local, .nil, .not, .or,
      .repeat, .return, .then, .true, .until, .while,
    ]
    return Dictionary(all.map { ($0.rawValue, $0) }) { $1 }
  }()
}
