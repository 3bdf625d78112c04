/// A comment of a table of texts.
package struct StringsComment: Sendable {
  /// The words of a merge for translators; a comment that says just this is no comment of the text.
  package enum Mark: String, Sendable {
    case new = "New: not translated yet."
    case stale = "Stale: no source asks for this text."
  }

  let span: Range<Int>
  let words: String

  var mark: Mark? { Mark(rawValue: words) }

  /// The comments that belong to the key at `key`: those that no empty line parts from it, the line of the entry
  /// before left out.
  static func before(_ key: Int, from start: Int, in text: [UInt8]) -> [StringsComment] {
    var comments: [StringsComment] = []
    var offset = start
    var lineEnds = start == 0 ? 2 : 0
    var isOfEntryBefore = start != 0
    while offset < key {
      let byte = text[offset]
      if byte == 0x2f, offset + 1 < key, text[offset + 1] == 0x2a || text[offset + 1] == 0x2f {
        let end = end(of: offset, in: text, limit: key)
        let isBlock = text[offset + 1] == 0x2a
        if lineEnds > 1 { comments = [] }
        let inside = offset + 2..<max(offset + 2, end - (isBlock ? 2 : 0))
        comments.append(StringsComment(span: offset..<end, words: words(text[inside])))
        lineEnds = 0
        offset = end
      } else {
        if byte == 0x0a {
          // A comment that ends the line of the entry before is about that entry.
          if isOfEntryBefore { comments = [] }
          lineEnds += 1
          isOfEntryBefore = false
        }
        offset += 1
      }
    }
    return lineEnds > 1 ? [] : comments
  }

  /// Behind the semicolon of the entry whose value ends at `start`.
  static func semicolon(from start: Int, in text: [UInt8]) -> Int {
    var offset = start
    while offset < text.count, text[offset] != 0x3b {
      if text[offset] == 0x2f, offset + 1 < text.count, text[offset + 1] == 0x2a || text[offset + 1] == 0x2f {
        offset = end(of: offset, in: text, limit: text.count)
      } else {
        offset += 1
      }
    }
    return min(offset + 1, text.count)
  }

  private static func end(of start: Int, in text: [UInt8], limit: Int) -> Int {
    var offset = start + 2
    if text[start + 1] == 0x2f {
      while offset < limit, text[offset] != 0x0a { offset += 1 }
      return min(offset, limit)
    }
    while offset < limit {
      if text[offset] == 0x2a, offset + 1 < limit, text[offset + 1] == 0x2f { return offset + 2 }
      offset += 1
    }
    return limit
  }

  private static func words(_ bytes: ArraySlice<UInt8>) -> String {
    var rest = bytes.drop(while: SourceBytes.isSpace)
    while let last = rest.last, SourceBytes.isSpace(last) { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }
}
