extension ObjectiveCScanner {
  /// Words of a declaration that are not part of a property's type.
  private static let marks: Set<String> = ["IBOutlet", "IBInspectable", "__block"]
  private static let nullables: Set<String> = ["nullable", "_Nullable", "__nullable", "null_resettable"]
  private static let nonnulls: Set<String> = ["nonnull", "_Nonnull", "__nonnull"]

  /// Reads what follows `@property`, up to its semicolon.
  mutating func readProperty() -> [PropertyDeclaration] {
    var attributes: [String] = []
    let first = lexer.peek()
    if first.mark == 0x28 {
      lexer.offset = first.range.lowerBound
      lexer.skipBalanced()
      attributes = split(first.range.upperBound..<max(lexer.offset - 1, first.range.upperBound))
    } else if first.kind == .mark {
      return []
    }
    return declarators().compactMap { property($0, attributes) }
  }

  private func split(_ range: Range<Int>) -> [String] {
    Characters.collapsed(lexer.bytes, range).split(separator: ",").map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// A name with what it is declared as.
  private struct Declarator {
    var name: Range<Int>
    var type: String
    var words: [String]
  }

  private enum Piece {
    case word(Range<Int>)
    /// The tokens in brackets, with them.
    case group(Range<Int>, UInt8)
    case other(Range<Int>, UInt8)
  }

  /// The tokens up to the semicolon, with brackets as one piece each.
  private mutating func pieces() -> [Piece] {
    var pieces: [Piece] = []
    while true {
      let token = lexer.peek()
      // A property that is not ended ends before the next declaration.
      if token.kind == .end || [0x40, 0x7b, 0x7d].contains(token.mark) { return pieces }
      _ = lexer.next()
      if token.mark == 0x3b { return pieces }
      if token.mark == 0x28 || token.mark == 0x3c {
        lexer.offset = token.range.lowerBound
        lexer.skipBalanced()
        pieces.append(.group(token.range.lowerBound..<lexer.offset, token.mark))
      } else if token.kind == .word {
        pieces.append(.word(token.range))
      } else {
        pieces.append(.other(token.range, token.mark))
      }
    }
  }

  private mutating func declarators() -> [Declarator] {
    var all = pieces()
    all.removeAll { piece in
      if case .word(let range) = piece { Self.marks.contains(lexer.text(range)) } else { false }
    }
    if let block = blockDeclarator(all) { return [block] }
    var parts: [[Piece]] = [[]]
    for piece in all {
      if case .other(_, 0x2c) = piece { parts.append([]) } else { parts[parts.count - 1].append(piece) }
    }
    var declarators: [Declarator] = []
    for part in parts {
      guard let index = nameIndex(part), case .word(let name) = part[index] else { continue }
      let before = Array(part[..<index])
      // `NSString *a, *b`: the type of the first goes for all, without its asterisks.
      let base = declarators.isEmpty ? "" : declarators[0].type.filter { $0 != "*" }.trimmedEnd
      let own = text(before)
      let type = [base, own].filter { !$0.isEmpty }.joined(separator: " ")
      declarators.append(Declarator(name: name, type: type, words: words(before)))
    }
    return declarators.filter { !$0.type.isEmpty }
  }

  /// `void (^done)(BOOL)` and `int (*compare)(id, id)`: the name stands inside.
  private func blockDeclarator(_ pieces: [Piece]) -> Declarator? {
    for (index, piece) in pieces.enumerated() where index > 0 {
      guard case .group(let range, 0x28) = piece, index + 1 < pieces.count,
        case .group(let after, 0x28) = pieces[index + 1]
      else { continue }
      var inner = ObjectiveCLexer(UnsafeBufferPointer(rebasing: lexer.bytes[range]))
      _ = inner.next()
      let mark = inner.next()
      guard mark.mark == 0x5e || mark.mark == 0x2a else { return nil }
      var name: Range<Int>?
      var words: [String] = []
      while case let token = inner.next(), token.kind != .end {
        if token.kind == .word {
          name = token.range
          words.append(inner.text(token.range))
        }
      }
      guard let name else { return nil }
      let symbol = mark.mark == 0x5e ? "^" : "*"
      let type = text(Array(pieces[..<index])) + " (\(symbol))" + Characters.collapsed(lexer.bytes, after)
      return Declarator(
        name: range.lowerBound + name.lowerBound..<range.lowerBound + name.upperBound, type: type,
        words: words + ["^"])
    }
    return nil
  }

  /// The index of the name: the last word that is no macro behind it.
  private func nameIndex(_ part: [Piece]) -> Int? {
    let words = part.indices.filter { if case .word = part[$0] { true } else { false } }
    let plain = words.filter { index in
      guard case .word(let range) = part[index], index > 0 else { return false }
      if index + 1 < part.count, case .group(_, 0x28) = part[index + 1] { return false }
      let word = lexer.text(range)
      return !word.hasPrefix("__attribute")
        && !(word.count > 3 && word.contains("_") && !word.contains { $0.isLowercase })
    }
    // `NSUInteger MAX_COUNT` has a name too, and `*b` behind a comma only that.
    return plain.last ?? words.dropFirst().first ?? words.first
  }

  private func words(_ pieces: [Piece]) -> [String] {
    pieces.compactMap { piece in
      switch piece {
      case .word(let range): lexer.text(range)
      case .other(_, 0x2a): "*"
      default: nil
      }
    }
  }

  /// The text of a type, without what says only whether it may be nil.
  private func text(_ pieces: [Piece]) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .word(let range):
        let word = lexer.text(range)
        if Self.nullables.contains(word) || Self.nonnulls.contains(word) { continue }
        text += (text.isEmpty || text.hasSuffix("*") ? "" : " ") + word
      case .group(let range, let mark): text += (mark == 0x28 ? " " : "") + Characters.collapsed(lexer.bytes, range)
      case .other(let range, let mark):
        text += (mark == 0x2a && !text.isEmpty && !text.hasSuffix("*") ? " " : "") + lexer.text(range)
      }
    }
    return text
  }

  private mutating func property(_ declarator: Declarator, _ attributes: [String]) -> PropertyDeclaration? {
    let words = attributes + declarator.words
    let isObject =
      declarator.type.contains("*") || declarator.type.hasPrefix("id") || declarator.words.contains("^")
      || declarator.type == "Class"
    let isNonnull = words.contains { Self.nonnulls.contains($0) } || assumesNonnull
    let isNullable = words.contains { Self.nullables.contains($0) }
    return PropertyDeclaration(
      name: lexer.text(declarator.name), type: declarator.type, isOptional: isNullable || (isObject && !isNonnull),
      isStatic: attributes.contains("class"), isConstant: attributes.contains("readonly"), attributes: attributes,
      line: lines.position(of: declarator.name.lowerBound).line)
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
