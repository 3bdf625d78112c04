package import MPaaSSupport

/// An old-style property list as it stands in its file: its value, and every byte around it.
///
/// Edits give a new document, in which all that was not edited is as it was: comments, blanks, quotes, the encoding.
package struct OldStyleDocument: Sendable {
  package enum Form: Sendable {
    /// A dictionary, an array, a string, data, or pairs without braces.
    case any
    /// A table of texts: pairs without braces; it may be empty.
    case strings
  }

  /// The file's name in errors.
  package let file: String
  package let bytes: [UInt8]
  package let root: PropertyListValue
  package let form: Form
  let text: PropertyListText
  let tape: OldStyleTape
  private let lines: TextLines

  /// - Throws: `ConfigError` with the place of the first thing that cannot stand there.
  package init(_ bytes: [UInt8], file: String, form: Form = .any) throws(ConfigError) {
    try self.init(PropertyListText(bytes, file: file), bytes: bytes, file: file, form: form)
  }

  init(_ text: PropertyListText, bytes: [UInt8], file: String, form: Form) throws(ConfigError) {
    let tape = try OldStyleTape(text.utf8, file: file, words: .gnustep, canBeEmpty: form == .strings)
    self.file = file
    self.bytes = bytes
    self.form = form
    self.text = text
    self.tape = tape
    root = tape.value(0)
    lines = TextLines(text.utf8)
  }

  /// Tells whether the root is a list of pairs without braces.
  package var isPairs: Bool { tape.isPairs }

  /// Line and column of a value that was read from this document.
  package func place(of value: PropertyListValue) -> Place { place(at: value.span.lowerBound) }

  /// Line and column of a member's key.
  package func place(of member: PropertyListMember) -> Place { place(at: member.keySpan.lowerBound) }

  private func place(at offset: Int) -> Place {
    let (line, column) = lines.position(of: offset)
    return .text(file: file, line: line, column: column)
  }

  /// The words of the comments that stand between the entry before and this member, without their signs.
  package func comments(before member: PropertyListMember) -> [String] {
    OldStyleComments(text.utf8).before(member.keySpan.lowerBound)
  }
}

extension OldStyleTape {
  /// The value at a place on the tape, with all that it holds.
  package func value(_ index: Int) -> PropertyListValue {
    let node = nodes[index]
    let span = node.span
    switch node.kind {
    case .word: return PropertyListValue(.string(string(index)), span: span, inside: span)
    case .quoted, .escaped:
      return PropertyListValue(.string(string(index)), span: span, inside: span.lowerBound + 1..<span.upperBound - 1)
    case .data:
      return PropertyListValue(.data(OldStyleTyped.data(bytes[span].dropFirst().dropLast())), span: span, inside: nil)
    case .typed:
      let content = OldStyleTyped.content(Array(bytes[span].dropFirst().dropLast()))
      return PropertyListValue(content ?? .string(""), span: span, inside: nil)
    case .array:
      var values: [PropertyListValue] = []
      for child in children(of: index) { values.append(value(child)) }
      return PropertyListValue(.array(values), span: span, inside: inside(index))
    case .dictionary:
      var members: [PropertyListMember] = []
      for key in children(of: index) {
        members.append(PropertyListMember(string(key), value(key + 1), keySpan: nodes[key].span))
      }
      return PropertyListValue(.dictionary(members), span: span, inside: inside(index))
    }
  }

  /// The text between the brackets of a container; the whole text where there are none.
  package func inside(_ index: Int) -> Range<Int> {
    let span = nodes[index].span
    return isPairs && index == 0 ? span : span.lowerBound + 1..<span.upperBound - 1
  }
}

/// The comments of an old-style text.
struct OldStyleComments {
  private let text: [UInt8]

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// The words of the comments that end where nothing but blanks follows up to `offset`, from the first to the last.
  func before(_ offset: Int) -> [String] {
    var found: [String] = []
    var end = offset
    while let comment = last(before: end) {
      found.append(comment.words)
      end = comment.start
    }
    return found.reversed()
  }

  private func last(before offset: Int) -> (words: String, start: Int)? {
    var end = offset
    var ends = 0
    while end > 0, text[end - 1] == 0x20 || (0x09...0x0d).contains(text[end - 1]) {
      end -= 1
      if text[end] == 0x0a { ends += 1 }
    }
    if end >= 4, text[end - 1] == 0x2f, text[end - 2] == 0x2a { return block(end: end) }
    guard ends > 0 else { return nil }
    let start = text[..<end].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let line = text[start..<end].drop { $0 == 0x20 || $0 == 0x09 }
    guard line.starts(with: [0x2f, 0x2f]) else { return nil }
    return (trimmed(line.dropFirst(2)), line.startIndex)
  }

  private func block(end: Int) -> (words: String, start: Int)? {
    var start = end - 4
    while start > 0, text[start] != 0x2f || text[start + 1] != 0x2a { start -= 1 }
    guard text[start] == 0x2f, text[start + 1] == 0x2a else { return nil }
    return (trimmed(text[start + 2..<end - 2]), start)
  }

  private func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
    while let last = rest.last, last == 0x20 || (0x09...0x0d).contains(last) { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }
}
