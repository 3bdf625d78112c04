/// Reads Lua 5.4 by recursive descent, resolving names as it goes.
///
/// - Source: Lua 5.4 reference manual, section 9; `lparser.c` for limits and rules of scope.
struct LuaParser {
  /// The greatest depth of statements and expressions: 200 levels of the reference implementation, of which the caller
  /// has one.
  static let deepest = 198

  var lexer: LuaLexer
  var token = LuaToken(kind: .endOfFile, start: 0, end: 0)
  var ahead: LuaToken?
  var lastEnd = 0
  var chunk: LuaChunk
  var scopes: [LuaScope] = []
  var depth = 0
  var currentBlock = 0
  private let environmentName: Int
  let selfName: Int

  init(_ source: LuaSource) {
    lexer = LuaLexer(source)
    environmentName = Int(lexer.intern("_ENV"))
    selfName = Int(lexer.intern("self"))
    chunk = LuaChunk(source: source)
  }

  var scope: LuaScope {
    get { scopes[scopes.count - 1] }
    _modify { yield &scopes[scopes.count - 1] }
  }

  mutating func parse() throws(LuaSyntaxError) -> LuaChunk {
    scopes.append(LuaScope(function: 0, isVararg: true))
    // The environment is the file's own upvalue.
    scope.upvalues.append((-1, -1))
    chunk.functions.append(
      .init(
        parent: nil, parameters: 0..<0, isVararg: true, isMethod: false, body: 0,
        range: 0..<chunk.source.bytes.count))
    enter(isLoop: false)
    try advance()
    let body = try block(ownScope: false)
    chunk.functions[0].body = body
    guard token.kind == .endOfFile else { throw unexpected("<eof>") }
    try leave()
    for expression in chunk.expressions {
      guard case .local(let local) = expression.kind else { continue }
      if expression.isTarget { chunk.locals[local].writes += 1 } else { chunk.locals[local].reads += 1 }
    }
    chunk.names = lexer.names
    chunk.strings = lexer.strings
    chunk.comments = lexer.comments
    chunk.longStrings = lexer.longStrings
    return chunk
  }

  // MARK: Tokens

  mutating func advance() throws(LuaSyntaxError) {
    lastEnd = token.end
    if let next = ahead {
      token = next
      ahead = nil
    } else {
      token = try lexer.next()
    }
  }

  mutating func peek() throws(LuaSyntaxError) -> LuaToken.Kind {
    if let ahead { return ahead.kind }
    let next = try lexer.next()
    ahead = next
    return next.kind
  }

  mutating func take(_ kind: LuaToken.Kind) throws(LuaSyntaxError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  mutating func expect(_ kind: LuaToken.Kind) throws(LuaSyntaxError) {
    guard try take(kind) else { throw unexpected(Self.quoted(kind)) }
  }

  /// Takes what closes something that was opened at `opened`.
  mutating func close(_ kind: LuaToken.Kind, opened: LuaToken) throws(LuaSyntaxError) {
    if try take(kind) { return }
    var error = unexpected(Self.quoted(kind))
    let line = lexerLine(opened.start)
    if line != lexerLine(token.start) {
      error = LuaSyntaxError(
        .unclosed, error.range, found: error.found, expected: error.expected, openedAt: line)
    }
    throw error
  }

  mutating func name() throws(LuaSyntaxError) -> LuaToken {
    let name = token
    guard name.kind == .name else { throw unexpected("<name>") }
    try advance()
    return name
  }

  func lexerLine(_ offset: Int) -> Int { chunk.source.lineIndex(of: offset) + 1 }

  func unexpected(_ expected: String) -> LuaSyntaxError {
    let text = chunk.source.text(token.start..<min(token.end, token.start + 40))
    let found = token.kind == .endOfFile ? "<eof>" : "'\(text)'"
    return LuaSyntaxError(.unexpected, token.range, found: found, expected: expected)
  }

  static func quoted(_ kind: LuaToken.Kind) -> String {
    kind.rawValue.hasPrefix("<") && kind.rawValue.hasSuffix(">") ? kind.rawValue : "'\(kind.rawValue)'"
  }

  /// Goes one level deeper; whoever calls it goes back up by `depth -= 1`.
  mutating func deepen() throws(LuaSyntaxError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw LuaSyntaxError(.tooDeep, token.range, found: "\(depth)", expected: "\(Self.deepest)")
    }
  }

  // MARK: Nodes

  mutating func add(
    _ kind: LuaChunk.Expression.Kind, _ range: Range<Int>, function: Int? = nil
  ) -> LuaChunk.ExpressionID {
    chunk.expressions.append(.init(kind: kind, range: range, function: function ?? scope.function))
    return chunk.expressions.count - 1
  }

  mutating func list(_ items: [Int]) -> Range<Int> {
    let start = chunk.lists.count
    chunk.lists += items
    return start..<chunk.lists.count
  }

  /// The expression of a name.
  mutating func variable(_ token: LuaToken) throws(LuaSyntaxError) -> LuaChunk.ExpressionID {
    if let local = try resolve(Int(token.payload)) { return add(.local(local), token.range) }
    // `_ENV` itself is a variable of every file.
    let environment = try resolve(environmentName)
    if environment == nil { try useEnvironment() }
    if let environment { chunk.locals[environment].reads += 1 }
    return add(.global(Int(token.payload), isOwnEnvironment: environment != nil), token.range)
  }

  /// Statements up to a word that ends a block.
  ///
  /// - Parameter ownScope: Whether locals end with it; else whoever calls it has entered a scope.
  mutating func block(ownScope: Bool = true, isLoop: Bool = false) throws(LuaSyntaxError) -> LuaChunk.BlockID {
    let id = chunk.blocks.count
    let outer = currentBlock
    chunk.blocks.append(.init(parent: id == 0 ? nil : outer))
    currentBlock = id
    if ownScope { enter(isLoop: isLoop) }
    let start = token.start
    var statements: [Int] = []
    while !endsBlock(withUntil: true) {
      let isReturn = token.kind == .return
      statements.append(try statement())
      if isReturn { break }
    }
    chunk.blocks[id].statements = statements
    chunk.blocks[id].range = start..<max(start, token.start)
    if ownScope { try leave() }
    currentBlock = outer
    return id
  }

  func endsBlock(withUntil: Bool) -> Bool {
    switch token.kind {
    case .else, .elseif, .end, .endOfFile: true
    case .until: withUntil
    default: false
    }
  }
}
