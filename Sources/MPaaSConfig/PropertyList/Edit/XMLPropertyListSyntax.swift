import MPaaSSupport

/// The layout of an XML property list.
struct XMLPropertyListSyntax: PropertyListSyntax {
  private let document: PropertyListDocument
  private let layout: PropertyListLayout
  private let writer: PropertyListWriter

  init(_ document: PropertyListDocument) {
    self.document = document
    layout = PropertyListLayout(document.text.utf8, root: document.root)
    writer = document.writer(layout)
  }

  func replacement(of old: PropertyListValue, with new: PropertyListValue) throws(ConfigError) -> PropertyListSplice {
    let element = try writer.element(new, indent: layout.lineIndent(at: old.span.lowerBound))
    return PropertyListSplice(range: old.span, text: Array(element.utf8))
  }

  func insertion(
    of entries: [PropertyListEntry], into container: PropertyListValue, at index: Int
  ) throws(ConfigError) -> PropertyListSplice {
    let isInline = container.firstSpan.map { PropertyListLayout.indent(layout.text, at: $0.lowerBound) == nil } == true
    let (range, text) = try document.insertion(into: container, at: index) { (indent) throws(ConfigError) in
      var text = ""
      for (offset, entry) in entries.enumerated() {
        if offset > 0, !isInline { text += layout.newline + indent }
        switch entry {
        case .value(let value): text += try writer.element(value, indent: indent)
        case .member(let member): text += try writer.member(member, indent: indent)
        }
      }
      return text
    }
    return PropertyListSplice(range: range, text: Array(text.utf8))
  }

  func removal(of entries: Range<Int>, from container: PropertyListValue) -> [PropertyListSplice] {
    entries.flatMap { index -> [Range<Int>] in
      if let values = container.values { return [values[index].span] }
      guard let member = container.members?[index] else { return [] }
      let gap = member.keySpan.upperBound..<member.value.span.lowerBound
      return layout.isBlank(gap)
        ? [member.keySpan.lowerBound..<member.value.span.upperBound] : [member.keySpan, member.value.span]
    }.map { PropertyListSplice(range: layout.lines(of: $0), text: []) }
  }
}
