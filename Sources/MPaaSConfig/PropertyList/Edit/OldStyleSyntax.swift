import MPaaSSupport

/// The layout of an old-style property list.
struct OldStyleSyntax: PropertyListSyntax {
  private let layout: PropertyListLayout
  private let writer: OldStyleWriter
  private let isPairs: Bool

  init(_ document: OldStyleDocument) {
    layout = PropertyListLayout(document.text.utf8, root: document.root)
    isPairs = document.isPairs
    var writer = OldStyleWriter()
    writer.newline = layout.newline
    writer.unit = layout.unit
    if document.isPairs { writer.quotes = .always }
    if document.isTyped { writer.types = .gnustep }
    self.writer = writer
  }

  func replacement(of old: PropertyListValue, with new: PropertyListValue) throws(ConfigError) -> PropertyListSplice {
    let text = try writer.text(new, indent: layout.lineIndent(at: old.span.lowerBound))
    return PropertyListSplice(range: old.span, text: Array(text.utf8))
  }

  private func text(_ entry: PropertyListEntry, indent: String) throws(ConfigError) -> String {
    switch entry {
    case .value(let value): try writer.text(value, indent: indent)
    case .member(let member): try writer.entry(member, indent: indent)
    }
  }

  /// Behind the sign that ends an entry, with nothing but blanks and comments before it; nil where there is none.
  private func end(of span: Range<Int>, before limit: Int, sign: UInt8) -> Int? {
    var position = span.upperBound
    let text = layout.text
    while position < limit {
      if text[position] == sign { return position + 1 }
      guard let next = behindBlank(position, before: limit) else { return nil }
      position = next
    }
    return nil
  }

  /// Behind one blank or one comment; nil where neither stands.
  private func behindBlank(_ position: Int, before limit: Int) -> Int? {
    let text = layout.text
    if text[position] == 0x20 || (0x09...0x0d).contains(text[position]) { return position + 1 }
    guard text[position] == 0x2f, position + 1 < limit else { return nil }
    if text[position + 1] == 0x2f {
      return text[position..<limit].firstIndex(of: 0x0a) ?? limit
    }
    guard text[position + 1] == 0x2a else { return nil }
    var end = position + 2
    while end + 1 < limit, text[end] != 0x2a || text[end + 1] != 0x2f { end += 1 }
    return end + 1 < limit ? end + 2 : nil
  }

  /// Behind the comments that follow on the same line; `offset` itself where something else follows.
  private func behindComments(from offset: Int) -> Int {
    var (position, end) = (offset, offset)
    let text = layout.text
    while position < text.count, text[position] != 0x0a, text[position] != 0x0d {
      let isComment = text[position] == 0x2f
      guard let next = behindBlank(position, before: text.count) else { return offset }
      position = next
      if isComment { end = next }
    }
    return text[offset..<end].contains(0x0a) ? offset : end
  }

  private func inside(_ container: PropertyListValue) -> Range<Int> {
    container.inside ?? container.span
  }

  func insertion(
    of entries: [PropertyListEntry], into container: PropertyListValue, at index: Int
  ) throws(ConfigError) -> PropertyListSplice {
    let spans = container.entrySpans
    let inside = inside(container)
    let isRoot = isPairs && container.inside == container.span
    let outer = isRoot ? "" : layout.lineIndent(at: container.span.lowerBound)
    let isArray = container.values != nil
    guard let first = spans.first else { return try fill(container, with: entries, outer, isRoot) }
    let indent = PropertyListLayout.indent(layout.text, at: first.lowerBound)
    let gap = indent.map { layout.newline + $0 } ?? " "
    var text = ""
    if index == 0 {
      for entry in entries { text += (try self.text(entry, indent: indent ?? outer)) + (isArray ? "," : "") + gap }
      return PropertyListSplice(range: first.lowerBound..<first.lowerBound, text: Array(text.utf8))
    }
    let limit = index < spans.count ? spans[index].lowerBound : inside.upperBound
    let behind = end(of: spans[index - 1], before: limit, sign: isArray ? 0x2c : 0x3b)
    for (offset, entry) in entries.enumerated() {
      let words = gap + (try self.text(entry, indent: indent ?? outer))
      if !isArray {
        text += words
      } else if behind == nil {
        text += offset == 0 ? words : "," + words
      } else {
        text += words + ","
      }
    }
    guard let behind else {
      let position = spans[index - 1].upperBound
      return PropertyListSplice(range: position..<position, text: Array(((isArray ? "," : ";") + text).utf8))
    }
    let position = indent == nil ? behind : behindComments(from: behind)
    return PropertyListSplice(range: position..<position, text: Array(text.utf8))
  }

  /// The first entries of a container; comments in it stay before them.
  private func fill(
    _ container: PropertyListValue, with entries: [PropertyListEntry], _ outer: String, _ isRoot: Bool
  ) throws(ConfigError) -> PropertyListSplice {
    let inside = inside(container)
    let indent = isRoot ? "" : outer + layout.unit
    var lines: [String] = []
    for entry in entries {
      lines.append(indent + (try text(entry, indent: indent)) + (container.values == nil ? "" : ","))
    }
    let joined = lines.joined(separator: layout.newline)
    if isRoot {
      let needsLine = !inside.isEmpty && layout.text[inside.upperBound - 1] != 0x0a
      let text = (needsLine ? layout.newline : "") + joined + layout.newline
      return PropertyListSplice(range: inside.upperBound..<inside.upperBound, text: Array(text.utf8))
    }
    let text = layout.newline + joined + layout.newline + outer
    if layout.isBlank(inside) { return PropertyListSplice(range: inside, text: Array(text.utf8)) }
    return PropertyListSplice(range: inside.upperBound..<inside.upperBound, text: Array(text.utf8))
  }

  func removal(of entries: Range<Int>, from container: PropertyListValue) -> [PropertyListSplice] {
    let spans = container.entrySpans
    let limit = inside(container).upperBound
    let isArray = container.values != nil
    return entries.flatMap { index -> [PropertyListSplice] in
      let next = index + 1 < spans.count ? spans[index + 1].lowerBound : limit
      let sign: UInt8 = isArray ? 0x2c : 0x3b
      let behind = end(of: spans[index], before: next, sign: sign)
      if behind == nil, isArray, index > 0, !entries.contains(index - 1), index == entries.lowerBound {
        // The last one has no comma behind it, and takes the one before it along.
        let gap = spans[index - 1].upperBound..<spans[index].lowerBound
        if layout.text[gap].allSatisfy({ $0 == 0x2c || PropertyListMarkup.isBlank($0) }) {
          return [PropertyListSplice(range: gap.lowerBound..<spans[index].upperBound, text: [])]
        }
      }
      let end = behind ?? spans[index].upperBound
      let whole = spans[index].lowerBound..<end
      let between = spans[index].upperBound..<max(spans[index].upperBound, end - 1)
      guard layout.isBlank(between) else {
        return [
          PropertyListSplice(range: spans[index], text: []), PropertyListSplice(range: end - 1..<end, text: []),
        ]
      }
      let lines = layout.lines(of: whole)
      if lines != whole { return [PropertyListSplice(range: lines, text: [])] }
      // On a line with others: the blanks up to the next go too.
      var after = end
      while after < next, layout.text[after] == 0x20 || layout.text[after] == 0x09 { after += 1 }
      return [PropertyListSplice(range: whole.lowerBound..<(after == next ? after : end), text: [])]
    }
  }
}

extension OldStyleDocument {
  /// Tells whether it has values in the form of GNUstep, so that new ones are written in it too.
  var isTyped: Bool { tape.nodes.contains { $0.kind == .typed } }
}
