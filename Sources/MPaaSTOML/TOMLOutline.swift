/// The place of each key of a TOML text.
///
/// The library says what a text means and not where; this says where. It is made of texts that the library has
/// accepted, and an edit that it leads to is read by the library again.
struct TOMLOutline: Sendable {
  enum Step: Sendable, Hashable {
    case key(String)
    /// An element of an array of tables, counted from 0.
    case element(Int)
  }

  enum Kind: Sendable {
    /// `[a.b]`
    case table
    /// `[[a.b]]`
    case element
    /// `a.b = 1` on a line.
    case pair
    /// `a.b = 1` inside the braces of an inline table.
    case member
  }

  struct Entry: Sendable {
    let kind: Kind
    /// From the top of the document.
    let path: [Step]
    /// The number of the last steps that the entry's own key has.
    let ownSteps: Int
    /// From 1.
    let line: Int
    /// The beginning of the key, or the bracket of a header.
    let start: Int
    /// Without space around it; empty for headers.
    let value: Range<Int>
    /// To the end of the last line, its comment and its line end with it; for members to the end of the value.
    var end: Int

    var isHeader: Bool { kind == .table || kind == .element }
  }

  /// In the order of the text.
  let entries: [Entry]
  /// The first line that says something of a path.
  private let lines: [[Step]: Int]

  init(entries: [Entry]) {
    self.entries = entries
    var lines: [[Step]: Int] = [:]
    for entry in entries {
      // A path without a line of its own begins with the first thing inside it.
      if lines[entry.path] == nil || entry.kind == .table { lines[entry.path] = entry.line }
      for count in stride(from: entry.path.count - 1, to: 0, by: -1) {
        let prefix = Array(entry.path.prefix(count))
        guard lines[prefix] == nil else { break }
        lines[prefix] = entry.line
      }
    }
    self.lines = lines
  }

  func line(of path: [Step]) -> Int? { lines[path] }

  /// The pair or member that gives `path` its value.
  func value(of path: [Step]) -> Entry? {
    entries.first { !$0.isHeader && $0.path == path }
  }

  /// The indexes of the entries that say something of `path` or of what is inside it.
  func indices(within path: [Step]) -> [Int] {
    entries.indices.filter { entries[$0].path.starts(with: path) }
  }
}
