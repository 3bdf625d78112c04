/// Finds the classes, categories and protocols that an Objective-C source declares.
struct ObjectiveCScanner {
  var lexer: ObjectiveCLexer
  var lines: SourceLines
  /// Tells whether objects are not nil where nothing says so.
  var assumesNonnull = false
  private var found: [TypeDeclaration] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    lexer = ObjectiveCLexer(bytes)
    lines = SourceLines(bytes)
  }

  mutating func scan() -> [TypeDeclaration] {
    var isBehindString = false
    while true {
      let token = lexer.next()
      defer { isBehindString = token.kind == .string }
      switch token.kind {
      case .end: return found
      case .word: noteRegion(token)
      // `extern "C" {` holds declarations.
      case .mark where token.mark == 0x7b && !isBehindString:
        lexer.offset = token.range.lowerBound
        lexer.skipBalanced()
      case .mark where token.mark == 0x40: readKeyword()
      default: break
      }
    }
  }

  /// Notes where `NS_ASSUME_NONNULL_BEGIN` and `END` stand.
  private mutating func noteRegion(_ token: ObjectiveCLexer.Token) {
    guard token.range.count > 20 else { return }
    switch lexer.text(token.range) {
    case "NS_ASSUME_NONNULL_BEGIN": assumesNonnull = true
    case "NS_ASSUME_NONNULL_END": assumesNonnull = false
    default: break
    }
  }

  private mutating func readKeyword() {
    let token = lexer.peek()
    guard token.kind == .word else { return }
    switch lexer.text(token.range) {
    case "interface":
      _ = lexer.next()
      readInterface()
    case "protocol":
      _ = lexer.next()
      readProtocol()
    default: break
    }
  }

  private mutating func readInterface() {
    let name = lexer.next()
    guard name.kind == .word else { return }
    var kind = TypeDeclaration.Kind.class
    var inherited: [String] = []
    var isGeneric = false
    var isBehindSuperclass = false
    header: while true {
      let token = lexer.peek()
      switch token.mark {
      case 0x3a:
        _ = lexer.next()
        let superclass = lexer.next()
        if superclass.kind == .word { inherited.append(lexer.text(superclass.range)) }
        isBehindSuperclass = true
      case 0x28:
        lexer.offset = token.range.lowerBound
        lexer.skipBalanced()
        kind = .extension
      case 0x3c:
        let names = readAngles(token)
        // `@interface Box<Value> : NSObject <NSCopying>`: the first are parameters, unless no superclass follows.
        if !isBehindSuperclass, kind == .class, lexer.peek().mark == 0x3a {
          isGeneric = true
        } else {
          inherited += names
        }
      default: break header
      }
    }
    finish(kind, name, inherited, isGeneric: isGeneric)
  }

  private mutating func readProtocol() {
    let name = lexer.next()
    guard name.kind == .word else { return }
    let token = lexer.peek()
    // `@protocol One, Two;` and `@protocol(Name)` declare nothing.
    guard token.mark != 0x2c, token.mark != 0x3b else { return }
    finish(.protocol, name, token.mark == 0x3c ? readAngles(token) : [], isGeneric: false)
  }

  /// The names between `<` and `>`.
  private mutating func readAngles(_ token: ObjectiveCLexer.Token) -> [String] {
    lexer.offset = token.range.lowerBound
    lexer.skipBalanced()
    let inside = token.range.upperBound..<max(lexer.offset - 1, token.range.upperBound)
    return Characters.collapsed(lexer.bytes, inside).split(separator: ",").map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  private mutating func finish(
    _ kind: TypeDeclaration.Kind, _ name: ObjectiveCLexer.Token, _ inherited: [String], isGeneric: Bool
  ) {
    let properties = readBody()
    let (line, column) = lines.position(of: name.range.lowerBound)
    found.append(
      TypeDeclaration(
        kind: kind, name: lexer.text(name.range), inherited: inherited, properties: properties, language: .objectiveC,
        isGeneric: isGeneric, line: line, column: column))
  }

  /// The properties up to `@end`, or to where another declaration begins.
  private mutating func readBody() -> [PropertyDeclaration] {
    var properties: [PropertyDeclaration] = []
    while true {
      let before = lexer.offset
      let token = lexer.next()
      switch (token.kind, token.mark) {
      case (.end, _): return properties
      case (.word, _): noteRegion(token)
      case (.mark, 0x7b), (.mark, 0x28):
        lexer.offset = token.range.lowerBound
        lexer.skipBalanced()
      case (.mark, 0x40):
        let word = lexer.peek()
        switch word.kind == .word ? lexer.text(word.range) : "" {
        case "end":
          _ = lexer.next()
          return properties
        case "interface", "implementation":
          lexer.offset = before
          return properties
        case "property":
          _ = lexer.next()
          properties += readProperty()
        default: break
        }
      default: break
      }
    }
  }
}
