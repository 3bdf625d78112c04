import MPaaSDeclarations

/// The tokens of a Swift source, with the partner of each bracket.
struct SwiftTokens {
  enum Kind: UInt8 { case word, string, other, open, close }

  struct Token {
    let kind: Kind
    let keyword: SwiftKeyword
    /// Tells whether it is the first of its line.
    let isFirst: Bool
    let start: Int32
    let end: Int32
    /// The index of the bracket that closes or opens it; -1 where there is none.
    var partner: Int32 = -1
  }

  let text: UnsafeBufferPointer<UInt8>
  private(set) var all: [Token] = []

  /// - Parameter text: Up to 2 GiB; of more, nothing is read.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    guard text.count < Int(Int32.max) else { return }
    all.reserveCapacity(text.count / 6)
    read()
  }

  var count: Int { all.count }

  /// Tells whether the token at an index is this word or sign; false past the end.
  func isToken(_ index: Int, _ word: StaticString) -> Bool {
    guard all.indices.contains(index) else { return false }
    let token = all[index]
    guard token.kind != .string, Int(token.end - token.start) == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { buffer in
      zip(buffer, text[Int(token.start)..<Int(token.end)]).allSatisfy { $0 == $1 }
    }
  }

  func kind(_ index: Int) -> Kind? { all.indices.contains(index) ? all[index].kind : nil }

  /// The text of a token: of a name in backticks the name.
  func string(_ index: Int) -> String {
    guard all.indices.contains(index) else { return "" }
    let token = all[index]
    let bytes = text[Int(token.start)..<Int(token.end)]
    return String(decoding: bytes.first == UInt8(ascii: "`") ? bytes.dropFirst().dropLast() : bytes, as: UTF8.self)
  }

  /// Behind the bracket that closes the one at an index; the end where none does.
  func behind(_ open: Int) -> Int {
    let partner = Int(all[open].partner)
    return partner > open ? partner + 1 : count
  }

  /// Tells whether nothing stands between two tokens that follow each other.
  func touches(_ index: Int) -> Bool {
    index > 0 && all.indices.contains(index) && all[index - 1].end == all[index].start
  }

  private mutating func read() {
    var lexer = SwiftLexer(text)
    var opened: [Int] = []
    while case let token = lexer.next(), token.kind != .end {
      var range = token.range
      if token.kind == .directive {
        // The word behind `#` is one of its own.
        let word = text[range].firstIndex { $0 != UInt8(ascii: "#") } ?? range.upperBound
        append(.other, range.lowerBound..<word, isFirst: token.startsLine)
        if word < range.upperBound { append(.word, word..<range.upperBound, isFirst: false) }
        continue
      }
      if isPair(token) {
        lexer.offset += 1
        range = range.lowerBound..<lexer.offset
      }
      let kind = Kind(token)
      append(kind, range, isFirst: token.startsLine || all.isEmpty)
      if kind == .open { opened.append(all.count - 1) }
      if kind == .close { pair(token.mark, &opened) }
    }
  }

  private mutating func append(_ kind: Kind, _ range: Range<Int>, isFirst: Bool) {
    let keyword = kind == .word ? SwiftKeyword(text[range]) : .none
    let (start, end) = (Int32(range.lowerBound), Int32(range.upperBound))
    all.append(Token(kind: kind, keyword: keyword, isFirst: isFirst, start: start, end: end))
  }

  /// Tells whether a mark and the byte behind it are one sign: `??`, `==`, `!=`, `<=`, `>=`.
  private func isPair(_ token: SwiftLexer.Token) -> Bool {
    let end = token.range.upperBound
    guard end < text.count else { return false }
    switch token.mark {
    case UInt8(ascii: "?"): return text[end] == UInt8(ascii: "?")
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      return text[end] == UInt8(ascii: "=")
    default: return false
    }
  }

  /// Pairs the last token with the bracket it closes; brackets of other kinds in between were never closed.
  private mutating func pair(_ byte: UInt8, _ opened: inout [Int]) {
    let last = all.count - 1
    let wanted: UInt8 = byte == UInt8(ascii: ")") ? 0x28 : byte == UInt8(ascii: "]") ? 0x5b : 0x7b
    guard let at = opened.suffix(64).lastIndex(where: { text[Int(all[$0].start)] == wanted }) else { return }
    all[opened[at]].partner = Int32(last)
    all[last].partner = Int32(opened[at])
    opened.removeSubrange(at...)
  }
}

extension SwiftTokens.Kind {
  fileprivate init(_ token: SwiftLexer.Token) {
    switch (token.kind, token.mark) {
    case (.word, _), (.number, _): self = .word
    case (.string, _): self = .string
    case (_, UInt8(ascii: "(")), (_, UInt8(ascii: "[")), (_, UInt8(ascii: "{")): self = .open
    case (_, UInt8(ascii: ")")), (_, UInt8(ascii: "]")), (_, UInt8(ascii: "}")): self = .close
    default: self = .other
    }
  }
}
