/// A pattern of paths: `*` is any characters of one part, `?` is one, `**` as a part is any number of parts.
package struct PathGlob: Sendable, Hashable {
  package let text: String
  private let parts: [[Character]]

  package init(_ text: String) {
    self.text = text
    parts = text.split(separator: "/").map(Array.init)
  }

  package func matches(_ path: String) -> Bool {
    Self.matches(parts, path.split(separator: "/").map(Array.init)) { pattern, part in
      Self.matches(pattern, part) {
        $0 == "?" || $0 == $1
      } isAny: {
        $0 == "*"
      }
    } isAny: {
      $0 == ["*", "*"]
    }
  }

  /// One pass with one place to come back to, which is enough since a later wildcard can take all that an earlier could.
  private static func matches<Element>(
    _ pattern: [Element], _ subject: [Element], _ isMatch: (Element, Element) -> Bool, isAny: (Element) -> Bool
  ) -> Bool {
    var (at, next) = (0, 0)
    var wildcard: (at: Int, next: Int)?
    while next < subject.count {
      if at < pattern.count, isAny(pattern[at]) {
        wildcard = (at, next)
        at += 1
      } else if at < pattern.count, isMatch(pattern[at], subject[next]) {
        at += 1
        next += 1
      } else if let last = wildcard {
        wildcard = (last.at, last.next + 1)
        (at, next) = (last.at + 1, last.next + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy(isAny)
  }
}
