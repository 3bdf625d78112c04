/// The tokens of a Swift source (The Swift Programming Language, "Lexical Structure"), with the partner of each bracket.
///
/// A string is one token, whatever is interpolated in it. What is no Swift gives tokens too, only senseless ones.
struct SwiftTokens {
  enum Kind: UInt8 { case word, string, other, open, close }

  struct Token {
    let kind: Kind
    let keyword: SwiftKeyword
    /// Whether it is the first of its line.
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

  /// Whether the token at an index is this word or sign; false past the end.
  func isToken(_ index: Int, _ word: StaticString) -> Bool {
    guard all.indices.contains(index) else { return false }
    let token = all[index]
    guard token.kind != .string, Int(token.end - token.start) == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { buffer in
      zip(buffer, text[Int(token.start)..<Int(token.end)]).allSatisfy { $0 == $1 }
    }
  }

  func kind(_ index: Int) -> Kind? { all.indices.contains(index) ? all[index].kind : nil }

  /// What a token says: of a name in backticks the name.
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

  /// Whether nothing stands between two tokens that follow each other.
  func touches(_ index: Int) -> Bool {
    index > 0 && all.indices.contains(index) && all[index - 1].end == all[index].start
  }

  private mutating func read() {
    var offset = 0
    var isFirst = true
    var opened: [Int] = []
    while offset < text.count {
      let byte = text[offset]
      if SourceBytes.isSpace(byte) {
        isFirst = isFirst || byte == 0x0a
        offset += 1
        continue
      }
      if byte == UInt8(ascii: "/"), let end = commentEnd(offset) {
        isFirst = isFirst || text[offset..<end].contains(0x0a)
        offset = end
        continue
      }
      let (kind, end) = token(at: offset)
      let keyword = kind == .word ? SwiftKeyword(text[offset..<end]) : .none
      all.append(Token(kind: kind, keyword: keyword, isFirst: isFirst, start: Int32(offset), end: Int32(end)))
      if kind == .open { opened.append(all.count - 1) }
      if kind == .close { pair(byte, &opened) }
      isFirst = false
      offset = end
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

  private func token(at start: Int) -> (Kind, end: Int) {
    switch text[start] {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return (.open, start + 1)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return (.close, start + 1)
    case UInt8(ascii: "\""): return (.string, SwiftString.end(text, start, hashes: 0))
    case UInt8(ascii: "#"):
      var quote = start
      while quote < text.count, text[quote] == UInt8(ascii: "#") { quote += 1 }
      if quote < text.count, text[quote] == UInt8(ascii: "\"") {
        return (.string, SwiftString.end(text, quote, hashes: quote - start))
      }
      return (.other, quote)
    case UInt8(ascii: "`"):
      let end = text[(start + 1)...].prefix(256).firstIndex(of: UInt8(ascii: "`"))
      return end.map { (.word, $0 + 1) } ?? (.other, start + 1)
    case UInt8(ascii: "/"): return (.other, expressionEnd(start) ?? start + 1)
    case let byte where SourceBytes.isWord(byte) || byte == UInt8(ascii: "$"):
      var end = start + 1
      while end < text.count, SourceBytes.isWord(text[end]) { end += 1 }
      return (.word, end)
    case UInt8(ascii: "-") where start + 1 < text.count && text[start + 1] == UInt8(ascii: ">"):
      return (.other, start + 2)
    case UInt8(ascii: "?") where start + 1 < text.count && text[start + 1] == UInt8(ascii: "?"):
      return (.other, start + 2)
    case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      let isPair = start + 1 < text.count && text[start + 1] == UInt8(ascii: "=")
      return (.other, start + (isPair ? 2 : 1))
    default: return (.other, start + 1)
    }
  }

  private func commentEnd(_ start: Int) -> Int? {
    guard start + 1 < text.count else { return nil }
    if text[start + 1] == UInt8(ascii: "/") { return text[start...].firstIndex(of: 0x0a) ?? text.count }
    guard text[start + 1] == UInt8(ascii: "*") else { return nil }
    var (offset, depth) = (start + 2, 1)
    while offset + 1 < text.count, depth > 0 {
      let pair = (text[offset], text[offset + 1])
      if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
        depth -= 1
        offset += 2
      } else if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
        depth += 1
        offset += 2
      } else {
        offset += 1
      }
    }
    return depth == 0 ? offset : text.count
  }

