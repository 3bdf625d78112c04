import MPaaSHotpatch

extension LintPass {
  /// Checks calls of the app's functions and of originals: how many arguments, and of which types.
  mutating func checkCalls() {
    for id in chunk.expressions.indices {
      guard let (name, signature, arguments) = signature(of: id) else { continue }
      checkCall(id, name, signature, arguments)
    }
    checkMethods()
  }

  private mutating func checkCall(
    _ id: ExpressionID, _ name: String, _ signature: SymbolList.Signature, _ arguments: [ExpressionID]
  ) {
    let wanted = signature.parameters
    let isOpen = arguments.last.map(isOpen) ?? false
    // Arguments that may be nil may be left out at the end.
    let least = wanted.count - wanted.reversed().prefix { if case .optional = $0 { true } else { false } }.count
    let count = arguments.count - (isOpen ? 1 : 0)
    guard count <= wanted.count, isOpen || count >= least else {
      return add(
        .signatureMismatch, .error, chunk.expressions[id].range,
        [
          "name": name, "found": "\(arguments.count)", "expected": "\(wanted.count)", "signature": Self.text(signature),
        ], variant: "arguments")
    }
    for (index, (argument, type)) in zip(arguments, wanted).enumerated() {
      // The last may give several values, of which the first is checked too where its type is known.
      guard !types[argument].fits(type) else { continue }
      add(
        .signatureMismatch, .error, chunk.expressions[argument].range,
        ["name": name, "number": "\(index + 1)", "found": types[argument].name, "expected": type.description],
        variant: "argument-type")
    }
  }

  /// Methods that an object of the app has not.
  private mutating func checkMethods() {
    for expression in chunk.expressions {
      guard case .method(let object, let nameIndex, _) = expression.kind, case .value(let type) = types[object],
        case .object(let owner) = Self.unwrapped(type), let methods = symbols?.types[owner]
      else { continue }
      let name = chunk.names[nameIndex]
      if methods[name] != nil || name.lowercased().hasPrefix("orig") { continue }
      // Wax's classes hand `self` to methods that the patch itself defines.
      if replacements.values.contains(where: { $0.isWax && $0.symbol == "\(owner).\(name)" }) { continue }
      add(
        .symbolUnknown, .error, expression.range, ["name": "\(owner):\(name)", "type": owner], variant: "method")
    }
  }

  /// Checks what replacements return.
  mutating func checkReturns() {
    for statement in chunk.statements {
      guard case .return(let range) = statement.kind, let replacement = replacements[statement.function],
        let signature = replacement.signature
      else { continue }
      checkReturn(statement, Array(items(range)), replacement.symbol, signature.result)
    }
  }

  private mutating func checkReturn(
    _ statement: LuaChunk.Statement, _ values: [ExpressionID], _ symbol: String, _ result: ValueType
  ) {
    if result == .void {
      guard let first = values.first, !isOpen(first), types[first] != .nil else { return }
      return add(
        .signatureMismatch, .warning, statement.range, ["name": symbol, "expected": "void"], variant: "result-ignored")
    }
    guard values.count <= 1 else {
      return add(
        .signatureMismatch, .error, statement.range,
        ["name": symbol, "found": "\(values.count)", "expected": result.description], variant: "results")
    }
    let found = values.first.map { types[$0] } ?? .nil
    guard !found.fits(result) else { return }
    add(
      .signatureMismatch, .error, values.first.map { chunk.expressions[$0].range } ?? statement.range,
      ["name": symbol, "found": found.name, "expected": result.description], variant: "result-type")
  }

  /// Values that are compared and can never be equal, or not be compared at all.
  mutating func checkComparisons() {
    for expression in chunk.expressions {
      guard case .binary(let operation, let left, let right) = expression.kind, let first = types[left].group,
        let second = types[right].group, first != .nil, second != .nil
      else { continue }
      let values = ["left": first.rawValue, "right": second.rawValue, "operator": operation.rawValue]
      switch operation {
      case .equal, .notEqual:
        if first != second { add(.compareTypes, .warning, expression.range, values) }
      case .less, .greater, .lessEqual, .greaterEqual:
        guard first != second || (first != .number && first != .string) else { continue }
        add(.compareTypes, .error, expression.range, values, variant: "order")
      default: break
      }
    }
  }
}
