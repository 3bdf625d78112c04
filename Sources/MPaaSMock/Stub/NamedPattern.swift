import MPaaSJSON

/// A pattern for the values of a name: of a header, a parameter, a cookie.
package struct NamedPattern: Sendable {
  package var name: String
  package var pattern: ContentPattern

  package init(_ name: String, _ pattern: ContentPattern) {
    self.name = name
    self.pattern = pattern
  }

  static func list(_ reader: StubReader?) throws(StubProblem) -> [NamedPattern] {
    guard let reader else { return [] }
    return try reader.object().map { member throws(StubProblem) in
      let pointer = StubReader.pointer(reader.pointer, member.name)
      return NamedPattern(member.name, try ContentPattern(StubReader(member.value, pointer: pointer)))
    }
  }

  static func document(_ patterns: [NamedPattern]) -> JSONNode? {
    patterns.isEmpty ? nil : .members(patterns.map { ($0.name, $0.pattern.document) })
  }
}
