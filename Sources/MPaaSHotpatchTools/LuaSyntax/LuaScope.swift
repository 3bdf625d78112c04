/// The parser's knowledge of a function that it is in.
///
/// - Source: Lua 5.4, `lparser.c`: `FuncState`, `BlockCnt`, `Labeldesc`.
struct LuaScope {
  struct Variable {
    let name: Int
    let local: Int
    /// A constant known when compiling, which takes no register and is no upvalue.
    var isCompileTime = false
  }

  struct Level {
    let isLoop: Bool
    let variables: Int
    let firstLabel: Int
    let firstJump: Int
    /// The registers that locals outside have.
    let registers: Int
  }

  struct Label {
    let name: Int
    let range: Range<Int>
    var variables: Int
  }

  let function: Int
  var isVararg: Bool
  var variables: [Variable] = []
  var levels: [Level] = []
  var labels: [Label] = []
  /// Jumps forward whose label has not come yet; the name of a `break` is -1.
  var jumps: [Label] = []
  /// Names of outer locals in use, and what they are; of the environment -1.
  var upvalues: [(name: Int, local: Int)] = []
  /// All locals that it ever had.
  var declared = 0
  var registers = 0

  init(function: Int, isVararg: Bool) {
    self.function = function
    self.isVararg = isVararg
  }
}

extension LuaParser {
  static let mostLocals = 200
  static let mostUpvalues = 255
  static let mostRegisters = 254
  /// Labels, pending jumps, and locals of a whole function.
  static let mostEntries = 32767

  // MARK: Locals

  mutating func declare(
    _ token: LuaToken, _ kind: LuaChunk.Local.Kind, pending: Int
  ) throws(LuaSyntaxError) -> LuaChunk.LocalID {
    guard scope.variables.count + pending < Self.mostLocals else { throw limit("local variables", Self.mostLocals) }
    guard scope.declared < Self.mostEntries else { throw limit("local variables", Self.mostEntries) }
    scope.declared += 1
    chunk.locals.append(
      .init(name: Int(token.payload), kind: kind, range: token.range, function: scope.function))
    return chunk.locals.count - 1
  }

  /// Begins the scope of locals; from here names mean them.
  mutating func activate(_ locals: Range<LuaChunk.LocalID>, lastIsCompileTime: Bool = false) {
    for local in locals {
      let name = chunk.locals[local].name
      chunk.locals[local].hides = visible(name)
      scope.variables.append(
        .init(name: name, local: local, isCompileTime: lastIsCompileTime && local == locals.upperBound - 1))
    }
  }

  /// Locals that Lua makes for loops and that no name reaches.
  mutating func activateHidden(_ count: Int) throws(LuaSyntaxError) {
    scope.declared += count
    scope.variables += Array(repeating: LuaScope.Variable(name: -2, local: -1), count: count)
  }

  private func visible(_ name: Int) -> LuaChunk.LocalID? {
    for scope in scopes.reversed() {
      if let found = scope.variables.last(where: { $0.name == name }) { return found.local }
    }
    return nil
  }

  /// The meaning of a name here; nil where it is a global.
  mutating func resolve(_ name: Int) throws(LuaSyntaxError) -> LuaChunk.LocalID? {
    try resolve(name, in: scopes.count - 1)?.local
  }

  private mutating func resolve(_ name: Int, in depth: Int) throws(LuaSyntaxError) -> LuaScope.Variable? {
    guard depth >= 0 else { return nil }
    if let found = scopes[depth].variables.last(where: { $0.name == name }) { return found }
    if let known = scopes[depth].upvalues.first(where: { $0.name == name }) {
      return .init(name: name, local: known.local)
    }
    guard let outer = try resolve(name, in: depth - 1) else { return nil }
    if !outer.isCompileTime { try addUpvalue(name, outer.local, to: depth) }
    return outer
  }

  private mutating func addUpvalue(_ name: Int, _ local: Int, to depth: Int) throws(LuaSyntaxError) {
    guard scopes[depth].upvalues.count < Self.mostUpvalues else { throw limit("upvalues", Self.mostUpvalues) }
    scopes[depth].upvalues.append((name, local))
  }

