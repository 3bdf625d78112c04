/// Goes through a source once, from the first byte to the last, and notes the calls that ask for texts.
///
/// It is no parser: it knows comments, literals, brackets and names. Brackets are counted only inside calls and
/// interpolations, which lie on a stack of its own, so that no source makes it recurse or go back.
struct TextScanner {
  /// The classes of a byte of code.
  enum Class {
    static let blank: UInt8 = 0
    static let word: UInt8 = 1
    static let quote: UInt8 = 2
    static let slash: UInt8 = 3
    static let hash: UInt8 = 4
    static let opening: UInt8 = 5
    static let closing: UInt8 = 6
    static let apostrophe: UInt8 = 7
    static let other: UInt8 = 8
  }

  let text: UnsafeBufferPointer<UInt8>
  let file: String
  let language: SourceLanguage
  let functions: TextFunctions
  /// Nil in C, which has no interpolations.
  let types: DeclaredTypes?
  let contexts: TextContexts?
  private let classes: [UInt8]
  private let words: [Bool]
  var frames: [Frame] = []
  /// The strings whose interpolations are open, from the outermost.
  var openLiterals: [TextLiteral] = []
  var found: [Found] = []
  /// The macro whose body is being read: where it ends.
  var macro: (name: Range<Int>, end: Int)?
  /// The literal that was read last, and the offset behind it.
  var lastLiteral: (literal: TextLiteral, end: Int)?
  private var countedTo = 0
  private var lines = 1

  init(
    _ text: UnsafeBufferPointer<UInt8>, file: String, language: SourceLanguage, functions: TextFunctions,
    types: DeclaredTypes? = nil, contexts: TextContexts? = nil
  ) {
    self.text = text
    self.file = file
    self.language = language
    self.functions = functions
    self.types = types
    self.contexts = contexts
    classes = Self.classes(language)
    words = (0..<256).map { SourceBytes.isWord(UInt8($0)) || $0 == 0x24 }
  }

  private static func classes(_ language: SourceLanguage) -> [UInt8] {
    (0..<256).map { value in
      let byte = UInt8(value)
      if SourceBytes.isSpace(byte) { return Class.blank }
      if SourceBytes.isWord(byte) || byte == 0x24 { return Class.word }
      switch byte {
      case UInt8(ascii: "\""): return Class.quote
      case UInt8(ascii: "/"): return Class.slash
      case UInt8(ascii: "#"): return Class.hash
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return Class.opening
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return Class.closing
      case UInt8(ascii: "'"): return language == .c ? Class.apostrophe : Class.other
      default: return byte < 0x20 ? Class.blank : Class.other
      }
    }
  }

  /// The byte at an offset; 0 past the end.
  func byte(_ offset: Int) -> UInt8 { offset >= 0 && offset < text.count ? text[offset] : 0 }

  mutating func run() {
    var offset = 0
    let (classes, words, masks) = (classes, words, functions.masks)
    classes.withUnsafeBufferPointer { classes in
      words.withUnsafeBufferPointer { words in
        masks.withUnsafeBufferPointer { masks in
          while offset < text.count {
            switch classes[Int(text[offset])] {
            case Class.blank: offset += 1
            case Class.word:
              let start = offset
              offset += 1
              while offset < text.count, words[Int(text[offset])] { offset += 1 }
              if masks[Int(text[start])] & 1 << UInt64(min(offset - start, 63)) != 0 {
                offset = name(start..<offset)
              } else if !frames.isEmpty {
                offset = word(start..<offset)
              }
            case Class.quote: offset = quote(at: offset)
            case Class.slash: offset = slash(at: offset)
            case Class.hash: offset = hash(at: offset)
            case Class.apostrophe: offset = apostrophe(at: offset)
            case Class.opening:
              if !frames.isEmpty { open(at: offset) }
              offset += 1
            case Class.closing: offset = frames.isEmpty ? offset + 1 : close(at: offset)
            default:
              if !frames.isEmpty { punctuation(at: offset) }
              offset += 1
            }
          }
        }
      }
    }
    // Only calls inside of calls end out of turn.
    if zip(found, found.dropFirst()).contains(where: { $0.offset > $1.offset }) { found.sort { $0.offset < $1.offset } }
  }

  /// The line of an offset that is not before the last one asked for.
  mutating func line(at offset: Int) -> Int {
    var count = 0
    if offset > countedTo {
      for byte in text[countedTo..<offset] { count += byte == 0x0a ? 1 : 0 }
      countedTo = offset
      lines += count
    }
    return lines
  }

  /// The offset of the next byte that is neither blank nor in a comment.
  func skipBlank(_ offset: Int) -> Int {
    var offset = offset
    while offset < text.count {
      if SourceBytes.isSpace(text[offset]) {
        offset += 1
      } else if text[offset] == UInt8(ascii: "/"), let end = commentEnd(at: offset) {
        offset = end
      } else {
        return offset
      }
    }
    return offset
  }

  /// The end of the comment that begins at a slash; nil where none does.
  func commentEnd(at start: Int) -> Int? {
    var offset = start + 2
    if byte(start + 1) == UInt8(ascii: "/") {
      while offset < text.count, text[offset] != 0x0a {
        // C joins lines before it takes comments away.
        offset += language == .c && text[offset] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(offset, text.count)
    }
    guard byte(start + 1) == UInt8(ascii: "*") else { return nil }
    var depth = 1
    while offset < text.count {
      if text[offset] == UInt8(ascii: "*"), byte(offset + 1) == UInt8(ascii: "/") {
        depth -= 1
        offset += 2
        if depth == 0 { return offset }
      } else if language == .swift, text[offset] == UInt8(ascii: "/"), byte(offset + 1) == UInt8(ascii: "*") {
        depth += 1
        offset += 2
      } else {
        offset += 1
      }
    }
    return text.count
  }

  private mutating func slash(at offset: Int) -> Int {
    if let end = commentEnd(at: offset) { return end }
    if language == .swift, let end = expressionEnd(at: offset) {
      if !frames.isEmpty { noteOther(offset..<end) }
      return end
    }
    if !frames.isEmpty { punctuation(at: offset) }
    return offset + 1
  }

  private mutating func quote(at offset: Int) -> Int {
    language == .swift ? swiftString(at: offset, hashes: 0) : cString(at: offset)
  }

  private mutating func hash(at offset: Int) -> Int {
    language == .swift ? swiftHash(at: offset) : directive(at: offset)
  }

  /// A character of C; an apostrophe between digits parts them.
  private mutating func apostrophe(at start: Int) -> Int {
    if start > 0, SourceBytes.isWord(text[start - 1]), SourceBytes.isWord(byte(start + 1)),
      let end = separatedNumberEnd(start)
    {
      return end
    }
    var offset = start + 1
    while offset < text.count, text[offset] != UInt8(ascii: "'"), text[offset] != 0x0a {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    if !frames.isEmpty { noteOther(start..<min(offset + 1, text.count)) }
    return offset < text.count && text[offset] == 0x0a ? offset : offset + 1
  }

  /// The end of a number's digits behind an apostrophe; nil where what stands before it is no number.
  private func separatedNumberEnd(_ start: Int) -> Int? {
    var first = start - 1
    while first > 0, start - first < 64, SourceBytes.isWord(text[first - 1]) || text[first - 1] == UInt8(ascii: "'") {
      first -= 1
    }
    guard (0x30...0x39).contains(text[first]) else { return nil }
    var offset = start + 1
    while SourceBytes.isWord(byte(offset)) { offset += 1 }
    return offset
  }
}
