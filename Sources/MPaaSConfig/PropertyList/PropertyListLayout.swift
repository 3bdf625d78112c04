/// The layout of a property list: what an edit copies from its neighbors.
struct PropertyListLayout {
  let text: [UInt8]
  let newline: String
  /// The indentation of one level.
  let unit: String

  init(_ text: [UInt8], root: PropertyListValue, unit: String = "\t") {
    self.text = text
    let end = text.firstIndex(of: 0x0a)
    newline = end.map { $0 > 0 && text[$0 - 1] == 0x0d } == true ? "\r\n" : "\n"
    self.unit = Self.unit(text, root) ?? unit
  }

  /// The blanks before `offset` on its line; nil where something else stands there too.
  static func indent(_ text: [UInt8], at offset: Int) -> String? {
    var start = offset
    while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    guard start == 0 || text[start - 1] == 0x0a else { return nil }
    return String(decoding: text[start..<offset], as: UTF8.self)
  }

  /// The blanks that the line of `offset` begins with.
  func lineIndent(at offset: Int) -> String {
    let start = text[..<offset].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let blanks = text[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
    return String(decoding: blanks, as: UTF8.self)
  }

  private static func unit(_ text: [UInt8], _ root: PropertyListValue) -> String? {
    var waiting = [root]
    // Breadth first, and not for ever: the first levels tell.
    for _ in 0..<1000 {
      guard let value = waiting.popLast() else { return nil }
      if let child = value.firstSpan, let outer = indent(text, at: value.span.lowerBound),
        let inner = indent(text, at: child.lowerBound), inner.hasPrefix(outer), inner.count > outer.count
      {
        return String(inner.dropFirst(outer.count))
      }
      waiting.insert(contentsOf: value.children.prefix(100), at: 0)
    }
    return nil
  }

  /// Behind the blanks and comments that follow `offset` on its line; `offset` itself where they are all blanks.
  func behindComments(from offset: Int) -> Int {
    var position = offset
    var end = offset
    while position < text.count {
      if text[position] == 0x20 || text[position] == 0x09 {
        position += 1
      } else if text[position...].starts(with: "<!--".utf8) {
        guard let close = closeOfComment(from: position + 4) else { return end }
        (position, end) = (close, close)
      } else {
        break
      }
    }
    return position < text.count && (text[position] == 0x0a || text[position] == 0x0d) ? end : offset
  }

  private func closeOfComment(from start: Int) -> Int? {
    var position = start
    while position + 3 <= text.count {
      if text[position...].starts(with: "-->".utf8) { return position + 3 }
      position += 1
    }
    return nil
  }

  /// The range that goes away with an element: its whole lines where nothing else stands on them.
  func lines(of span: Range<Int>) -> Range<Int> {
    guard Self.indent(text, at: span.lowerBound) != nil else { return span }
    let start = text[..<span.lowerBound].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    var end = span.upperBound
    while end < text.count, text[end] == 0x20 || text[end] == 0x09 || text[end] == 0x0d { end += 1 }
    if end < text.count, text[end] == 0x0a { return start..<end + 1 }
    return span
  }

  func isBlank(_ range: Range<Int>) -> Bool { text[range].allSatisfy(PropertyListMarkup.isBlank) }
}

extension PropertyListValue {
  /// The values that it holds.
  var children: [PropertyListValue] { values ?? members?.map(\.value) ?? [] }

  /// The places of the entries of a container: values, or keys with their values.
  var entrySpans: [Range<Int>] {
    values?.map(\.span) ?? members?.map { $0.keySpan.lowerBound..<$0.value.span.upperBound } ?? []
  }

  var firstSpan: Range<Int>? { entrySpans.first }
}
