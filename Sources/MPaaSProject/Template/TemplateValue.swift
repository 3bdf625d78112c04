package import MPaaSSupport

/// The value of a variable.
package enum TemplateValue: Sendable, Hashable {
  case text(String)
  case flag(Bool)
  case list([String])
  /// Texts by name, several times: the keys of an app.
  case records([[String: String]])

  /// Tells whether a condition that only names the variable holds.
  package var isSomething: Bool {
    switch self {
    case .text(let text): !text.isEmpty
    case .flag(let flag): flag
    case .list(let list): !list.isEmpty
    case .records(let records): !records.isEmpty
    }
  }

  /// Tells whether it is what a word of a condition says; of a list, whether it has it.
  func holds(_ word: String) -> Bool {
    switch self {
    case .text(let text): text == word
    case .flag(let flag): String(flag) == word
    case .list(let list): list.contains(word)
    case .records: false
    }
  }
}

/// The value of each variable, by its name.
package typealias TemplateValues = [String: TemplateValue]

extension TemplateValue {
  package var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .list(let list): .array(list.map { .string($0) })
    case .records(let records): .array(records.map { .object($0.mapValues { .string($0) }) })
    }
  }

  /// - Returns: nil for a value that no variable has.
  package init?(_ json: JSONValue) {
    switch json {
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .flag(flag)
    case .array(let elements):
      let texts = elements.compactMap(\.string)
      if texts.count == elements.count {
        self = .list(texts)
        return
      }
      let records = elements.compactMap { $0.object?.compactMapValues(\.string) }
      guard records.count == elements.count else { return nil }
      self = .records(records)
    default: return nil
    }
  }
}
