extension LuaParser {
  typealias ExpressionID = LuaChunk.ExpressionID

  /// An expression, which may leave a value in a register above those in use.
  mutating func expression() throws(LuaSyntaxError) -> ExpressionID {
    try expression(above: 0)
  }

  private static func binary(_ kind: LuaToken.Kind) -> (operation: LuaChunk.Binary, left: Int, right: Int)? {
    switch kind {
    case .or: (.or, 1, 1)
    case .and: (.and, 2, 2)
    case .less: (.less, 3, 3)
    case .greater: (.greater, 3, 3)
    case .lessEqual: (.lessEqual, 3, 3)
    case .greaterEqual: (.greaterEqual, 3, 3)
    case .notEqual: (.notEqual, 3, 3)
    case .equal: (.equal, 3, 3)
    case .bar: (.bitOr, 4, 4)
    case .tilde: (.bitXor, 5, 5)
    case .ampersand: (.bitAnd, 6, 6)
    case .shiftLeft: (.shiftLeft, 7, 7)
    case .shiftRight: (.shiftRight, 7, 7)
    case .concat: (.concat, 9, 8)
    case .plus: (.plus, 10, 10)
    case .minus: (.minus, 10, 10)
    case .star: (.multiply, 11, 11)
    case .slash: (.divide, 11, 11)
    case .doubleSlash: (.floorDivide, 11, 11)
    case .percent: (.modulo, 11, 11)
    case .caret: (.power, 14, 13)
    default: nil
    }
  }

  private static let unaryPriority = 12

  private static func unary(_ kind: LuaToken.Kind) -> LuaChunk.Unary? {
    switch kind {
    case .not: .not
    case .minus: .minus
    case .tilde: .complement
    case .hash: .length
    default: nil
    }
  }

  private mutating func expression(above limit: Int) throws(LuaSyntaxError) -> ExpressionID {
    try deepen()
    let start = token.start
    let registers = scope.registers
    var left: ExpressionID
    if let operation = Self.unary(token.kind) {
      try advance()
      let operand = try expression(above: Self.unaryPriority)
      scope.registers = registers
      left = add(.unary(operation, operand), start..<lastEnd)
    } else {
      left = try simple()
    }
    while let (operation, leftPriority, rightPriority) = Self.binary(token.kind), leftPriority > limit {
      try advance()
      try hold(left, from: registers, for: operation)
      let right = try expression(above: rightPriority)
      if operation == .concat { try toNextRegister(from: registers + 1) }
      scope.registers = registers + (operation == .concat ? 1 : 0)
      left = add(.binary(operation, left, right), start..<lastEnd)
    }
    depth -= 1
    return left
  }

  /// Keeps the left operand where the right one does not overwrite it.
  private mutating func hold(
    _ left: ExpressionID, from registers: Int, for operation: LuaChunk.Binary
  ) throws(LuaSyntaxError) {
    scope.registers = registers
    switch chunk.expressions[left].kind {
    case .local, .integer, .float, .true, .false, .nil, .string:
      if operation == .concat { try reserve(1) }
    default:
      if operation != .and && operation != .or { try reserve(1) }
    }
  }

  /// Puts the value of the expression just read into the register `base`, and frees those above.
  mutating func toNextRegister(from base: Int) throws(LuaSyntaxError) {
    scope.registers = base
    try reserve(1)
  }

  private mutating func simple() throws(LuaSyntaxError) -> ExpressionID {
    let first = token
    let kind: LuaChunk.Expression.Kind
    switch first.kind {
    case .integer: kind = .integer(first.payload)
    case .float: kind = .float(first.number)
    case .string: kind = .string(Int(first.payload))
    case .nil: kind = .nil
    case .true: kind = .true
    case .false: kind = .false
    case .dots:
      guard scope.isVararg else {
        throw LuaSyntaxError(.varargOutside, first.range, found: "'...'", expected: "function(...)")
      }
      kind = .vararg
    case .openBrace: return try table()
    case .function:
      try advance()
      let function = try functionBody(from: first, isMethod: false)
      try reserve(1)
      return add(.function(function), first.start..<lastEnd)
    default: return try suffixed()
    }
    try advance()
    return add(kind, first.range)
  }

  private mutating func primary() throws(LuaSyntaxError) -> ExpressionID {
    let first = token
    switch first.kind {
    case .name:
      try advance()
      return try variable(first)
    case .openParenthesis:
      try advance()
      let inner = try expression()
      try close(.closeParenthesis, opened: first)
      return add(.parenthesised(inner), first.start..<lastEnd)
    default: throw unexpected("<expression>")
    }
  }

