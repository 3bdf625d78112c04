import MPaaSJSON

/// The helpers of templates, by their names.
enum TemplateHelpers {
  typealias Helper = @Sendable (TemplateArguments, inout TemplateRun) -> TemplateValue

  /// Helpers that decide, as blocks, which part is shown.
  static let conditions: Set<String> = [
    "eq", "neq", "gt", "gte", "lt", "lte", "and", "or", "not", "matches", "contains", "isOdd", "isEven",
  ]

  static let all: [String: Helper] = [
    plain, numbers, texts, times, documents, arrays,
  ].reduce(into: [:]) { all, part in all.merge(part) { one, _ in one } }

  static func error(_ text: String) -> TemplateValue { .text("[ERROR: \(text)]") }

  /// Handlebars' own helpers, comparisons, and what is about values of any kind.
  private static let plain: [String: Helper] = [
    "lookup": { arguments, _ in arguments[0].member(arguments[1].text) },
    "log": { _, _ in .nothing },
    "if": { arguments, _ in arguments[0].isTrue ? arguments[1] : arguments[2] },
    "eq": { arguments, _ in .flag(isEqual(arguments[0], arguments[1])) },
    "neq": { arguments, _ in .flag(!isEqual(arguments[0], arguments[1])) },
    "gt": { arguments, _ in .flag(order(arguments[0], arguments[1]) == 1) },
    "gte": { arguments, _ in .flag((order(arguments[0], arguments[1]) ?? -1) >= 0) },
    "lt": { arguments, _ in .flag(order(arguments[0], arguments[1]) == -1) },
    "lte": { arguments, _ in .flag((order(arguments[0], arguments[1]) ?? 1) <= 0) },
    "and": { arguments, _ in .flag(arguments.values.allSatisfy(\.isTrue)) },
    "or": { arguments, _ in .flag(arguments.values.contains(where: \.isTrue)) },
    "not": { arguments, _ in .flag(!arguments[0].isTrue) },
    "val": { arguments, run in
      var value = arguments[0]
      if case .nothing = value { value = arguments.options["or"] ?? .nothing }
      if case .nothing = value, let block = arguments.block { value = .text(run.captured(block.content)) }
      guard let name = arguments.text("assign") else { return value }
      run.assigned[name] = value
      return .nothing
    },
    "assign": { arguments, run in
      guard let block = arguments.block else { return error("assign is a block") }
      run.assigned[arguments[0].text] = .text(run.captured(block.content))
      return .nothing
    },
    "matches": { arguments, _ in
      guard let pattern = try? JavaPattern(arguments[1].text) else { return .flag(false) }
      return .flag(pattern.matches(arguments[0].text))
    },
    "contains": { arguments, _ in
      if let elements = arguments[0].elements { return .flag(elements.contains { isEqual($0, arguments[1]) }) }
      return .flag(arguments[1].text.isEmpty || arguments[0].text.contains(arguments[1].text))
    },
    "size": { arguments, _ in
      if case .text(let text) = arguments[0] { return .json(.whole(text.count)) }
      let count = arguments[0].elements?.count ?? arguments[0].pairs?.count ?? arguments[0].text.count
      return .json(.whole(count))
    },
    "hostname": { _, run in .text(run.context.hostName) },
    "systemValue": { arguments, run in
      let key = arguments.text("key") ?? ""
      guard !key.isEmpty else { return error("the key cannot be empty") }
      // Else a stub could read whatever secrets a shell has.
      guard key.lowercased().hasPrefix("wiremock") || key.hasPrefix("MPAAS_MOCK_") else {
        return error("access to \(key) is denied")
      }
      return (run.context.environment[key] ?? arguments.text("default")).map { .text($0) } ?? .nothing
    },
  ]

  static func isEqual(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
    if let first = one.double, let second = other.double { return first == second }
    return one.text == other.text
  }

  private static func order(_ one: TemplateValue, _ other: TemplateValue) -> Int? {
    if let first = one.double, let second = other.double { return first < second ? -1 : first == second ? 0 : 1 }
    return one.text < other.text ? -1 : one.text == other.text ? 0 : 1
  }
}
