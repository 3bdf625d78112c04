import MPaaSSupport

extension PropertyListDocument {
  /// The document with a value put in the place of another one, or under a key that its dictionary has not got.
  ///
  /// - Throws: `plist-path` where the way there does not exist.
  package func setting(
    _ value: PropertyListValue, at path: [PropertyListStep]
  ) throws(ConfigError) -> PropertyListDocument {
    if let old = self.value(at: path) {
      if old == value { return self }
      let element = try writer.element(value, indent: layout.lineIndent(at: old.span.lowerBound))
      return try replacing([(old.span, element)], expecting: root.setting(value, at: path[...]))
    }
    guard case .key(let key)? = path.last else { throw pathError(path) }
    let parent = Array(path.dropLast())
    guard let container = self.value(at: parent), let members = container.members else { throw pathError(path) }
    let writer = writer
    let edit = try insertion(into: container, at: members.count) { (indent) throws(ConfigError) in
      try writer.member(PropertyListMember(key, value), indent: indent)
    }
    return try replacing([edit], expecting: root.setting(value, at: path[...]))
  }

  /// The document with a value put into an array; at its end where no index is given.
  ///
  /// - Throws: `plist-path` where there is no array, or the index lies outside.
  package func inserting(
    _ value: PropertyListValue, into path: [PropertyListStep], at index: Int? = nil
  ) throws(ConfigError) -> PropertyListDocument {
    guard let array = self.value(at: path), let values = array.values else { throw pathError(path) }
    let index = index ?? values.count
    guard (0...values.count).contains(index) else { throw pathError(path + [.index(index)]) }
    let writer = writer
    let edit = try insertion(into: array, at: index) { (indent) throws(ConfigError) in
      try writer.element(value, indent: indent)
    }
    var expected = values
    expected.insert(value, at: index)
    return try replacing([edit], expecting: root.setting(.array(expected), at: path[...]))
  }

  /// The document without a value of an array, or without a member of a dictionary; comments stay.
  ///
  /// - Throws: `plist-path` where there is no such value.
  package func removing(at path: [PropertyListStep]) throws(ConfigError) -> PropertyListDocument {
    guard let last = path.last, let container = value(at: Array(path.dropLast())), let value = container[last] else {
      throw pathError(path)
    }
    let layout = layout
    var spans = [value.span]
    if case .key(let key) = last, let member = container.member(key) {
      let gap = member.keySpan.upperBound..<value.span.lowerBound
      spans = layout.isBlank(gap) ? [member.keySpan.lowerBound..<value.span.upperBound] : [member.keySpan, value.span]
    }
    return try replacing(
      spans.map { (layout.lines(of: $0), "") },
      expecting: root.setting(container.without(last), at: path.dropLast()))
  }

  private var layout: PropertyListLayout { PropertyListLayout(text.utf8, root: root) }

  private var writer: PropertyListWriter { writer(layout) }

  func writer(_ layout: PropertyListLayout) -> PropertyListWriter {
    let text = text
    let holds: ((Unicode.Scalar) -> Bool)? = text.holdsAll ? nil : { text.holds($0) }
    return PropertyListWriter(file: file, newline: layout.newline, unit: layout.unit, holds: holds)
  }

  private func pathError(_ path: [PropertyListStep]) -> ConfigError {
    let words = path.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
    return ConfigError(.plistPath, ["file": file, "path": words.joined(separator: ".")], at: .file(file))
  }

  /// The text and place by which a container gets one more entry, laid out as the others are.
  func insertion(
    into container: PropertyListValue, at index: Int, _ write: (String) throws(ConfigError) -> String
  ) throws(ConfigError) -> (Range<Int>, String) {
    let layout = layout
    let spans = container.entrySpans
    let outer = layout.lineIndent(at: container.span.lowerBound)
    guard let first = spans.first, let inside = container.inside else {
      return try firstInsertion(into: container, outer: outer, layout, write)
    }
    guard let indent = PropertyListLayout.indent(layout.text, at: first.lowerBound) else {
      let position = index == 0 ? inside.lowerBound : spans[index - 1].upperBound
      return (position..<position, try write(outer))
    }
    let position = index == 0 ? inside.lowerBound : layout.behindComments(from: spans[index - 1].upperBound)
    return (position..<position, layout.newline + indent + (try write(indent)))
  }

  private func firstInsertion(
    into container: PropertyListValue, outer: String, _ layout: PropertyListLayout,
    _ write: (String) throws(ConfigError) -> String
  ) throws(ConfigError) -> (Range<Int>, String) {
    let indent = outer + layout.unit
    let entry = layout.newline + indent + (try write(indent))
    let closing = layout.newline + outer
    guard let inside = container.inside else {
      // `<array/>` gets a closing tag; what stands in the tag stays.
      var slash = container.span.upperBound - 2
      while slash > 0, PropertyListMarkup.isBlank(layout.text[slash - 1]) { slash -= 1 }
      return (slash..<container.span.upperBound, ">" + entry + closing + "</\(container.element)>")
    }
    if layout.isBlank(inside) { return (inside, entry + closing) }
    var end = inside.upperBound
    while PropertyListMarkup.isBlank(layout.text[end - 1]) { end -= 1 }
    let needsLine = !layout.text[end..<inside.upperBound].contains(0x0a)
    return (end..<end, entry + (needsLine ? closing : ""))
  }

  /// Writes, reads again, and holds the result against what it should say.
  private func replacing(
    _ edits: [(Range<Int>, String)], expecting expected: PropertyListValue
  ) throws(ConfigError) -> PropertyListDocument {
    let changed = PropertyListSplice.apply(
      edits.map { PropertyListSplice(range: $0.0, text: Array($0.1.utf8)) }, to: text.utf8)
    let document = try PropertyListDocument(PropertyListText(utf8: changed, encoding: text.encoding), file: file)
    let again = try PropertyListDocument(document.bytes, file: file)
    guard again.root == expected else { throw ConfigError(.plistEdit, ["file": file], at: .file(file)) }
    return again
  }
}

extension PropertyListValue {
  /// The same with another value at the end of the steps.
  func setting(_ value: PropertyListValue, at path: ArraySlice<PropertyListStep>) -> PropertyListValue {
    guard let step = path.first else { return value }
    let rest = path.dropFirst()
    switch (content, step) {
    case (.dictionary(var members), .key(let key)):
      if let index = members.lastIndex(where: { $0.key.isExactly(key) }) {
        members[index] = PropertyListMember(key, members[index].value.setting(value, at: rest))
      } else if rest.isEmpty {
        members.append(PropertyListMember(key, value))
      }
      return PropertyListValue(.dictionary(members))
    case (.array(var values), .index(let index)) where values.indices.contains(index):
      values[index] = values[index].setting(value, at: rest)
      return PropertyListValue(.array(values))
    default: return self
    }
  }

  func without(_ step: PropertyListStep) -> PropertyListValue {
    switch (content, step) {
    case (.dictionary(var members), .key(let key)):
      if let index = members.lastIndex(where: { $0.key.isExactly(key) }) { members.remove(at: index) }
      return PropertyListValue(.dictionary(members))
    case (.array(var values), .index(let index)) where values.indices.contains(index):
      values.remove(at: index)
      return PropertyListValue(.array(values))
    default: return self
    }
  }
}