  /// A name or something in parentheses, with fields, indexes and calls behind it.
  mutating func suffixed() throws(LuaSyntaxError) -> ExpressionID {
    let start = token.start
    let registers = scope.registers
    var result = try primary()
    while true {
      switch token.kind {
      case .dot:
        try advance()
        try holdObject(result, from: registers)
        let name = try self.name()
        lexer.strings.append(Array(lexer.names[Int(name.payload)].utf8))
        let key = add(.string(lexer.strings.count - 1), name.range)
        result = add(.index(result, key: key, isDotted: true), start..<lastEnd)
      case .openBracket:
        let opened = token
        try advance()
        try holdObject(result, from: registers)
        let key = try expression()
        try close(.closeBracket, opened: opened)
        result = add(.index(result, key: key, isDotted: false), start..<lastEnd)
      case .colon:
        try advance()
        let name = try self.name()
        scope.registers = registers
        try reserve(2)
        let arguments = try arguments()
        try toNextRegister(from: registers)
        result = add(.method(result, name: Int(name.payload), arguments: arguments), start..<lastEnd)
      case .openParenthesis, .string, .openBrace:
        try toNextRegister(from: registers)
        let arguments = try arguments()
        try toNextRegister(from: registers)
        result = add(.call(result, arguments: arguments), start..<lastEnd)
      default: return result
      }
    }
  }

  /// Keeps the object that is indexed where its key does not overwrite it.
  private mutating func holdObject(_ object: ExpressionID, from registers: Int) throws(LuaSyntaxError) {
    scope.registers = registers
    switch chunk.expressions[object].kind {
    case .local: break
    default: try reserve(1)
    }
  }

  private mutating func arguments() throws(LuaSyntaxError) -> Range<Int> {
    let first = token
    switch first.kind {
    case .string:
      try advance()
      try reserve(1)
      return list([add(.string(Int(first.payload)), first.range)])
    case .openBrace: return list([try table()])
    case .openParenthesis:
      try advance()
      if try take(.closeParenthesis) { return list([]) }
      let items = try expressions()
      try close(.closeParenthesis, opened: first)
      return list(items)
    default: throw unexpected("'('")
    }
  }

  /// Expressions with commas between them, each in a register of its own.
  mutating func expressions() throws(LuaSyntaxError) -> [ExpressionID] {
    let registers = scope.registers
    var items = [try expression()]
    while try take(.comma) {
      try toNextRegister(from: registers + items.count - 1)
      items.append(try expression())
    }
    // More values than one are spread when running.
    try toNextRegister(from: registers + items.count - 1)
    return items
  }

  /// The number of values that the compiler keeps before it stores them into the table.
  private static let fieldsAtOnce = 50

  private mutating func table() throws(LuaSyntaxError) -> ExpressionID {
    let first = token
    try reserve(1)
    let registers = scope.registers
    var fields: [Int] = []
    var pending = 0
    try expect(.openBrace)
    while token.kind != .closeBrace {
      if pending == Self.fieldsAtOnce { pending = 0 }
      scope.registers = registers + pending
      if token.kind == .name, try peek() == .assign {
        let name = try self.name()
        lexer.strings.append(Array(lexer.names[Int(name.payload)].utf8))
        fields.append(add(.string(lexer.strings.count - 1), name.range))
        try expect(.assign)
        fields.append(try expression())
      } else if token.kind == .openBracket {
        let opened = token
        try advance()
        fields.append(try expression())
        try close(.closeBracket, opened: opened)
        try expect(.assign)
        fields.append(try expression())
      } else {
        fields.append(-1)
        fields.append(try expression())
        try toNextRegister(from: registers + pending)
        pending += 1
      }
      if try take(.comma) { continue }
      guard try take(.semicolon) else { break }
    }
    try close(.closeBrace, opened: first)
    scope.registers = registers
    let list = list(fields)
    return add(.table(list), first.start..<lastEnd)
  }

  /// Parameters and statements of a function up to its `end`.
  mutating func functionBody(from opened: LuaToken, isMethod: Bool) throws(LuaSyntaxError) -> LuaChunk.FunctionID {
    let id = chunk.functions.count
    let firstLocal = chunk.locals.count
    chunk.functions.append(
      .init(
        parent: scope.function, parameters: firstLocal..<firstLocal, isVararg: false, isMethod: isMethod, body: 0,
        range: opened.range))
    let paren = token
    try expect(.openParenthesis)
    scopes.append(LuaScope(function: id, isVararg: false))
    enter(isLoop: false)
    if isMethod {
      // It stands nowhere in the text: its place is the bracket.
      let own = LuaToken(kind: .name, start: paren.start, end: paren.end, payload: Int64(selfName))
      _ = try declare(own, .selfParameter, pending: 0)
    }
    let isVararg = try parameters(since: firstLocal)
    let parameters = firstLocal..<chunk.locals.count
    chunk.functions[id].parameters = parameters
    chunk.functions[id].isVararg = isVararg
    scope.isVararg = isVararg
    activate(parameters)
    try reserve(parameters.count)
    try expect(.closeParenthesis)
    chunk.functions[id].body = try block(ownScope: false)
    try close(.end, opened: opened)
    chunk.functions[id].range = opened.start..<lastEnd
    try leave()
    scopes.removeLast()
    return id
  }

  private mutating func parameters(since first: Int) throws(LuaSyntaxError) -> Bool {
    guard token.kind != .closeParenthesis else { return false }
    repeat {
      if try take(.dots) { return true }
      guard token.kind == .name else { throw unexpected("<name>") }
      let name = try self.name()
      _ = try declare(name, .parameter, pending: chunk.locals.count - first)
    } while try take(.comma)
    return false
  }
}
