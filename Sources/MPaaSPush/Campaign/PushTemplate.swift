import MPaaSSupport

/// The texts of a notification in one language, with the names of values between braces.
package struct PushTemplate: Sendable, Equatable {
  package var title: String?
  package var subtitle: String?
  package var body: String?

  package init(title: String? = nil, subtitle: String? = nil, body: String? = nil) {
    (self.title, self.subtitle, self.body) = (title, subtitle, body)
  }

  /// The texts with their values.
  ///
  /// - Parameter value: The value of a name; nil where there is none.
  /// - Throws: `push-campaign-value` with the name that has none, or is not closed.
  func filled(_ value: (String) -> String?) throws(PushError) -> PushTemplate {
    PushTemplate(
      title: try Self.filled(title, value), subtitle: try Self.filled(subtitle, value),
      body: try Self.filled(body, value))
  }

  /// A text with its values: `{name}`; two braces stand for one.
  private static func filled(_ text: String?, _ value: (String) -> String?) throws(PushError) -> String? {
    guard let text else { return nil }
    var filled = ""
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      filled += rest[..<brace]
      let next = rest.index(after: brace)
      if next < rest.endIndex, rest[next] == rest[brace] {
        filled.append(rest[brace])
        rest = rest[rest.index(after: next)...]
        continue
      }
      guard rest[brace] == "{", let end = rest[next...].firstIndex(of: "}"),
        let found = value(String(rest[next..<end]))
      else { throw PushError(.campaignValue, ["name": String(rest[brace...].prefix(40))]) }
      filled += found
      rest = rest[rest.index(after: end)...]
    }
    return filled + rest
  }
}
