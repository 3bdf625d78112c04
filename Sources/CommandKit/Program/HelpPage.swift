import MPaaSTerminal
import ServingKit

/// A help page of the parser, laid out again by the width that its characters take on a terminal.
struct HelpPage {
  /// A width at which the parser breaks no line.
  static let unlimited = 1_000_000
  /// The column of the texts beside options; on a narrow terminal they stand below them.
  private static let textColumn = 26
  private static let narrow = 60
  private static let narrowIndent = 6

  private let columns: Int
  /// The word before a usage line, below whose end further lines begin.
  private let usage: String

  /// A page for the terminal's width; where there is no terminal, for that of `COLUMNS`, else for 80.
  init(_ context: Context) {
    let usual = context.environment["COLUMNS"].flatMap { Int($0) }
    self.init(columns: context.terminal.output.width() ?? usual ?? 80, context.catalogue)
  }

  init(columns: Int, _ catalogue: Catalogue) {
    self.columns = max(20, columns)
    usage = catalogue.text("text.help-usage")
  }

  /// Tells whether what the parser says is a help page.
  static func isHelp(_ text: String) -> Bool { text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") }

  /// The page in the language in force, with the command's examples at its end.
  ///
  /// - Parameter page: The page as the parser writes it for `unlimited` columns.
  func wrapped(_ page: String, _ words: ParserWords) -> String {
    let command = words.command(in: page, behind: "USAGE: ")
    let text = wrapped(words.help(page))
    guard let examples = HelpExamples(of: command, words.catalogue) else { return text }
    return ([text] + (text.hasSuffix("\n") ? [] : [""]) + examples.lines(columns)).joined(separator: "\n")
  }

  private func wrapped(_ page: String) -> String {
    page.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).flatMap { lines(Substring($0)) }
      .joined(separator: "\n")
  }

  private func lines(_ line: Substring) -> [String] {
    // No character takes more columns than bytes.
    if columns >= Self.narrow, line.utf8.count <= columns { return [String(line)] }
    let indent = line.prefix { $0 == " " }.count
    guard let text = Self.textIndex(of: line, indent) else {
      let hanging = indent > 0 ? indent : line.hasPrefix(usage) ? usage.displayWidth : 0
      let lines = line.dropFirst(indent).wrapped(to: columns, indent: indent, hanging: hanging)
      return Self.blanks(indent, before: lines)
    }
    let label = line[..<text]
    guard columns < Self.narrow else {
      let lines = line[text...].wrapped(to: columns, indent: Self.textColumn, hanging: Self.textColumn)
      return [label + lines[0]] + lines.dropFirst()
    }
    let margin = Self.narrowIndent
    let below = line[text...].wrapped(to: columns, indent: margin, hanging: margin)
    let isAlone = label.allSatisfy { $0 == " " }
    return (isAlone ? [] : [label.trimmed]) + Self.blanks(margin, before: below)
  }

  /// The place where a text begins beside its option, or below it; nil for lines of other kinds.
  private static func textIndex(of line: Substring, _ indent: Int) -> Substring.Index? {
    guard let text = line.index(line.startIndex, offsetBy: textColumn, limitedBy: line.endIndex), text < line.endIndex,
      indent == 2 || indent == textColumn, line[line.index(before: text)] == " ", line[text] != " "
    else { return nil }
    return text
  }

  private static func blanks(_ count: Int, before lines: [String]) -> [String] {
    [String(repeating: " ", count: count) + lines[0]] + lines.dropFirst()
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
