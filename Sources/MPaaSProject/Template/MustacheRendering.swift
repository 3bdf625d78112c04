/// Puts values into the tokens of a mustache text.
///
/// Sections of a text or a flag stand where it is something, those of a list once for each element: `{{.}}` is the
/// element, a record's fields stand by their names, and `first()`, `last()`, `even()`, `odd()` and `index()` tell which
/// one it is. Nothing is escaped unless a tag asks for it. Source: mustache(5).
struct MustacheRendering {
  private let tokens: [MustacheTags.Token]
  /// The end of the section that opens at an index.
  private let ends: [Int: Int]
  private var scopes: [Scope]
  private var bytes: [UInt8] = []

  /// The names that a section adds to the names that are known.
  private struct Scope {
    var values: TemplateValues = [:]
    /// The value of `.`.
    var element: TemplateValue?
    var index = 0
    var count = 0
  }

  init(_ tokens: [MustacheTags.Token], _ values: TemplateValues) {
    self.tokens = tokens
    scopes = [Scope(values: values)]
    var (ends, open): ([Int: Int], [Int]) = ([:], [])
    for (index, token) in tokens.enumerated() {
      if case .open = token { open.append(index) }
      if case .close = token, let start = open.popLast() { ends[start] = index }
    }
    self.ends = ends
  }

  var text: String {
    var copy = self
    copy.render(tokens.indices)
    return String(decoding: copy.bytes, as: UTF8.self)
  }

  private mutating func render(_ range: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound {
      switch tokens[index] {
      case .text(let text): bytes += text
      case .value(let tag): bytes += Self.shown(value(of: tag)).utf8
      case .open(let tag, let isInverted):
        let end = ends[index] ?? range.upperBound
        section(value(of: tag), isInverted: isInverted, index + 1..<end)
        index = end
      case .close, .silent: break
      }
      index += 1
    }
  }

  private mutating func section(_ value: TemplateValue?, isInverted: Bool, _ body: Range<Int>) {
    guard !isInverted, let value else {
      if value?.isSomething != true { render(body) }
      return
    }
    switch value {
    case .flag, .text: if value.isSomething { render(body, in: Scope(element: value)) }
    case .list(let list):
      for (index, text) in list.enumerated() {
        render(body, in: Scope(element: .text(text), index: index, count: list.count))
      }
    case .records(let records):
      for (index, record) in records.enumerated() {
        render(body, in: Scope(values: record.mapValues { .text($0) }, index: index, count: records.count))
      }
    }
  }

  private mutating func render(_ body: Range<Int>, in scope: Scope) {
    scopes.append(scope)
    render(body)
    scopes.removeLast()
  }

  /// The innermost value of a name, with the transforms of the tag, the last one first.
  private func value(of tag: MustacheTags.Tag) -> TemplateValue? {
    var transforms = tag.transforms
    var value: TemplateValue?
    if !tag.name.isEmpty {
      value = scopes.last { $0.values[tag.name] != nil }?.values[tag.name]
    } else if let transform = transforms.last, let told = Self.place(transform, scopes.last { $0.count > 0 }) {
      transforms.removeLast()
      value = told
    } else {
      value = scopes.last { $0.element != nil }?.element
    }
    return transforms.reversed().reduce(value) { value, transform in
      value.flatMap { Self.transformed($0, transform) }
    }
  }

  /// The place of the element that a section stands for.
  private static func place(_ transform: String, _ scope: Scope?) -> TemplateValue? {
    guard let scope else { return nil }
    return switch transform {
    case "first": .flag(scope.index == 0)
    case "last": .flag(scope.index == scope.count - 1)
    case "even": .flag(scope.index.isMultiple(of: 2))
    case "odd": .flag(!scope.index.isMultiple(of: 2))
    case "index": .text(String(scope.index))
    default: nil
    }
  }

  private static func transformed(_ value: TemplateValue, _ transform: String) -> TemplateValue? {
    switch (value, transform) {
    case (_, "empty"): .flag(!value.isSomething)
    case (.text(let text), _): TemplateText.transformed(text, transform).map { .text($0) }
    case (.list(let list), "first"): list.first.map { .text($0) }
    case (.list(let list), "last"): list.last.map { .text($0) }
    case (.list(let list), "count"): .text(String(list.count))
    case (.list(let list), "reversed"): .list(list.reversed())
    case (.list(let list), "sorted"): .list(list.sorted())
    case (.records(let records), "count"): .text(String(records.count))
    case (.records(let records), "reversed"): .records(records.reversed())
    default: nil
    }
  }

  private static func shown(_ value: TemplateValue?) -> String {
    switch value {
    case .text(let text): text
    case .flag(let flag): String(flag)
    case .list(let list): list.joined(separator: ", ")
    case .records, nil: ""
    }
  }
}
