import MPaaSSupport

/// The tags of a mustache text with their lines, looked at before the library reads it.
///
/// The library nests its calls as deep as sections do, has no lines for names that nobody knows, and stops the program
/// at some uses of inheritance; so partials, inheritance and pragmas are no part of our templates.
/// Source: mustache(5).
struct MustacheTags {
  struct Tag: Equatable {
    /// Without transforms and parts: `name` of both `xml(name)` and `name.length`.
    let name: String
    let transforms: [String]
    /// From 1.
    let line: Int
  }

  /// Why a text is none, and the line where it is seen.
  struct Fault: Error {
    let reason: String
    let line: Int
  }

  private(set) var tags: [Tag] = []
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

  private mutating func skipToTag() -> Bool {
    while let byte = rest.first {
      if byte == delimiters.0[0], rest.starts(with: delimiters.0) {
        rest = rest.dropFirst(delimiters.0.count)
        return true
      }
      if byte == 0x0a { line += 1 }
      rest = rest.dropFirst()
    }
    return false
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
    case UInt8(ascii: "!"): return
    case UInt8(ascii: "="): try setDelimiters(text, start)
    case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "$"), UInt8(ascii: "%"): throw fault(content, start)
    case UInt8(ascii: "#"), UInt8(ascii: "^"):
      guard open.count < Self.deepest else { throw fault(content, start) }
      try append(name, start)
      open.append((name, start))
    case UInt8(ascii: "/"):
      guard open.popLast()?.name == name else { throw fault(content, start) }
    case UInt8(ascii: "&"), UInt8(ascii: "{"): try append(name, start)
    default: try append(text.trimmed, start)
    }
  }

  private func fault(_ content: [UInt8], _ line: Int) -> Fault {
    let shown = String(decoding: content.prefix(40), as: UTF8.self)
    return Fault(reason: "{{" + shown.map { $0.isNewline ? " " : String($0) }.joined() + "}}", line: line)
  }

  private mutating func append(_ text: String, _ line: Int) throws(Fault) {
    var words = text.split(separator: "(", omittingEmptySubsequences: false).map(String.init)
    guard var name = words.popLast() else { return }
    guard name.hasSuffix(String(repeating: ")", count: words.count)) else { throw fault(Array(text.utf8), line) }
    name.removeLast(words.count)
    guard text.utf8.allSatisfy(Self.isNameByte), !text.isEmpty else { throw fault(Array(text.utf8), line) }
    tags.append(Tag(name: String(name.prefix { $0 != "." }), transforms: words, line: line))
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
