import MPaaSSupport

/// A pattern of paths: `*` is any characters of one part, `?` is one, `**` as a part is any number of parts.
package struct PathGlob: Sendable, Hashable {
  package let text: String
  private let parts: [[Character]]

  package init(_ text: String) {
    self.text = text
    parts = text.split(separator: "/").map(Array.init)
  }

  package func matches(_ path: String) -> Bool {
    Wildcards.match(parts, path.split(separator: "/").map(Array.init)) {
      $0 == ["*", "*"]
    } takes: { pattern, part in
      Wildcards.match(pattern, part) {
        $0 == "*"
      } takes: {
        $0 == "?" || $0 == $1
      }
    }
  }
}
