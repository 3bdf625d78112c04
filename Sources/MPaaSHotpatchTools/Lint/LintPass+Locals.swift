extension LintPass {
  /// Finds locals that nothing reads, and those that hide others.
  mutating func checkLocals() {
    let statements = declarations()
    for (id, local) in chunk.locals.enumerated() where hasRoom {
      let name = chunk.name(of: id)
      guard !name.hasPrefix("_") else { continue }
      if local.reads == 0, local.attribute != .close, local.kind == .plain || local.kind == .function {
        let isWritten = local.writes > 0
        add(
          .unusedLocal, .warning, local.range, ["name": name], variant: isWritten ? "written" : nil,
          fix: isWritten ? nil : statements[id].flatMap(removal))
      }
      if let hidden = local.hides, local.kind != .selfParameter, name != "self" {
        let line = chunk.source.lineIndex(of: chunk.locals[hidden].range.lowerBound) + 1
        add(.shadowedLocal, .warning, local.range, ["name": name, "line": "\(line)"])
      }
    }
  }

  /// The statements that declare one local each.
  private func declarations() -> [LuaChunk.LocalID: LuaChunk.Statement] {
    var result: [LuaChunk.LocalID: LuaChunk.Statement] = [:]
    for statement in chunk.statements {
      switch statement.kind {
      case .local(let locals, let values) where locals.count == 1 && items(values).allSatisfy(isInert):
        result[locals.lowerBound] = statement
      case .localFunction(let local, _): result[local] = statement
      default: break
      }
    }
    return result
  }

  /// Tells whether nothing happens where an expression is evaluated.
  private func isInert(_ id: ExpressionID) -> Bool {
    switch chunk.expressions[id].kind {
    case .nil, .true, .false, .integer, .float, .string, .function, .local, .vararg: true
    case .parenthesised(let inner):
      switch chunk.expressions[inner].kind {
      case .nil, .true, .false, .integer, .float, .string, .function, .local, .vararg: true
      default: false
      }
    case .table(let fields): fields.isEmpty
    default: false
    }
  }

  /// Takes a statement away, with its line where nothing else stands there.
  private func removal(_ statement: LuaChunk.Statement) -> LintFix? {
    let bytes = chunk.source.bytes
    var start = statement.range.lowerBound
    var end = statement.range.upperBound
    // A comment would lose its subject; only its author knows whether it should stay.
    if hasComment(in: start..<end) { return nil }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
    var next = end
    while next < bytes.count, LuaLexer.isBlank(bytes[next]) { next += 1 }
    // A bracket would be taken for the arguments of what stands before.
    if next < bytes.count, bytes[next] == UInt8(ascii: "(") { return LintFix(start..<end, ";") }
    if next < bytes.count, bytes[next] == UInt8(ascii: "-") { return LintFix(start..<end, ";") }
    let line = chunk.source.range(ofLine: chunk.source.lineIndex(of: start))
    let isFirst = bytes[line.lowerBound..<start].allSatisfy(LuaLexer.isBlank)
    let lastIndex = chunk.source.lineIndex(of: max(end - 1, start))
    let lastLine = chunk.source.range(ofLine: lastIndex)
    guard isFirst, bytes[end..<max(end, lastLine.upperBound)].allSatisfy(LuaLexer.isBlank) else {
      return LintFix(start..<end, ";")
    }
    start = line.lowerBound
    end = lastIndex + 1 < chunk.source.lines.count ? chunk.source.lines[lastIndex + 1] : bytes.count
    return LintFix(start..<end, "")
  }

  private func hasComment(in range: Range<Int>) -> Bool {
    var low = 0
    var high = chunk.comments.count
    while low < high {
      let middle = (low + high) / 2
      if chunk.comments[middle].lowerBound < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < chunk.comments.count && chunk.comments[low].lowerBound < range.upperBound
  }

  /// Makes a global local where every use follows the one statement that writes it, in the same block.
  func declaration(of name: String) -> LintFix? {
    guard let writes = globalWrites[name], writes.count == 1, !globalsElsewhere.contains(name),
      globalUses["_G"] == nil, let writer = writers[writes[0]]
    else { return nil }
    let statement = chunk.statements[writer]
    let block = chunk.blocks[statement.block].range
    guard statement.function != 0 || statement.block == chunk.functions[0].body else { return nil }
    let isFunction = if case .function = statement.kind { true } else { false }
    for id in globalUses[name] ?? [] where id != writes[0] {
      let use = chunk.expressions[id]
      let isInBody = isFunction && statement.range.contains(use.range.lowerBound)
      guard isInBody || use.range.lowerBound >= statement.range.upperBound, use.range.lowerBound < block.upperBound,
        // A function may run when another call of this one has written the global anew; the file itself runs once.
        use.function == statement.function || statement.function == 0
      else { return nil }
    }
    return LintFix(statement.range.lowerBound..<statement.range.lowerBound, "local ")
  }

  /// Finds blanks at ends of lines, but for those that are content of long strings.
  mutating func checkLineEnds() {
    let source = chunk.source
    var strings = chunk.longStrings[...]
    for index in source.lines.indices where hasRoom {
      let line = source.range(ofLine: index)
      var start = line.upperBound
      while start > line.lowerBound, source.bytes[start - 1] == 0x20 || source.bytes[start - 1] == 0x09 { start -= 1 }
      guard start < line.upperBound else { continue }
      while let first = strings.first, first.upperBound <= start { strings.removeFirst() }
      if let first = strings.first, first.lowerBound < line.upperBound { continue }
      // A string may go on behind an escaped line's end.
      if start > line.lowerBound, source.bytes[start - 1] == UInt8(ascii: "\\") { continue }
      add(.trailingSpace, .note, start..<line.upperBound, fix: LintFix(start..<line.upperBound, ""))
    }
  }
}
