extension SwiftScanner {
  /// Reads what follows `var` or `let`: names, types, first values, accessors.
  mutating func readBindings(isConstant: Bool) {
    defer { forgetPending() }
    repeat {
      let token = lexer.next()
      var binding = Binding()
      if token.mark == 0x28 {
        skipBalanced(token)
      } else if token.kind == .word {
        binding.name = lexer.text(token.range).filter { $0 != "`" }
        binding.offset = token.range.lowerBound
      } else {
        lexer.offset = token.range.lowerBound
        return
      }
      let continues = readBinding(&binding)
      if let name = binding.name, !binding.isComputed { add(property(name, binding, isConstant)) }
      if !continues { return }
    } while true
  }

  private struct Binding {
    var name: String?
    var offset = 0
    var type = ""
    var isComputed = false
  }

  private mutating func property(_ name: String, _ binding: Binding, _ isConstant: Bool) -> PropertyDeclaration {
    var type = binding.type
    var isOptional = false
    if type.hasSuffix("?") || type.hasSuffix("!") {
      (type, isOptional) = (String(type.dropLast()), true)
    } else if type.hasPrefix("Optional<"), type.hasSuffix(">") {
      (type, isOptional) = (String(type.dropFirst(9).dropLast()), true)
    }
    return PropertyDeclaration(
      name: name, type: type, isOptional: isOptional,
      isStatic: modifierWords.contains("static") || modifierWords.contains("class"), isConstant: isConstant,
      attributes: attributes, modifiers: modifierWords, line: lines.position(of: binding.offset).line)
  }

  /// Reads a binding behind its name; true where another one follows its comma.
  private mutating func readBinding(_ binding: inout Binding) -> Bool {
    while true {
      let token = lexer.peek()
      switch token.mark {
      case 0x3a:
        _ = lexer.next()
        binding.type = readPropertyType()
      case 0x3d:
        _ = lexer.next()
        let guess = readValue()
        if binding.type.isEmpty { binding.type = guess }
        return takeComma()
      case 0x7b:
        binding.isComputed = !isObserved()
        _ = lexer.next()
        skipBalanced(token)
        return false
      default: return takeComma()
      }
    }
  }

  private mutating func takeComma() -> Bool {
    guard lexer.peek().mark == 0x2c else { return false }
    _ = lexer.next()
    return true
  }

  /// Tells whether the block that comes holds observers, so that the property is stored.
  private func isObserved() -> Bool {
    var lexer = lexer
    _ = lexer.next()
    let first = lexer.next()
    guard first.kind == .word else { return false }
    return ["willSet", "didSet"].contains(lexer.text(first.range))
  }

  /// The text of a type, up to what cannot belong to it.
  private mutating func readPropertyType() -> String {
    var range: Range<Int>?
    var isOpen = true
    while true {
      let token = lexer.peek()
      if [0x3d, 0x2c, 0x3b, 0x7b, 0x7d, 0x29, 0x5d].contains(token.mark) || [.end, .directive].contains(token.kind) {
        break
      }
      let isJoint = token.kind == .arrow || token.mark == 0x2e || token.mark == 0x26
      if token.startsLine, !isOpen, !isJoint { break }
      _ = lexer.next()
      switch token.mark {
      case 0x28, 0x5b: skipBalanced(token)
      case 0x3c:
        lexer.offset = token.range.lowerBound
        lexer.skipAngles()
      default: break
      }
      isOpen = isJoint || (token.kind == .word && Self.typeWords.contains(lexer.text(token.range)))
      range = (range?.lowerBound ?? token.range.lowerBound)..<lexer.offset
    }
    return range.map { Characters.collapsed(lexer.bytes, $0) } ?? ""
  }

  private static let typeWords: Set<String> = ["any", "some", "throws", "async", "inout", "sending", "borrowing"]
  private static let joiningWords: Set<String> = ["as", "is", "else", "in", "try", "await", "throw", "return"]

  /// Skips the first value of a binding; the type that it tells, or nothing.
  private mutating func readValue() -> String {
    let start = lexer
    var isOpen = true
    while true {
      let token = lexer.peek()
      if [0x3b, 0x7d, 0x29, 0x5d].contains(token.mark) || [.end, .directive].contains(token.kind) && token.startsLine {
        break
      }
      if token.kind == .end || (token.mark == 0x2c && isNextBinding()) { break }
      if token.startsLine, !isOpen, !joins(token) { break }
      _ = lexer.next()
      if [0x7b, 0x28, 0x5b].contains(token.mark) { skipBalanced(token) }
      isOpen = isOperator(token) || (token.kind == .word && Self.joiningWords.contains(lexer.text(token.range)))
    }
    return LiteralType(start, end: lexer.offset).name
  }

  private static let operators = ByteSet("+-*/%=<>&|^~:,")

  private func isOperator(_ token: SwiftLexer.Token) -> Bool {
    token.kind == .arrow || (token.kind == .mark && Self.operators.contains(token.mark))
  }

  /// Tells whether a token that begins a line goes on with the expression before it.
  private func joins(_ token: SwiftLexer.Token) -> Bool {
    if isOperator(token) || [0x2e, 0x3f, 0x7b].contains(token.mark) { return true }
    return token.kind == .word && ["as", "is", "else"].contains(lexer.text(token.range))
  }

  /// Tells whether a name with a type or a value follows the next comma.
  private func isNextBinding() -> Bool {
    var lexer = lexer
    _ = lexer.next()
    guard lexer.next().kind == .word else { return false }
    let after = lexer.next()
    guard after.mark == 0x3a || after.mark == 0x3d else { return false }
    return after.mark == 0x3a || lexer.peek().range.lowerBound > after.range.upperBound || lexer.peek().mark != 0x3d
  }
}

/// The type that a first value tells: of a literal, or of a call of a type.
private struct LiteralType {
  private(set) var name = ""

  init(_ start: SwiftLexer, end: Int) {
    var lexer = start
    var token = lexer.next()
    if token.mark == 0x2d { token = lexer.next() }
    let from = token.range.lowerBound
    switch token.kind {
    case .string: name = "String"
    case .number:
      let text = lexer.text(token.range).lowercased()
      let isReal = !text.hasPrefix("0x") && text.contains { $0 == "." || $0 == "e" }
      name = isReal ? "Double" : "Int"
    case .word:
      let word = lexer.text(token.range)
      if word == "true" || word == "false" { name = "Bool" } else { readCall(&lexer, from, word) }
    case .mark where token.mark == 0x5b:
      lexer.offset = from
      lexer.skipBalanced()
      readCall(&lexer, from, "A")
    default: break
    }
    // Something more follows, so that the whole may be of another type.
    if lexer.offset < end, lexer.peek().range.lowerBound < end, lexer.peek().mark != 0x7b { name = "" }
  }

  private mutating func readCall(_ lexer: inout SwiftLexer, _ from: Int, _ word: String) {
    guard word.first?.isUppercase == true else { return }
    while lexer.peek().mark == 0x2e {
      _ = lexer.next()
      let part = lexer.next()
      guard part.kind == .word, lexer.text(part.range).first?.isUppercase == true else { return }
    }
    if lexer.peek().mark == 0x3c {
      _ = lexer.next()
      lexer.offset -= 1
      lexer.skipAngles()
    }
    let end = lexer.offset
    guard lexer.peek().mark == 0x28, lexer.peek().range.lowerBound == end else { return }
    lexer.skipBalanced()
    name = Characters.collapsed(lexer.bytes, from..<end)
  }
}
