import MPaaSHotpatch
import MPaaSSupport

extension LintPass {
  /// Checks what is patched against what the app offers, and how.
  mutating func checkReplacements() {
    for (offset, name) in classes { checkClass(name, at: offset) }
    checkPatchCalls()
    for function in replacements.keys.sorted() {
      guard let replacement = replacements[function] else { continue }
      if replacement.isWax { checkSelf(function, replacement) }
      if let symbols, replacement.signature == nil {
        reportUnknown(replacement.symbol, replacement.range, symbols)
      }
      checkParameters(function, replacement)
    }
    checkOriginals()
  }

  private mutating func reportUnknown(_ symbol: String, _ range: Range<Int>, _ symbols: SymbolList) {
    let near = symbols.closestFunction(to: symbol)
    add(
      .symbolUnknown, .error, range, ["name": symbol, "suggestion": near ?? "", "app": symbols.app],
      variant: near == nil ? nil : "near")
  }

  private mutating func checkClass(_ name: String, at offset: Int) {
    guard let symbols, !symbols.functions.keys.contains(where: { $0.hasPrefix(name + ".") }) else { return }
    let owners = Set(
      symbols.functions.keys.map { $0.split(separator: ".").dropLast().joined(separator: ".") })
    let near = closestMatch(to: name, among: owners.sorted())
    add(
      .symbolUnknown, .error, offset..<offset + "waxClass".utf8.count,
      ["name": name, "suggestion": near ?? "", "app": symbols.app], variant: near == nil ? "class" : "class-near")
  }

  /// `patch` with something else than a name and a function.
  private mutating func checkPatchCalls() {
    let known = Set(replacements.values.filter { !$0.isWax }.map(\.range))
    for expression in chunk.expressions {
      guard case .call(let callee, let arguments) = expression.kind, paths[callee] == "patch" else { continue }
      let items = Array(items(arguments))
      guard items.count >= 2 else {
        if !items.contains(where: isOpen) { add(.waxMisuse, .error, expression.range, variant: "patch-arguments") }
        continue
      }
      guard let name = chunk.string(items[0]) else {
        let isWrong = types[items[0]].group.map { $0 != .string } ?? false
        add(
          isWrong ? .waxMisuse : .symbolUnknown, isWrong ? .error : .warning, chunk.expressions[items[0]].range,
          variant: isWrong ? "patch-arguments" : "dynamic")
        continue
      }
      if let group = types[items[1]].group, group != .function {
        add(.waxMisuse, .error, chunk.expressions[items[1]].range, variant: "patch-arguments")
      }
      // The function may come from elsewhere; its name is known all the same.
      let range = chunk.expressions[items[0]].range
      if let symbols, !known.contains(range), symbols.functions[name] == nil { reportUnknown(name, range, symbols) }
    }
  }

  private mutating func checkSelf(_ function: FunctionID, _ replacement: Replacement) {
    let parameters = chunk.functions[function].parameters
    guard parameters.isEmpty || chunk.name(of: parameters.lowerBound) != "self" else { return }
    if parameters.isEmpty, chunk.functions[function].isVararg { return }
    add(.waxMisuse, .error, replacement.range, ["name": replacement.symbol], variant: "self")
  }

  private mutating func checkParameters(_ function: FunctionID, _ replacement: Replacement) {
    guard let signature = replacement.signature else { return }
    let known = chunk.functions[function]
    let hasSelf = known.parameters.first.map { chunk.name(of: $0) == "self" } ?? false
    let count = known.parameters.count - (replacement.isWax && hasSelf ? 1 : 0)
    let wanted = signature.parameters.count
    guard count != wanted, !(known.isVararg && count < wanted) else { return }
    let last = known.parameters.last.map { chunk.locals[$0].range }
    let start = known.parameters.first.map { chunk.locals[$0].range }
    let range =
      start.map { $0.lowerBound..<(last?.upperBound ?? $0.upperBound) }
      ?? known.range.lowerBound..<known.range.lowerBound + "function".utf8.count
    add(
      .signatureMismatch, .error, range,
      ["name": replacement.symbol, "found": "\(count)", "expected": "\(wanted)", "signature": Self.text(signature)],
      variant: "parameters")
  }

  /// A signature as people read it: `(int, string?) → double`.
  static func text(_ signature: SymbolList.Signature) -> String {
    "(\(signature.parameters.map(\.description).joined(separator: ", "))) → \(signature.result)"
  }

  /// `ORIG` where nothing is replaced, and methods that are meant to be it and are not.
  private mutating func checkOriginals() {
    for (id, expression) in chunk.expressions.enumerated() {
      switch expression.kind {
      case .global where paths[id] == "ORIG" && expression.function == 0 && !expression.isTarget:
        add(.waxMisuse, .error, expression.range, variant: "original-outside")
      case .method(let object, let name, _):
        checkOriginal(chunk.names[name], object, expression)
      case .index(let object, let key, isDotted: true):
        guard let name = chunk.string(key), name.hasPrefix("ORIG"), let around = around(expression, object) else {
          continue
        }
        checkOriginal(name, object, expression)
        checkDotCall(id, name, around.function)
      default: break
      }
    }
  }

  private func around(
    _ expression: LuaChunk.Expression, _ object: ExpressionID
  ) -> (function: FunctionID, replacement: Replacement)? {
    guard let around = replacement(around: expression.function), around.replacement.isWax,
      isSelf(object, of: around.function)
    else { return nil }
    return around
  }

  private mutating func checkOriginal(_ name: String, _ object: ExpressionID, _ expression: LuaChunk.Expression) {
    guard name.lowercased().hasPrefix("orig"), let around = around(expression, object) else { return }
    let owner = around.replacement.symbol.split(separator: ".").dropLast().joined(separator: ".")
    let own = around.replacement.symbol.dropFirst(owner.count + 1)
    if let methods = symbols?.types[owner], methods[name] != nil { return }
    let wanted = String(name.dropFirst(4))
    let offered = symbols.map { symbols in
      symbols.functions.keys.filter { $0.hasPrefix(owner + ".") }.map { String($0.dropFirst(owner.count + 1)) }
    }
    if name.hasPrefix("ORIG") {
      // Without a list only the method's own name is known.
      if wanted == own || offered?.contains(wanted) ?? (closestMatch(to: wanted, among: [String(own)]) == nil) {
        return
      }
    }
    let near = closestMatch(to: wanted, among: (offered ?? []).sorted() + [String(own)]) ?? String(own)
    add(.waxMisuse, .error, expression.range, ["name": name, "suggestion": "ORIG" + near], variant: "original-name")
  }

  /// `self.ORIGtotal(items)` lacks `self`.
  private mutating func checkDotCall(_ id: ExpressionID, _ name: String, _ function: FunctionID) {
    // The call, where it is one, stands right behind its arguments; it is found by what it calls.
    guard let call = callsByCallee[id], case .call(_, let arguments) = chunk.expressions[call].kind else { return }
    if let first = items(arguments).first, isSelf(first, of: function) || isOpen(first) { return }
    add(
      .waxMisuse, .error, chunk.expressions[call].range, ["name": name, "suggestion": "self:\(name)(…)"],
      variant: "dot-call")
  }
}
