import MPaaSHotpatch

extension LintPass {
  private static let longestPath = 256

  /// Finds the dotted names of globals, and who writes them.
  mutating func findPaths() {
    for (id, expression) in chunk.expressions.enumerated() {
      switch expression.kind {
      case .global(let name, isOwnEnvironment: false):
        paths[id] = chunk.names[name]
        globalUses[chunk.names[name], default: []].append(id)
        if expression.isTarget { globalWrites[chunk.names[name], default: []].append(id) }
      case .index(let object, let key, _):
        guard let front = paths[object], let name = chunk.string(key), SymbolList.isName(name), !name.contains("."),
          front.utf8.count + name.utf8.count < Self.longestPath
        else { continue }
        paths[id] = front + "." + name
        fronts[object] = true
      case .call(let callee, _):
        if case .index = chunk.expressions[callee].kind { callsByCallee[callee] = id }
        callOffsets.append(expression.range.lowerBound)
      case .method: callOffsets.append(expression.range.lowerBound)
      default: break
      }
    }
    callOffsets.sort()
    for (index, statement) in chunk.statements.enumerated() {
      switch statement.kind {
      case .function(let target, _, false): writers[target] = index
      case .assign(let targets, let values) where targets.count == 1 && values.count == 1:
        writers[chunk.lists[targets.lowerBound]] = index
      default: break
      }
    }
    for name in (symbols?.exports ?? [:]).keys {
      exportPaths.insert(name)
      for (index, byte) in name.utf8.enumerated() where byte == UInt8(ascii: ".") {
        exportPaths.insert(String(name.prefix(index)))
      }
    }
  }

  /// Finds `patch` and `waxClass`, and the functions that they are about.
  mutating func findReplacements() {
    for statement in chunk.statements {
      switch statement.kind {
      case .localFunction(let local, let function) where chunk.locals[local].writes == 0:
        functionsOfLocals[local] = function
      case .local(let locals, _):
        for local in locals where chunk.locals[local].writes == 0 {
          guard let value = chunk.locals[local].value, case .function(let function) = chunk.expressions[value].kind
          else { continue }
          functionsOfLocals[local] = function
        }
      case .call(let call): findClass(call)
      default: break
      }
    }
    classes.sort { $0.offset < $1.offset }
    for statement in chunk.statements { findMethod(statement) }
    for (id, expression) in chunk.expressions.enumerated() {
      guard case .call(let callee, let arguments) = expression.kind, paths[callee] == "patch", arguments.count >= 2
      else { continue }
      findPatch(id, Array(items(arguments)))
    }
  }

  /// `waxClass{"Cart"}`, `waxClass({"Cart"})`.
  private mutating func findClass(_ id: ExpressionID) {
    guard case .call(let callee, let arguments) = chunk.expressions[id].kind, paths[callee] == "waxClass",
      let first = items(arguments).first, case .table(let fields) = chunk.expressions[first].kind, fields.count >= 2,
      chunk.lists[fields.lowerBound] == -1, let name = chunk.string(chunk.lists[fields.lowerBound + 1])
    else { return }
    classes.append((chunk.expressions[id].range.lowerBound, name))
  }

  /// A global function behind `waxClass` is a method of the class.
  private mutating func findMethod(_ statement: LuaChunk.Statement) {
    let target: ExpressionID
    let function: FunctionID
    switch statement.kind {
    case .function(let written, let body, false): (target, function) = (written, body)
    case .assign(let targets, let values):
      guard targets.count == 1, values.count == 1,
        case .function(let body) = chunk.expressions[chunk.lists[values.lowerBound]].kind
      else { return }
      (target, function) = (chunk.lists[targets.lowerBound], body)
    default: return
    }
    guard let name = chunk.global(target), let owner = waxClass(at: statement.range.lowerBound) else { return }
    let symbol = owner + "." + name
    methodTargets.insert(target)
    methodNames.insert(name)
    replacements[function] = Replacement(
      symbol: symbol, signature: symbols?.functions[symbol], isWax: true, range: chunk.expressions[target].range)
  }

  private mutating func findPatch(_ call: ExpressionID, _ arguments: [ExpressionID]) {
    guard let symbol = chunk.string(arguments[0]) else { return }
    let function: FunctionID
    switch chunk.expressions[arguments[1]].kind {
    case .function(let written): function = written
    case .local(let local):
      guard let held = functionsOfLocals[local] else { return }
      function = held
    default: return
    }
    replacements[function] = Replacement(
      symbol: symbol, signature: symbols?.functions[symbol], isWax: false,
      range: chunk.expressions[arguments[0]].range)
  }
}
