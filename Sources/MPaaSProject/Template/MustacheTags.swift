import MPaaSSupport

/// A mustache text taken apart: its tags with their lines, and what stands between them.
///
/// Variables, sections, inverted sections, comments and other delimiters; partials and inheritance are no part of our
/// templates. Source: mustache(5).
struct MustacheTags {
  enum Token: Equatable {
    case text([UInt8])
    case value(Tag)
    case open(Tag, isInverted: Bool)
    case close
    /// A comment, or other delimiters.
    case silent

    /// Tells whether it takes its line with it where it stands alone on one.
    fileprivate var isStructure: Bool {
      switch self {
      case .open, .close, .silent: true
      case .text, .value: false
      }
    }
  }

  struct Tag: Equatable {
    /// Without transforms and parts: `name` of both `xml(name)` and `name.length`.
    let name: String
    let transforms: [String]
    /// From 1.
    let line: Int
  }

  /// The reason why a text is none, and the line where it is seen.
  struct Fault: Error {
    let reason: String
    let line: Int
  }

  private(set) var tokens: [Token] = []
  private var rest: ArraySlice<UInt8>
  private var line = 1
  private var open: [(name: String, line: Int)] = []
  private var delimiters = (Array("{{".utf8), Array("}}".utf8))

  static let deepest = 16

  init(_ text: String) throws(Fault) {
    rest = Array(text.utf8)[...]
    while skipToTag() { try readTag() }
    if let last = open.last { throw Fault(reason: "{{#\(last.name)}}", line: last.line) }
  }

  var tags: [Tag] {
    tokens.compactMap { token in
      switch token {
      case .value(let tag), .open(let tag, _): tag
      case .text, .close, .silent: nil
      }
    }
  }

  private mutating func skipToTag() -> Bool {
    let start = rest
    while let byte = rest.first {
      if byte == delimiters.0[0], rest.starts(with: delimiters.0) {
        appendText(start[..<rest.startIndex])
        rest = rest.dropFirst(delimiters.0.count)
        return true
      }
      if byte == 0x0a { line += 1 }
      rest = rest.dropFirst()
    }
    appendText(start)
    return false
  }

  private mutating func appendText(_ bytes: ArraySlice<UInt8>) {
    if !bytes.isEmpty { tokens.append(.text(Array(bytes))) }
  }

  private mutating func readTag() throws(Fault) {
    let start = line
    let kind = rest.first ?? 0
    let closing = kind == UInt8(ascii: "{") ? Array("}}}".utf8) : delimiters.1
    var content: [UInt8] = []
    while !rest.starts(with: closing) {
      guard let byte = rest.popFirst() else { throw fault(content, start) }
      if byte == 0x0a { line += 1 }
      content.append(byte)
    }
    rest = rest.dropFirst(closing.count)
    let text = String(decoding: content, as: UTF8.self)
    let name = text.dropFirst().trimmed
    switch kind {
    case UInt8(ascii: "!"): tokens.append(.silent)
    case UInt8(ascii: "="):
      try setDelimiters(text, start)
      tokens.append(.silent)
    case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "$"), UInt8(ascii: "%"): throw fault(content, start)
    case UInt8(ascii: "#"), UInt8(ascii: "^"):
      guard open.count < Self.deepest else { throw fault(content, start) }
      tokens.append(.open(try tag(name, start), isInverted: kind == UInt8(ascii: "^")))
      open.append((name, start))
    case UInt8(ascii: "/"):
      guard open.popLast()?.name == name else { throw fault(content, start) }
      tokens.append(.close)
    case UInt8(ascii: "&"), UInt8(ascii: "{"): tokens.append(.value(try tag(name, start)))
    default: tokens.append(.value(try tag(text.trimmed, start)))
    }
  }

  /// The tokens without the lines that hold nothing but one section's begin or end, a comment or delimiters.
  var withoutBareLines: [Token] {
    var result = tokens
    for index in tokens.indices where tokens[index].isStructure && isAlone(index) {
      if index > 0, case .text(let before) = result[index - 1] {
        result[index - 1] = .text(Array(before.prefix((before.lastIndex(of: 0x0a) ?? -1) + 1)))
      }
      if index + 1 < tokens.count, case .text(let after) = result[index + 1] {
        result[index + 1] = .text(Array(after.drop { $0 != 0x0a }.dropFirst()))
      }
    }
    return result
  }

  /// Tells whether only white space stands beside a token on its line.
  private func isAlone(_ index: Int) -> Bool {
    if index > 0 {
      guard case .text(let before) = tokens[index - 1] else { return false }
      let line = before.suffix(from: (before.lastIndex(of: 0x0a) ?? -1) + 1)
      guard line.allSatisfy(Self.isSpace), line.count < before.count || index == 1 else { return false }
    }
    guard index + 1 < tokens.count else { return true }
    guard case .text(let after) = tokens[index + 1] else { return false }
    guard let end = after.firstIndex(of: 0x0a) else {
      return index + 2 == tokens.count && after.allSatisfy(Self.isSpace)
    }
    return after[..<end].allSatisfy(Self.isSpace)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

  private func fault(_ content: [UInt8], _ line: Int) -> Fault {
    let shown = String(decoding: content.prefix(40), as: UTF8.self)
    return Fault(reason: "{{" + shown.map { $0.isNewline ? " " : String($0) }.joined() + "}}", line: line)
  }

  private func tag(_ text: String, _ line: Int) throws(Fault) -> Tag {
    var words = text.split(separator: "(", omittingEmptySubsequences: false).map(String.init)
    guard var name = words.popLast() else { throw fault(Array(text.utf8), line) }
    guard name.hasSuffix(String(repeating: ")", count: words.count)) else { throw fault(Array(text.utf8), line) }
    name.removeLast(words.count)
    guard text.utf8.allSatisfy(Self.isNameByte), !text.isEmpty else { throw fault(Array(text.utf8), line) }
    return Tag(name: String(name.prefix { $0 != "." }), transforms: words, line: line)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "._()".utf8.contains(byte)
  }

  private mutating func setDelimiters(_ text: String, _ line: Int) throws(Fault) {
    let words = text.dropFirst().dropLast().split(separator: " ")
    guard text.hasSuffix("="), text.utf8.count > 2, words.count == 2, words.allSatisfy({ !$0.contains("=") }) else {
      throw fault(Array(text.utf8), line)
    }
    delimiters = (Array(words[0].utf8), Array(words[1].utf8))
  }
}

extension StringProtocol {
  /// Without the white space at both ends.
  var trimmed: String {
    var part = self[...]
    while part.first?.isWhitespace == true { part = part.dropFirst() }
    while part.last?.isWhitespace == true { part = part.dropLast() }
    return String(part)
  }
}
