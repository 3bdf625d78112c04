import MPaaSSupport

/// The layout of a JSON file.
struct JSONPropertyListSyntax: PropertyListSyntax {
  private let layout: PropertyListLayout
  private let writer: PropertyListJSONWriter
  private let isOneLine: Bool

  init(_ text: [UInt8], root: PropertyListValue, file: String, isTagged: Bool) {
    layout = PropertyListLayout(text, root: root, unit: "  ")
    // A file on one line stays on one; the line feed at its end does not count.
    isOneLine = root.children.count > 0 && !text[root.span].contains(0x0a)
    let colon = Self.colon(text, root)
    writer = PropertyListJSONWriter(
      file: file, isTagged: isTagged, unit: isOneLine ? nil : layout.unit, newline: layout.newline, colon: colon)
  }

  /// The text between the first name and its value, where that is no line's end.
  private static func colon(_ text: [UInt8], _ root: PropertyListValue) -> String? {
    var value = root
    for _ in 0..<PropertyListReader.deepest {
      if let member = value.members?.first {
        let between = text[member.keySpan.upperBound..<member.value.span.lowerBound]
        return between.contains(0x0a) ? nil : String(decoding: between, as: UTF8.self)
      }
      guard let first = value.children.first else { return nil }
      value = first
    }
    return nil
  }

  func replacement(of old: PropertyListValue, with new: PropertyListValue) throws(ConfigError) -> PropertyListSplice {
    PropertyListSplice(range: old.span, text: try writer.text(new, indent: layout.lineIndent(at: old.span.lowerBound)))
  }

  private func text(_ entry: PropertyListEntry, indent: String) throws(ConfigError) -> [UInt8] {
    switch entry {
    case .value(let value): try writer.text(value, indent: indent)
    case .member(let member): try writer.text(member, indent: indent)
    }
  }

  /// The text between the entries of a container, behind the comma.
  private func gap(_ spans: [Range<Int>], indent: String?) -> String {
    if let indent { return layout.newline + indent }
    guard spans.count > 1 else { return layout.text.contains(0x20) && !isOneLine ? " " : "" }
    let between = layout.text[spans[0].upperBound..<spans[1].lowerBound]
    return String(decoding: between.drop { $0 != 0x2c }.dropFirst(), as: UTF8.self)
  }

  func insertion(
    of entries: [PropertyListEntry], into container: PropertyListValue, at index: Int
  ) throws(ConfigError) -> PropertyListSplice {
    let spans = container.entrySpans
    let outer = layout.lineIndent(at: container.span.lowerBound)
    var text: [UInt8] = []
    guard let first = spans.first else {
      let inside = container.inside ?? container.span
      let open = isOneLine ? "" : layout.newline + outer + layout.unit
      for (offset, entry) in entries.enumerated() {
        if offset > 0 { text.append(0x2c) }
        text += open.utf8
        text += try self.text(entry, indent: outer + layout.unit)
      }
      return PropertyListSplice(range: inside, text: text + Array((isOneLine ? "" : layout.newline + outer).utf8))
    }
    let indent = PropertyListLayout.indent(layout.text, at: first.lowerBound)
    let gap = gap(spans, indent: indent)
    for entry in entries {
      let words = try self.text(entry, indent: indent ?? outer)
      if index == 0 { text += words + [0x2c] + Array(gap.utf8) } else { text += [0x2c] + Array(gap.utf8) + words }
    }
    let position = index == 0 ? first.lowerBound : spans[index - 1].upperBound
    return PropertyListSplice(range: position..<position, text: text)
  }

  func removal(of entries: Range<Int>, from container: PropertyListValue) -> [PropertyListSplice] {
    let spans = container.entrySpans
    guard let first = entries.first, let last = entries.last else { return [] }
    let range: Range<Int>
    if last + 1 < spans.count {
      range = spans[first].lowerBound..<spans[last + 1].lowerBound
    } else if first > 0 {
      range = spans[first - 1].upperBound..<spans[last].upperBound
    } else {
      range = container.inside ?? container.span
    }
    return [PropertyListSplice(range: range, text: [])]
  }
}
