import MPaaSCrashReport
import MPaaSSupport

/// A report for an issue tracker: GitHub's Markdown with a table, code blocks and folded threads.
///
/// Nothing that stands in a report can become markup: what is in tables and titles is escaped, code blocks have a fence
/// that is longer than any in them, and folded parts hold code blocks only.
package struct MarkdownReport: Sendable {
  private let digest: ReportDigest
  /// Stacks after so many are left out, as issue trackers take 64 KB.
  private static let mostStacks = 40
  private static let mostRows = 100

  package init(_ digest: ReportDigest) {
    self.digest = digest
  }

  package var text: String {
    let words = digest.words
    var lines = ["# " + Self.escaped(digest.title), "", "| | |", "| --- | --- |"]
    lines += digest.facts.map { "| **\(words($0.key))** | \(Self.escaped($0.value)) |" }
    let kind = KindFacts(digest.report)
    if !kind.isEmpty { lines += ["", "## " + Self.escaped(words("kind")), ""] + Self.fenced(kind.lines.map(\.text)) }
    let stacks = digest.stacks
    if let decisive = stacks.first(where: \.isDecisive) {
      lines += ["", "## " + Self.escaped(decisive.title), ""] + block(decisive.rows)
    }
    let others = stacks.filter { !$0.isDecisive }
    if !others.isEmpty {
      lines += ["", "## " + words("other-stacks")]
      for stack in others.prefix(Self.mostStacks) { lines += folded(stack.title, block(stack.rows)) }
      if others.count > Self.mostStacks { lines += ["", "… +\(others.count - Self.mostStacks)"] }
    }
    let images = imageLines
    if !images.isEmpty { lines += ["", "## " + words("images")] + folded("\(images.count)", Self.fenced(images)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func folded(_ title: String, _ content: [String]) -> [String] {
    ["", "<details><summary>\(Self.inert(Self.oneLine(title)).escapedMarkup(.html))</summary>", ""] + content + [
      "", "</details>",
    ]
  }

  private func block(_ rows: [ReportDigest.Row]) -> [String] {
    let shown = rows.prefix(Self.mostRows)
    let width = min(shown.map(\.module.count).max() ?? 0, 30)
    var lines = shown.map { row -> String in
      let number = "\(row.number)"
      let module = row.module + String(repeating: " ", count: max(width - row.module.count, 0))
      var line = "\(row.isBlamed ? ">" : " ") \(number)\(String(repeating: " ", count: max(4 - number.count, 1)))"
      line += "\(module)  \(row.function)"
      if let file = row.file {
        line += " (\(file.split(separator: "/").last.map(String.init) ?? file)\(row.line.map { ":\($0)" } ?? ""))"
      }
      return line + (row.isInlined ? " [inlined]" : "")
    }
    if rows.count > shown.count { lines.append("  … +\(rows.count - shown.count)") }
    return Self.fenced(lines)
  }

  private var imageLines: [String] {
    var used = Set<Int>()
    for stack in digest.report.stackIndices { used.formUnion(digest.report[stack: stack].compactMap(\.image)) }
    return used.sorted().filter(digest.report.images.indices.contains).map { index in
      let image = digest.report.images[index]
      return "\(CrashText.address(image.base)) \(image.name) \(image.architecture) <\(image.buildID)> \(image.path)"
    }
  }

  /// A code block; its fence has more back ticks than any line in it.
  private static func fenced(_ lines: [String]) -> [String] {
    let lines = lines.map(oneLine)
    var longest = 2
    for line in lines {
      var run = 0
      for character in line.utf8 {
        run = character == UInt8(ascii: "`") ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    let fence = String(repeating: "`", count: longest + 1)
    return [fence + "text"] + lines + [fence]
  }

  private static func oneLine(_ text: String) -> String {
    ReportLine(text.split(whereSeparator: \.isNewline).joined(separator: " ")).text
  }

  /// Text with an invisible space behind `@` and before the digits behind `#`.
  ///
  /// Issue trackers look for people and issues in what Markdown gives, where escapes are gone: a crash in `closure #1`
  /// would be linked from issue 1.
  private static func inert(_ text: String) -> String {
    var result = ""
    var last: Character = " "
    for character in text {
      if last == "@" || last == "#" && character.isNumber { result.append("\u{200B}") }
      result.append(character)
      last = character
    }
    return result
  }

  /// Text that is shown as it is: every sign that Markdown or HTML would take for its own is escaped.
  private static func escaped(_ text: String) -> String {
    inert(oneLine(text)).map { character -> String in
      switch character {
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "$": "\\\(character)"
      default: String(character)
      }
    }.joined()
  }
}