  /// Notes that a global is used: every function around needs the environment for it.
  mutating func useEnvironment() throws(LuaSyntaxError) {
    for depth in scopes.indices.reversed() {
      if scopes[depth].upvalues.contains(where: { $0.local == -1 }) { return }
      try addUpvalue(-1, -1, to: depth)
    }
  }

  // MARK: Blocks

  mutating func enter(isLoop: Bool) {
    scope.levels.append(
      .init(
        isLoop: isLoop, variables: scope.variables.count, firstLabel: scope.labels.count,
        firstJump: scope.jumps.count, registers: scope.registers))
  }

  mutating func leave() throws(LuaSyntaxError) {
    guard let level = scope.levels.last else { return }
    if level.isLoop {
      // All that broke out lands here.
      scope.jumps.replaceSubrange(level.firstJump..., with: scope.jumps[level.firstJump...].filter { $0.name != -1 })
    }
    scope.levels.removeLast()
    scope.variables.removeSubrange(level.variables...)
    scope.labels.removeSubrange(level.firstLabel...)
    scope.registers = level.registers
    if scope.levels.isEmpty {
      if let jump = scope.jumps.first { throw unresolved(jump) }
    } else {
      for index in scope.jumps.indices[level.firstJump...] { scope.jumps[index].variables = level.variables }
    }
  }

  private func unresolved(_ jump: LuaScope.Label) -> LuaSyntaxError {
    guard jump.name >= 0 else {
      return LuaSyntaxError(.breakOutsideLoop, jump.range, found: "break", expected: "<loop>")
    }
    let name = lexer.names[jump.name]
    return LuaSyntaxError(.labelMissing, jump.range, found: "goto \(name)", expected: "::\(name)::")
  }

  // MARK: Labels

  mutating func jump(to name: Int, _ range: Range<Int>) throws(LuaSyntaxError) {
    if name >= 0, scope.labels.contains(where: { $0.name == name }) { return }
    guard scope.jumps.count < Self.mostEntries else { throw limit("labels/gotos", Self.mostEntries) }
    scope.jumps.append(.init(name: name, range: range, variables: scope.variables.count))
  }

  /// - Parameter isLast: Whether nothing but the block's end follows; its locals are out of scope then.
  mutating func label(_ name: Int, _ range: Range<Int>, isLast: Bool) throws(LuaSyntaxError) {
    guard scope.labels.count < Self.mostEntries, let level = scope.levels.last else {
      throw limit("labels/gotos", Self.mostEntries)
    }
    let variables = isLast ? level.variables : scope.variables.count
    scope.labels.append(.init(name: name, range: range, variables: variables))
    for jump in scope.jumps[level.firstJump...] where jump.name == name && jump.variables < variables {
      let hidden = scope.variables[jump.variables].name
      throw LuaSyntaxError(
        .jumpIntoScope, jump.range, found: "goto \(lexer.names[name])",
        expected: hidden >= 0 ? lexer.names[hidden] : "for", openedAt: lexerLine(range.lowerBound))
    }
    scope.jumps.replaceSubrange(level.firstJump..., with: scope.jumps[level.firstJump...].filter { $0.name != name })
  }

  func checkLabelIsNew(_ token: LuaToken) throws(LuaSyntaxError) {
    guard let first = scope.labels.first(where: { $0.name == Int(token.payload) }) else { return }
    let name = lexer.names[first.name]
    throw LuaSyntaxError(
      .labelTwice, token.range, found: "::\(name)::", openedAt: lexerLine(first.range.lowerBound))
  }

  // MARK: Registers

  /// Takes registers as the compiler would; a function has 254.
  mutating func reserve(_ count: Int) throws(LuaSyntaxError) {
    scope.registers += count
    guard scope.registers <= Self.mostRegisters else { throw limit("registers", Self.mostRegisters) }
  }

  func limit(_ what: String, _ most: Int) -> LuaSyntaxError {
    LuaSyntaxError(.limit, token.range, found: what, expected: "\(most)")
  }
}
