/// Lines of Swift as they grow, each with its indentation.
struct SwiftCode {
  private(set) var lines: [String] = []
  private var depth: Int

  init(depth: Int = 0) { self.depth = depth }

  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: depth) + text)
  }

  /// A line that opens something, what is in it, and the line that closes it.
  mutating func block(_ head: String, _ end: String = "}", _ body: (inout SwiftCode) -> Void) {
    line(head)
    depth += 1
    body(&self)
    depth -= 1
    line(end)
  }

  /// Appends lines, indented as deep as this is.
  mutating func append(_ other: SwiftCode) { for text in other.lines { line(text) } }

  var text: String { lines.joined(separator: "\n") + "\n" }

  func has(_ word: String) -> Bool { lines.contains { $0.contains(word) } }
}