  /// The end of a regular expression between slashes; nil where the slash divides.
  private func expressionEnd(_ start: Int) -> Int? {
    guard start + 1 < text.count, !SourceBytes.isSpace(text[start + 1]) else { return nil }
    if let last = all.last {
      let isValue = last.kind == .close || last.kind == .string
      let before = string(all.count - 1)
      guard !isValue, last.kind != .word || ["return", "in", "case"].contains(before) else { return nil }
    }
    var offset = start + 1
    while offset < text.count, text[offset] != 0x0a {
      if text[offset] == UInt8(ascii: "/") { return SourceBytes.isSpace(text[offset - 1]) ? nil : offset + 1 }
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }
}

/// Where a string literal ends, the strings in its interpolations passed over.
enum SwiftString {
  private struct Open {
    let hashes: Int
    let isMultiline: Bool
    /// Parentheses that are open in its interpolation; 0 between its quotes.
    var depth = 0
  }

  static func end(_ text: UnsafeBufferPointer<UInt8>, _ quote: Int, hashes: Int) -> Int {
    var offset = quote
    var open: [Open] = []
    begin(text, &offset, hashes, &open)
    while offset < text.count, let top = open.last {
      if top.depth > 0 { code(text, &offset, &open) } else { content(text, &offset, top, &open) }
    }
    return min(offset, text.count)
  }

  private static func begin(
    _ text: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ hashes: Int, _ open: inout [Open]
  ) {
    let isMultiline = text[offset...].prefix(3).elementsEqual(repeatElement(UInt8(ascii: "\""), count: 3))
    open.append(Open(hashes: hashes, isMultiline: isMultiline))
    offset += isMultiline ? 3 : 1
  }

  /// A step between quotes.
  private static func content(
    _ text: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ top: Open, _ open: inout [Open]
  ) {
    func hasHashes(_ start: Int) -> Bool {
      start + top.hashes <= text.count && text[start..<start + top.hashes].allSatisfy { $0 == UInt8(ascii: "#") }
    }
    switch text[offset] {
    case UInt8(ascii: "\""):
      let quotes = top.isMultiline ? 3 : 1
      let isEnd = text[offset...].prefix(quotes).elementsEqual(repeatElement(UInt8(ascii: "\""), count: quotes))
      if isEnd, hasHashes(offset + quotes) {
        open.removeLast()
        offset += quotes + top.hashes
      } else {
        offset += 1
      }
    case UInt8(ascii: "\\") where hasHashes(offset + 1):
      let escaped = offset + 1 + top.hashes
      if escaped < text.count, text[escaped] == UInt8(ascii: "(") { open[open.count - 1].depth = 1 }
      let isLineEnd = escaped < text.count && text[escaped] == 0x0a && !top.isMultiline
      offset = isLineEnd ? escaped : escaped + 1
    case 0x0a where !top.isMultiline: open.removeLast()
    default: offset += 1
    }
  }

  /// A step in an interpolation.
  private static func code(_ text: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ open: inout [Open]) {
    let last = open.count - 1
    switch text[offset] {
    case UInt8(ascii: "("): open[last].depth += 1
    case UInt8(ascii: ")"): open[last].depth -= 1
    case UInt8(ascii: "\""):
      var hashes = 0
      while hashes < offset, text[offset - 1 - hashes] == UInt8(ascii: "#") { hashes += 1 }
      return begin(text, &offset, hashes, &open)
    // A literal that nobody closed must not take the rest of the file with it.
    case 0x0a where !open[last].isMultiline: open.removeLast()
    default: break
    }
    offset += 1
  }
}
