/// A Lua program: its expressions and statements as flat tables, names resolved.
///
/// Nodes refer to others by index. An expression follows its parts, so a pass from the first to the last meets
/// parts before wholes and declarations before uses, without recursion: chains like `a + b + c + …` nest without bound.
package struct LuaChunk: Sendable {
  package typealias ExpressionID = Int
  package typealias BlockID = Int
  package typealias FunctionID = Int
  package typealias LocalID = Int

  package enum Unary: String, Sendable { case not, minus = "-", length = "#", complement = "~" }

  package enum Binary: String, Sendable {
    case or, and
    case less = "<"
    case greater = ">"
    case lessEqual = "<="
    case greaterEqual = ">="
    case notEqual = "~="
    case equal = "=="
    case bitOr = "|"
    case bitXor = "~"
    case bitAnd = "&"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case concat = ".."
    case plus = "+"
    case minus = "-"
    case multiply = "*"
    case divide = "/"
    case floorDivide = "//"
    case modulo = "%"
    case power = "^"
  }

  package struct Expression: Sendable {
    package enum Kind: Sendable {
      case `nil`, `true`, `false`, vararg
      case integer(Int64)
      case float(Double)
      /// An index into `strings`.
      case string(Int)
      case function(FunctionID)
      case local(LocalID)
      /// An index into `names`; a field of `_ENV`, which is the globals unless the program declares its own.
      case global(Int, isOwnEnvironment: Bool)
      /// `isDotted`: written `a.b`, the key being a string then.
      case index(ExpressionID, key: ExpressionID, isDotted: Bool)
      case call(ExpressionID, arguments: Range<Int>)
      /// `object:name(…)`; the name is an index into `names`.
      case method(ExpressionID, name: Int, arguments: Range<Int>)
      case parenthesised(ExpressionID)
      case unary(Unary, ExpressionID)
      case binary(Binary, ExpressionID, ExpressionID)
      /// Keys and values in turn in `lists`; a key of -1 is none.
      case table(Range<Int>)
    }

    package var kind: Kind
    package var range: Range<Int>
    /// The function that it stands in.
    package var function: FunctionID
    /// Tells whether it is assigned to rather than read.
    package var isTarget = false
  }

  package struct Statement: Sendable {
    package enum Kind: Sendable {
      case local(Range<LocalID>, values: Range<Int>)
      case assign(targets: Range<Int>, values: Range<Int>)
      case call(ExpressionID)
      case `do`(BlockID)
      case `while`(ExpressionID, BlockID)
      case `repeat`(BlockID, ExpressionID)
      /// Conditions and blocks in turn in `lists`; the condition of `else` is -1.
      case `if`(Range<Int>)
      case numericFor(LocalID, bounds: Range<Int>, BlockID)
      case genericFor(Range<LocalID>, values: Range<Int>, BlockID)
      case function(target: ExpressionID, FunctionID, isMethod: Bool)
      case localFunction(LocalID, FunctionID)
      case `return`(Range<Int>)
      case `break`
      case goto(Int)
      case label(Int)
      case empty
    }

    package var kind: Kind
    package var range: Range<Int>
    package var function: FunctionID
    package var block: BlockID
  }

  package struct Block: Sendable {
    package var statements: [Int] = []
    package var range: Range<Int> = 0..<0
    package var parent: BlockID?
  }

  package struct Function: Sendable {
    package var parent: FunctionID?
    package var parameters: Range<LocalID>
    package var isVararg: Bool
    /// Tells whether it was declared with a colon; the first parameter is `self` then.
    package var isMethod: Bool
    package var body: BlockID
    /// From the word `function` to its `end`.
    package var range: Range<Int>
    package var hasGoto = false
  }

  package struct Local: Sendable {
    package enum Kind: Sendable { case plain, parameter, selfParameter, loop, function }
    package enum Attribute: Sendable { case none, const, close }
    package var name: Int
    package var kind: Kind
    package var attribute = Attribute.none
    /// The place of the declaration of the name.
    package var range: Range<Int>
    package var function: FunctionID
    package var reads = 0
    package var writes = 0
    /// The local of an outer block, or of the same, with the same name that it hides.
    package var hides: LocalID?
    /// The value that it begins with, where that is one expression of its own.
    package var value: ExpressionID?
  }

  package let source: LuaSource
  package internal(set) var names: [String] = []
  package internal(set) var strings: [[UInt8]] = []
  package internal(set) var expressions: [Expression] = []
  package internal(set) var statements: [Statement] = []
  package internal(set) var blocks: [Block] = []
  /// The first is the file itself.
  package internal(set) var functions: [Function] = []
  package internal(set) var locals: [Local] = []
  /// The lists of expressions and blocks.
  package internal(set) var lists: [Int] = []
  package internal(set) var comments: [Range<Int>] = []
  package internal(set) var longStrings: [Range<Int>] = []

  init(source: LuaSource) {
    self.source = source
  }

  /// Reads a program.
  ///
  /// Exactly the programs are taken that `luac` 5.4 takes, but for precompiled code and what is longer than 1 MiB.
  ///
  /// - Throws: `LuaSyntaxError` with the place of the first token that cannot be there.
  /// - Source: Lua 5.4 reference manual, section 9; `lparser.c` for limits and rules of scope.
  package init(_ source: LuaSource) throws(LuaSyntaxError) {
    let first = 0..<min(source.bytes.count, 1)
    guard source.bytes.count <= LuaSource.largest else {
      throw LuaSyntaxError(.tooLarge, first, found: "\(source.bytes.count)", expected: "\(LuaSource.largest)")
    }
    guard !source.isBytecode else { throw LuaSyntaxError(.bytecode, first) }
    var parser = LuaParser(source)
    self = try parser.parse()
  }

  /// The bytes of a string literal as text; nil where the expression is none.
  package func string(_ id: ExpressionID) -> String? {
    guard case .string(let index) = expressions[id].kind else { return nil }
    return String(decoding: strings[index], as: UTF8.self)
  }

  /// The name of a global that an expression reads; nil where it is something else.
  package func global(_ id: ExpressionID) -> String? {
    guard case .global(let name, false) = expressions[id].kind else { return nil }
    return names[name]
  }

  package func name(of local: LocalID) -> String { names[locals[local].name] }
}
