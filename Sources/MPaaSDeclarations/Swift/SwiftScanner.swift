/// Finds the types of a Swift source.
struct SwiftScanner {
  /// A declaration that is being read.
  private struct Draft {
    let kind: TypeDeclaration.Kind
    let name: String
    let offset: Int
    var inherited: [String] = []
    var properties: [PropertyDeclaration] = []
    var attributes: [String] = []
    var modifiers: [String] = []
    var isGeneric = false
    var conditions: [String] = []
  }

  static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "package", "open", "final", "static", "lazy", "weak", "unowned",
    "override", "required", "convenience", "mutating", "nonmutating", "indirect", "dynamic", "optional", "nonisolated",
    "isolated", "distributed", "prefix", "postfix", "infix", "borrowing", "consuming",
  ]
  private static let members: Set<String> = ["func", "var", "let", "subscript", "init"]

  var lexer: SwiftLexer
  var lines: SourceLines
  private var drafts: [Draft] = []
  /// The drafts whose bodies are open.
  private var open: [Int] = []
  private var conditions = ConditionStack()
  var attributes: [String] = []
  var modifierWords: [String] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    lexer = SwiftLexer(bytes)
    lines = SourceLines(bytes)
  }

  mutating func scan() -> [TypeDeclaration] {
    while true {
      let token = lexer.next()
      switch token.kind {
      case .end: return finished()
      case .word: readWord(token)
      case .directive: readDirective(token)
      case .mark: readMark(token)
      default: forgetPending()
      }
    }
  }

  private mutating func finished() -> [TypeDeclaration] {
    drafts.map { draft in
      let (line, column) = lines.position(of: draft.offset)
      return TypeDeclaration(
        kind: draft.kind, name: draft.name, inherited: draft.inherited, properties: draft.properties,
        attributes: draft.attributes, modifiers: draft.modifiers, isGeneric: draft.isGeneric,
        conditions: draft.conditions, line: line, column: column)
    }
  }

  mutating func forgetPending() {
    attributes = []
    modifierWords = []
  }

  mutating func skipBalanced(_ token: SwiftLexer.Token) {
    lexer.offset = token.range.lowerBound
    lexer.skipBalanced()
  }

  private mutating func readMark(_ token: SwiftLexer.Token) {
    switch token.mark {
    case 0x40: return readAttribute(token)
    case 0x7b, 0x28, 0x5b: skipBalanced(token)
    case 0x7d: _ = open.popLast()
    case 0x2e: if lexer.peek().kind == .word { _ = lexer.next() }
    default: break
    }
    forgetPending()
  }

  private mutating func readAttribute(_ token: SwiftLexer.Token) {
    let start = token.range.upperBound
    var last = lexer.next()
    guard last.kind == .word else { return }
    while lexer.offset < lexer.bytes.count {
      switch lexer.bytes[lexer.offset] {
      case 0x2e:
        _ = lexer.next()
        last = lexer.next()
      case 0x3c: lexer.skipAngles()
      case 0x28:
        lexer.skipBalanced()
        attributes.append(Characters.collapsed(lexer.bytes, start..<lexer.offset))
        return
      default:
        attributes.append(Characters.collapsed(lexer.bytes, start..<lexer.offset))
        return
      }
    }
  }

  private mutating func readDirective(_ token: SwiftLexer.Token) {
    switch lexer.text(token.range) {
    case "#if": conditions.open(restOfLine())
    case "#elseif": conditions.otherwise(restOfLine())
    case "#else": conditions.otherwise(nil)
    case "#endif": conditions.close()
    default: break
    }
    forgetPending()
  }

  private mutating func restOfLine() -> String {
    let start = lexer.offset
    lexer.skipLine()
    let line = lexer.text(start..<lexer.offset)
    let code = line.indices.first { line[$0...].hasPrefix("//") }.map { line[..<$0] } ?? line[...]
    return String(code.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0.isWhitespace }.reversed())
  }

  private mutating func readWord(_ token: SwiftLexer.Token) {
    let word = lexer.text(token.range)
    if Self.modifiers.contains(word) { return readModifier(word, token) }
    switch word {
    case "class" where isBeforeMember(): modifierWords.append("class")
    case "class": readType(.class)
    case "struct": readType(.struct)
    case "enum": readType(.enum)
    case "protocol": readType(.protocol)
    case "extension": readType(.extension)
    case "actor":
      let next = lexer.peek()
      if next.kind == .word, !next.startsLine { readType(.actor) } else { forgetPending() }
    case "var", "let": readBindings(isConstant: word == "let")
    case "import":
      lexer.skipLine()
      forgetPending()
    case "func", "typealias", "associatedtype", "macro":
      _ = lexer.next()
      forgetPending()
    default: forgetPending()
    }
  }

  private mutating func readModifier(_ word: String, _ token: SwiftLexer.Token) {
    if lexer.offset < lexer.bytes.count, lexer.bytes[lexer.offset] == 0x28 {
      lexer.skipBalanced()
      modifierWords.append(lexer.text(token.range.lowerBound..<lexer.offset))
    } else {
      modifierWords.append(word)
    }
  }

  private func isBeforeMember() -> Bool {
    let next = lexer.peek()
    guard next.kind == .word else { return false }
    let word = lexer.text(next.range)
    return Self.members.contains(word) || Self.modifiers.contains(word)
  }

  private mutating func readType(_ kind: TypeDeclaration.Kind) {
    defer { forgetPending() }
    let first = lexer.peek()
    guard first.kind == .word || (kind == .extension && first.mark == 0x5b) else { return }
    _ = lexer.next()
    if first.mark == 0x5b { skipBalanced(first) }
    var name = Characters.collapsed(lexer.bytes, first.range.lowerBound..<lexer.offset)
    var draftIsGeneric = false
    // An extension's name may have dots, and type arguments, which are left out: `Code<Text>.Kind` is `Code.Kind`.
    while lexer.offset < lexer.bytes.count {
      if lexer.bytes[lexer.offset] == 0x2e {
        let dot = lexer.next()
        _ = lexer.next()
        name += Characters.collapsed(lexer.bytes, dot.range.lowerBound..<lexer.offset)
      } else if lexer.bytes[lexer.offset] == 0x3c {
        lexer.skipAngles()
        draftIsGeneric = true
      } else {
        break
      }
    }
    name.removeAll { $0 == "`" }
    let outer = open.last.map { drafts[$0].name + "." } ?? ""
    var draft = Draft(kind: kind, name: outer + name, offset: first.range.lowerBound)
    draft.attributes = attributes
    draft.modifiers = modifierWords
    draft.isGeneric = draftIsGeneric
    draft.conditions = conditions.all
    readHeader(&draft)
  }

  /// Reads what stands between the name and the body.
  private mutating func readHeader(_ draft: inout Draft) {
    var hasClause = false
    while true {
      let token = lexer.next()
      switch (token.kind, token.mark) {
      case (.mark, 0x7b):
        drafts.append(draft)
        open.append(drafts.count - 1)
        return
      case (.mark, 0x3a) where !hasClause:
        hasClause = true
        draft.inherited = readInherited()
      case (.mark, 0x3c):
        lexer.offset = token.range.lowerBound
        lexer.skipAngles()
        draft.isGeneric = true
      case (.mark, 0x28), (.mark, 0x5b): skipBalanced(token)
      case (.mark, 0x7d), (.mark, 0x3b), (.end, _), (.directive, _):
        // No body: what can be told of it stays.
        lexer.offset = token.range.lowerBound
        drafts.append(draft)
        return
      default: break
      }
    }
  }

  /// The types behind the colon, up to `where` or the body.
  private mutating func readInherited() -> [String] {
    var types: [String] = []
    var start: Int?
    var end = 0
    func finish() {
      if let start { types.append(Characters.collapsed(lexer.bytes, start..<end)) }
    }
    while true {
      let token = lexer.peek()
      let isWhere = token.kind == .word && lexer.text(token.range) == "where"
      if isWhere || token.kind == .end || token.kind == .directive || [0x7b, 0x7d, 0x3b].contains(token.mark) {
        finish()
        return types
      }
      _ = lexer.next()
      switch token.mark {
      case 0x2c:
        finish()
        start = nil
        continue
      case 0x28, 0x5b: skipBalanced(token)
      case 0x3c:
        lexer.offset = token.range.lowerBound
        lexer.skipAngles()
      default: break
      }
      if start == nil { start = token.range.lowerBound }
      end = lexer.offset
    }
  }

  mutating func add(_ property: PropertyDeclaration) {
    guard let last = open.last else { return }
    drafts[last].properties.append(property)
  }
}

/// The conditions that are in force at a place of a source.
struct ConditionStack {
  private var stack: [(earlier: [String], current: String)] = []

  /// The conditions that must hold, outermost first.
  var all: [String] { stack.map(\.current) }

  mutating func open(_ condition: String) { stack.append(([condition], condition)) }

  mutating func otherwise(_ condition: String?) {
    guard let last = stack.popLast() else { return }
    let not = last.earlier.map { "!(\($0))" }
    let own = condition.map { ["(\($0))"] } ?? []
    stack.append((last.earlier + (condition.map { [$0] } ?? []), (not + own).joined(separator: " && ")))
  }

  mutating func close() { _ = stack.popLast() }
}
