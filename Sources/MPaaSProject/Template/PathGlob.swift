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
    let anyParts: [Character] = ["*", "*"]
    return Wildcards.match(parts, path.split(separator: "/").map { Array($0) }) { (part: [Character]) in
      part == anyParts
    } takes: { (pattern: [Character], part: [Character]) in
      Wildcards.match(pattern, part) { (character: Character) in
        character == "*"
      } takes: { (wanted: Character, character: Character) in
        wanted == "?" || wanted == character
      }
    }
  }
}
