extension LuaParser {
  mutating func statement() throws(LuaSyntaxError) -> Int {
    try deepen()
    let first = token
    let registers = scope.registers
    let kind = try statementKind()
    switch kind {
    // Only these leave locals behind.
    case .local, .localFunction: break
    default: scope.registers = registers
    }
    depth -= 1
    chunk.statements.append(
      .init(
        kind: kind, range: first.start..<max(first.start, lastEnd), function: scope.function, block: currentBlock))
    return chunk.statements.count - 1
  }

  private mutating func statementKind() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = token
    switch first.kind {
    case .semicolon:
      try advance()
      return .empty
    case .if: return try ifStatement()
    case .while: return try whileStatement()
    case .do:
      try advance()
      let body = try block()
      try close(.end, opened: first)
      return .do(body)
    case .for: return try forStatement()
    case .repeat: return try repeatStatement()
    case .function: return try functionStatement()
    case .local:
      try advance()
      return try take(.function) ? try localFunction(first) : try localStatement()
    case .doubleColon: return try labelStatement()
    case .return: return try returnStatement()
    case .break:
      try advance()
      try jump(to: -1, first.range)
      return .break
    case .goto:
      try advance()
      let name = try self.name()
      try jump(to: Int(name.payload), first.start..<name.end)
      chunk.functions[scope.function].hasGoto = true
      return .goto(Int(name.payload))
    default: return try expressionStatement()
    }
  }

  private mutating func condition() throws(LuaSyntaxError) -> Int {
    let registers = scope.registers
    let condition = try expression()
    scope.registers = registers
    return condition
  }

  private mutating func ifStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = token
    var branches: [Int] = []
    repeat {
      try advance()
      branches.append(try condition())
      try expect(.then)
      branches.append(try block())
    } while token.kind == .elseif
    if try take(.else) { branches += [-1, try block()] }
    try close(.end, opened: first)
    return .if(list(branches))
  }

  private mutating func whileStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = token
    try advance()
    let condition = try condition()
    try expect(.do)
    let body = try block(isLoop: true)
    try close(.end, opened: first)
    return .while(condition, body)
  }

  private mutating func repeatStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = token
    try advance()
    enter(isLoop: true)
    enter(isLoop: false)
    let body = try block(ownScope: false)
    try close(.until, opened: first)
    // The condition sees the locals of the block.
    let condition = try condition()
    try leave()
    try leave()
    return .repeat(body, condition)
  }

  private mutating func forStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = token
    enter(isLoop: true)
    try advance()
    let name = try self.name()
    let kind: LuaChunk.Statement.Kind
    switch token.kind {
    case .assign: kind = try numericFor(name)
    case .comma, .in: kind = try genericFor(name)
    default: throw unexpected("'=' / 'in'")
    }
    try close(.end, opened: first)
    try leave()
    return kind
  }

  private mutating func numericFor(_ name: LuaToken) throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let local = try declare(name, .loop, pending: 3)
    try advance()
    let registers = scope.registers
    var bounds = [try expression()]
    try toNextRegister(from: registers)
    try expect(.comma)
    bounds.append(try expression())
    try toNextRegister(from: registers + 1)
    if try take(.comma) { bounds.append(try expression()) }
    try toNextRegister(from: registers + 2)
    try activateHidden(3)
    return .numericFor(local, bounds: list(bounds), try forBody(local..<local + 1))
  }

  private mutating func genericFor(_ name: LuaToken) throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let firstLocal = try declare(name, .loop, pending: 4)
    while try take(.comma) {
      let pending = 4 + chunk.locals.count - firstLocal
      _ = try declare(try self.name(), .loop, pending: pending)
    }
    let locals = firstLocal..<chunk.locals.count
    try expect(.in)
    let registers = scope.registers
    let values = try expressions()
    scope.registers = registers
    try reserve(4)
    try activateHidden(4)
    try reserve(3)
    scope.registers -= 3
    let range = list(values)
    return .genericFor(locals, values: range, try forBody(locals))
  }

  private mutating func forBody(_ locals: Range<Int>) throws(LuaSyntaxError) -> LuaChunk.BlockID {
    try expect(.do)
    enter(isLoop: false)
    activate(locals)
    try reserve(locals.count)
    let body = try block()
    try leave()
    return body
  }

  private mutating func functionStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = token
    try advance()
    let start = token.start
    var target = try variable(try name())
    var isMethod = false
    while token.kind == .dot || token.kind == .colon, !isMethod {
      isMethod = token.kind == .colon
      try advance()
      let name = try self.name()
      lexer.strings.append(Array(lexer.names[Int(name.payload)].utf8))
      let key = add(.string(lexer.strings.count - 1), name.range)
      target = add(.index(target, key: key, isDotted: true), start..<lastEnd)
    }
    chunk.expressions[target].isTarget = true
    let function = try functionBody(from: first, isMethod: isMethod)
    try checkWritable(target)
    return .function(target: target, function, isMethod: isMethod)
  }

  private mutating func localFunction(_ first: LuaToken) throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let local = try declare(try name(), .function, pending: 0)
    activate(local..<local + 1)
    try reserve(1)
    return .localFunction(local, try functionBody(from: first, isMethod: false))
  }

  private mutating func localStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let firstLocal = chunk.locals.count
    var hasClose = false
    repeat {
      let local = try declare(try name(), .plain, pending: chunk.locals.count - firstLocal)
      if try take(.less) {
        let attribute = try name()
        try expect(.greater)
        switch lexer.names[Int(attribute.payload)] {
        case "const": chunk.locals[local].attribute = .const
        case "close":
          guard !hasClose else { throw LuaSyntaxError(.closeTwice, attribute.range, found: "<close>") }
          hasClose = true
          chunk.locals[local].attribute = .close
        case let other:
          throw LuaSyntaxError(.unknownAttribute, attribute.range, found: "<\(other)>", expected: "<const> / <close>")
        }
      }
    } while try take(.comma)
    let locals = firstLocal..<chunk.locals.count
    let registers = scope.registers
    let values = try take(.assign) ? try expressions() : []
    for (local, value) in zip(locals, values) { chunk.locals[local].value = value }
    let isCompileTime =
      locals.count == values.count && chunk.locals[locals.upperBound - 1].attribute == .const
      && isConstant(values[values.count - 1])
    scope.registers = registers
    try reserve(locals.count - (isCompileTime ? 1 : 0))
    activate(locals, lastIsCompileTime: isCompileTime)
    return .local(locals, values: list(values))
  }

  /// Tells whether the compiler knows the value of an expression.
  private func isConstant(_ id: Int) -> Bool {
    switch chunk.expressions[id].kind {
    case .nil, .true, .false, .integer, .float, .string: true
    case .unary(.minus, let operand), .unary(.complement, let operand): isConstant(operand)
    case .local(let local): scopes.contains { $0.variables.contains { $0.local == local && $0.isCompileTime } }
    default: false
    }
  }

  private mutating func labelStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    try advance()
    let name = try self.name()
    try expect(.doubleColon)
    let end = lastEnd
    // Empty statements and further labels belong to the label: `::a:: ;;; ::b::`.
    while token.kind == .semicolon || token.kind == .doubleColon { _ = try statement() }
    try checkLabelIsNew(name)
    try label(Int(name.payload), name.start..<end, isLast: endsBlock(withUntil: false))
    return .label(Int(name.payload))
  }

  private mutating func returnStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    try advance()
    var values: [Int] = []
    if !endsBlock(withUntil: true), token.kind != .semicolon { values = try expressions() }
    let range = list(values)
    _ = try take(.semicolon)
    return .return(range)
  }

  private mutating func expressionStatement() throws(LuaSyntaxError) -> LuaChunk.Statement.Kind {
    let first = try suffixed()
    guard token.kind == .assign || token.kind == .comma else {
      switch chunk.expressions[first].kind {
      case .call, .method: return .call(first)
      default: throw unexpected("'='")
      }
    }
    var targets = [first]
    let base = depth
    try checkTarget(first)
    while try take(.comma) {
      let next = try suffixed()
      try deepen()
      try checkTarget(next)
      targets.append(next)
    }
    try expect(.assign)
    let values = try expressions()
    depth = base
    let targetList = list(targets)
    return .assign(targets: targetList, values: list(values))
  }

  private mutating func checkTarget(_ target: Int) throws(LuaSyntaxError) {
    switch chunk.expressions[target].kind {
    case .local, .global, .index: break
    default: throw unexpected("<statement>")
    }
    chunk.expressions[target].isTarget = true
    try checkWritable(target)
  }

  private func checkWritable(_ target: Int) throws(LuaSyntaxError) {
    guard case .local(let local) = chunk.expressions[target].kind, chunk.locals[local].attribute != .none else {
      return
    }
    throw LuaSyntaxError(
      .constAssigned, chunk.expressions[target].range, found: lexer.names[chunk.locals[local].name],
      openedAt: lexerLine(chunk.locals[local].range.lowerBound))
  }
}
