import MPaaSJSON

/// The part of a pattern that says which targets it is for.
package enum URLPattern: Sendable {
  case any
  /// Path and query, exactly.
  case url(String)
  case urlPattern(JavaPattern)
  /// The path, exactly.
  case path(String)
  case pathPattern(JavaPattern)
  case pathTemplate(PathTemplate)

  init(_ reader: StubReader) throws(StubProblem) {
    let words = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"].filter { reader[$0] != nil }
    guard words.count < 2 else { throw reader.problem("has several of \(words.joined(separator: ", "))") }
    guard let word = words.first, let value = reader[word] else {
      self = .any
      return
    }
    switch word {
    case "url": self = .url(try value.string())
    case "urlPattern": self = .urlPattern(try ContentPattern.expression(value))
    case "urlPath": self = .path(try value.string())
    case "urlPathPattern": self = .pathPattern(try ContentPattern.expression(value))
    default: self = .pathTemplate(try PathTemplate(value))
    }
  }

  var member: (String, JSONNode?) {
    switch self {
    case .any: ("url", nil)
    case .url(let text): ("url", .text(text))
    case .urlPattern(let pattern): ("urlPattern", .text(pattern.text))
    case .path(let text): ("urlPath", .text(text))
    case .pathPattern(let pattern): ("urlPathPattern", .text(pattern.text))
    case .pathTemplate(let template): ("urlPathTemplate", .text(template.text))
    }
  }
}

/// A path with variables between slashes: `/orders/{id}`, and `{rest*}` for several parts at its end.
package struct PathTemplate: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case text(String)
    /// With what stands before and behind it in its part.
    case variable(String, before: String, behind: String, takesRest: Bool)
  }

  package let text: String
  package let parts: [Part]

  package init?(_ text: String) {
    self.text = text
    var parts: [Part] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst(text.hasPrefix("/") ? 1 : 0) {
      guard let open = part.firstIndex(of: "{") else {
        guard !part.contains("}") else { return nil }
        parts.append(.text(String(part)))
        continue
      }
      guard let close = part[open...].firstIndex(of: "}") else { return nil }
      let name = part[part.index(after: open)..<close]
      let behind = part[part.index(after: close)...]
      guard !name.isEmpty, !name.contains("{"), !behind.contains("{") else { return nil }
      let takesRest = name.hasSuffix("*") || name.hasPrefix("*")
      parts.append(
        .variable(
          name.filter { $0 != "*" }, before: String(part[..<open]), behind: String(behind), takesRest: takesRest))
    }
    self.parts = parts
  }

  init(_ reader: StubReader) throws(StubProblem) {
    guard let template = PathTemplate(try reader.string()) else { throw reader.problem("is no template of a path") }
    self = template
  }

  /// The names of its variables.
  package var names: [String] {
    parts.compactMap { if case .variable(let name, _, _, _) = $0 { name } else { nil } }
  }

  /// The values of its variables in a path, as they stand there; nil where the path is another one.
  package func values(in path: String) -> [(name: String, value: String)]? {
    let given = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(path.hasPrefix("/") ? 1 : 0)
    var rest = given[...]
    var values: [(name: String, value: String)] = []
    for part in parts {
      guard let next = rest.first else { return nil }
      switch part {
      case .text(let text): guard next == text else { return nil }
      case .variable(let name, _, _, true):
        values.append((name, rest.joined(separator: "/")))
        return values
      case .variable(let name, let before, let behind, false):
        guard next.hasPrefix(before), next.hasSuffix(behind), next.count > before.count + behind.count else {
          return nil
        }
        values.append((name, String(next.dropFirst(before.count).dropLast(behind.count))))
      }
      rest = rest.dropFirst()
    }
    return rest.isEmpty ? values : nil
  }
}
