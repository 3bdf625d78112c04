import MPaaSConfig
package import MPaaSSupport

/// A table of one language (`.strings`) as it stands in its file: its texts, and every byte around them.
package struct StringsFile: Sendable {
  package struct Entry: Sendable {
    package let key: String
    package let value: String
    /// The comment before it, marks left out; nil where there is none.
    package let comment: String?
    package let isNew: Bool
    package let isStale: Bool
    package let place: Place
    let keySpan: Range<Int>
    let valueSpan: Range<Int>
    let comments: [StringsComment]
    /// Behind the semicolon.
    let end: Int
  }

  /// The file's name in errors.
  package let file: String
  package let bytes: [UInt8]
  /// In the order of the file; a key that stands there twice is there twice.
  package let entries: [Entry]
  let text: [UInt8]
  private let encoding: TextEncoding
  /// Tells whether the file is a property list in XML, which is read and not edited.
  private let isXML: Bool

  package init(_ bytes: [UInt8], file: String) throws(LanguageError) {
    self.file = file
    self.bytes = bytes
    encoding = TextEncoding(of: bytes)
    guard let text = encoding.decode(bytes) else {
      throw LanguageError(.tableEncoding, ["file": file], at: .file(file))
    }
    self.text = text
    isXML = text.first { !SourceBytes.isSpace($0) } == 0x3c || bytes.starts(with: "bplist".utf8)
    do throws(ConfigError) {
      entries = isXML ? try Self.listed(bytes, file) : try Self.read(text, file)
    } catch {
      throw LanguageError(error)
    }
  }

  private static func listed(_ bytes: [UInt8], _ file: String) throws(ConfigError) -> [Entry] {
    let document = try PropertyListDocument(bytes, file: file)
    return (document.root.members ?? []).compactMap { member in
      guard let value = member.value.string else { return nil }
      return Entry(
        key: member.key, value: value, comment: nil, isNew: false, isStale: false, place: document.place(of: member),
        keySpan: 0..<0, valueSpan: 0..<0, comments: [], end: 0)
    }
  }

  private static func read(_ text: [UInt8], _ file: String) throws(ConfigError) -> [Entry] {
    let tape = try OldStyleTape(text, file: file, words: .gnustep, canBeEmpty: true)
    let lines = OldStyleLines(tape, file: file)
    guard !tape.nodes.isEmpty, tape.nodes[0].kind == .dictionary else { return [] }
    var entries: [Entry] = []
    var end = tape.isPairs ? 0 : tape.nodes[0].span.lowerBound + 1
    for key in tape.children(of: 0) where tape.isString(key + 1) {
      let (keySpan, valueSpan) = (tape.nodes[key].span, tape.nodes[key + 1].span)
      let comments = StringsComment.before(keySpan.lowerBound, from: end, in: text)
      end = StringsComment.semicolon(from: max(keySpan.upperBound, valueSpan.upperBound), in: text)
      entries.append(
        Entry(
          key: tape.string(key), value: tape.string(key + 1), comment: comments.last { $0.mark == nil }?.words,
          isNew: comments.contains { $0.mark == .new }, isStale: comments.contains { $0.mark == .stale },
          place: lines.place(at: keySpan.lowerBound), keySpan: keySpan, valueSpan: valueSpan, comments: comments,
          end: end))
    }
    return entries
  }
}

/// The edits of a table.
package enum StringsEdit: Sendable, Equatable {
  case setValue(String, ofEntry: Int)
  case mark(StringsComment.Mark, entry: Int)
  case unmark(StringsComment.Mark, entry: Int)
  case comment(String, entry: Int)
  case remove(entry: Int)
  case append(key: String, value: String, comment: String?, isNew: Bool)
}

extension StringsFile {
  /// The words of genstrings where a source says nothing, which is what tools look for.
  package static let noComment = "No comment provided by engineer."

  /// The file's bytes with edits made; all that they do not name stays.
  package func bytes(_ edits: [StringsEdit]) throws(LanguageError) -> [UInt8] {
    guard !edits.isEmpty else { return bytes }
    guard !isXML else { throw LanguageError(.tableXML, ["file": file], at: .file(file)) }
    let newline = text.containsPair(0x0d, 0x0a) ? "\r\n" : "\n"
    var splices = TextSplices(text)
    var added = ""
    for edit in edits {
      switch edit {
      case .setValue(let value, let index):
        let entry = entries[index]
        // `key;` stands for a text that is its own key.
        let isShort = entry.valueSpan == entry.keySpan
        let quoted = OldStyleWriter.quoted(value)
        if isShort {
          splices.replace(entry.keySpan.upperBound..<entry.keySpan.upperBound, with: " = " + quoted)
        } else {
          splices.replace(entry.valueSpan, with: quoted)
        }
      case .mark(let mark, let index):
        let start = entries[index].keySpan.lowerBound
        splices.replace(start..<start, with: "/* \(mark.rawValue) */" + newline)
      case .unmark(let mark, let index):
        for comment in entries[index].comments where comment.mark == mark {
          splices.replace(comment.span.lowerBound..<lineEnd(comment.span.upperBound), with: "")
        }
      case .comment(let words, let index):
        let entry = entries[index]
        if let old = entry.comments.last(where: { $0.mark == nil }) {
          splices.replace(old.span, with: Self.comment(words))
        } else {
          splices.replace(entry.keySpan.lowerBound..<entry.keySpan.lowerBound, with: Self.comment(words) + newline)
        }
      case .remove(let index):
        let entry = entries[index]
        let start = entry.comments.first?.span.lowerBound ?? entry.keySpan.lowerBound
        var end = lineEnd(entry.end)
        if start == 0 || (start > 1 && text[start - 1] == 0x0a && text[start - 2] == 0x0a) { end = lineEnd(end) }
        splices.replace(start..<end, with: "")
      case .append(let key, let value, let comment, let isNew):
        added += Self.entry(key, value, comment, isNew: isNew, newline)
      }
    }
    if !added.isEmpty {
      let isEnded = text.isEmpty || text.last == 0x0a
      let isParted = text.isEmpty || text.suffix(2) == [0x0a, 0x0a] || text.suffix(4) == [0x0d, 0x0a, 0x0d, 0x0a]
      let gap = (isEnded ? "" : newline) + (isParted ? "" : newline)
      // Entries end with an empty line, the file with a line.
      splices.replace(text.count..<text.count, with: gap + added.dropLast())
    }
    return encoding.encode(splices.result)
  }

  /// Behind the line end that follows, if only blanks stand before it.
  private func lineEnd(_ offset: Int) -> Int {
    var end = offset
    while end < text.count, text[end] == 0x20 || text[end] == 0x09 || text[end] == 0x0d { end += 1 }
    return end < text.count && text[end] == 0x0a ? end + 1 : offset
  }

  private static func comment(_ words: String) -> String {
    "/* " + words.replacing("*/", with: "* /") + " */"
  }

  static func entry(_ key: String, _ value: String, _ comment: String?, isNew: Bool, _ newline: String) -> String {
    let words = comment.flatMap { $0.isEmpty ? nil : $0 } ?? noComment
    let mark = isNew ? "/* \(StringsComment.Mark.new.rawValue) */" + newline : ""
    return Self.comment(words) + newline + mark + OldStyleWriter.quoted(key) + " = " + OldStyleWriter.quoted(value)
      + ";" + newline + newline
  }

  /// A table of texts as genstrings writes it.
  package static func text(_ entries: [(key: String, value: String, comment: String?)]) -> String {
    String(entries.map { entry($0.key, $0.value, $0.comment, isNew: false, "\n") }.joined().dropLast())
  }
}
