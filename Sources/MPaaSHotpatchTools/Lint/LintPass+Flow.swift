import MPaaSHotpatch

extension LintPass {
  /// The places where control goes from a block or a statement.
  private struct Flow {
    /// Tells whether it may go on behind it.
    var goesOn = true
    var breaks = false
    var returns = false

    mutating func join(_ other: Flow) {
      goesOn = goesOn || other.goesOn
      breaks = breaks || other.breaks
      returns = returns || other.returns
    }
  }

  /// Finds statements that nothing reaches, loops that nothing ends, and replacements that do not return.
  mutating func checkFlow() {
    for (id, function) in chunk.functions.enumerated() {
      let flow = flow(ofBlock: function.body)
      guard flow.goesOn, !function.hasGoto, let replacement = replacements[id],
        let result = replacement.signature?.result
      else { continue }
      switch result {
      case .void, .optional, .any: continue
      default: break
      }
      let end = max(function.range.lowerBound, function.range.upperBound - "end".utf8.count)..<function.range.upperBound
      // Some way through may be one that is never taken.
      add(
        .missingReturn, flow.returns ? .warning : .error, end,
        ["name": replacement.symbol, "expected": result.description], variant: flow.returns ? "some" : nil)
    }
  }

  private mutating func flow(ofBlock block: LuaChunk.BlockID) -> Flow {
    var flow = Flow()
    var isTold = false
    for id in chunk.blocks[block].statements {
      let statement = chunk.statements[id]
      if case .label = statement.kind { flow.goesOn = true }
      if !flow.goesOn, !isTold {
        if case .empty = statement.kind { continue }
        add(.unreachable, .warning, statement.range)
        isTold = true
      }
      let step = self.flow(of: statement)
      flow.breaks = flow.breaks || step.breaks
      flow.returns = flow.returns || step.returns
      flow.goesOn = flow.goesOn && step.goesOn
    }
    return flow
  }

  private mutating func flow(of statement: LuaChunk.Statement) -> Flow {
    switch statement.kind {
    case .return: return Flow(goesOn: false, returns: true)
    case .break: return Flow(goesOn: false, breaks: true)
    case .goto: return Flow(goesOn: false)
    case .do(let body): return flow(ofBlock: body)
    case .if(let branches): return flow(ofBranches: branches)
    case .while(let condition, let body):
      return flow(ofLoop: body, isEndless: isAlways(true, condition), statement)
    case .repeat(let body, let condition):
      return flow(ofLoop: body, isEndless: isAlways(false, condition), statement)
    case .numericFor(_, _, let body), .genericFor(_, _, let body):
      return Flow(goesOn: true, returns: flow(ofBlock: body).returns)
    case .call(let call):
      guard case .call(let callee, _) = chunk.expressions[call].kind, paths[callee] == "error" else { return Flow() }
      return Flow(goesOn: false)
    default: return Flow()
    }
  }

  private mutating func flow(ofBranches range: Range<Int>) -> Flow {
    var flow = Flow(goesOn: false)
    let branches = Array(items(range))
    for index in stride(from: 0, to: branches.count - 1, by: 2) { flow.join(self.flow(ofBlock: branches[index + 1])) }
    if branches.count < 2 || branches[branches.count - 2] != -1 { flow.goesOn = true }
    return flow
  }

  private mutating func flow(
    ofLoop block: LuaChunk.BlockID, isEndless: Bool, _ statement: LuaChunk.Statement
  ) -> Flow {
    let body = flow(ofBlock: block)
    let ends = body.breaks || body.returns || chunk.functions[statement.function].hasGoto
    if isEndless, !ends {
      let start = statement.range.lowerBound
      let end = chunk.source.range(ofLine: chunk.source.lineIndex(of: start)).upperBound
      // An error in what it calls would end it.
      let calls = hasCall(in: statement.range)
      add(
        .endlessLoop, calls ? .warning : .error, start..<min(max(end, start), statement.range.upperBound),
        variant: calls ? "calls" : nil)
    }
    return Flow(goesOn: !isEndless || body.breaks, returns: body.returns)
  }

  private func isAlways(_ value: Bool, _ condition: ExpressionID) -> Bool {
    switch chunk.expressions[condition].kind {
    case .true, .integer, .float, .string, .table: value
    case .false, .nil: !value
    default: false
    }
  }

  private func hasCall(in range: Range<Int>) -> Bool {
    var low = 0
    var high = callOffsets.count
    while low < high {
      let middle = (low + high) / 2
      if callOffsets[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < callOffsets.count && callOffsets[low] < range.upperBound
  }
}
