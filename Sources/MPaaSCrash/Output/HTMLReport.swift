import MPaaSCrashReport
import MPaaSSupport

/// A report as one page of HTML that needs nothing else: no script or picture from elsewhere, light and dark, for
/// phones too.
package struct HTMLReport: Sendable {
  private let digest: ReportDigest
  private let language: String
  private let source: @Sendable (String) -> SourceText?
  /// Stands before the report, as markup: where a server leads from here.
  package var preface = ""
  /// Tells whether it has the filter, which needs a script.
  package var isInteractive = true
  private static let context = 3

  /// - Parameters:
  ///   - language: The language tag of the words.
  ///   - source: Gives the text of a source file by its path in the debug information; nil where it is not at hand.
  package init(
    _ digest: ReportDigest, language: String, source: @escaping @Sendable (String) -> SourceText? = { _ in nil }
  ) {
    self.digest = digest
    self.language = language
    self.source = source
  }

  package var text: String {
    let words = digest.words
    let stacks = digest.stacks
    var parts = [head, "<main>", preface, header, kind, isInteractive ? filterBar : ""]
    if let decisive = stacks.first(where: \.isDecisive) { parts.append(section(decisive, isOpen: true)) }
    let others = stacks.filter { !$0.isDecisive }
    if !others.isEmpty {
      parts.append("<h2>\(escaped(words("other-stacks"))) <small>\(others.count)</small></h2>")
      parts += others.map { section($0, isOpen: false) }
    }
    parts += [images, "</main>", isInteractive ? Self.script : "", "</body></html>"]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private func escaped(_ text: String) -> String {
    ReportLine(text).text.escapedMarkup(.html)
  }

  private var head: String {
    """
    <!doctype html>
    <html lang="\(language)"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <meta name="referrer" content="no-referrer">
    <title>\(escaped(digest.title))</title>
    <style>\(Self.style)</style></head><body>
    """
  }

  private var header: String {
    let words = digest.words
    let rows = digest.facts.map { "<dt>\(escaped(words($0.key)))</dt><dd>\(escaped($0.value))</dd>" }
    return "<header><h1>\(escaped(digest.title))</h1><dl>\(rows.joined())</dl></header>"
  }

  /// The kind of a report that is no crash.
  private var kind: String {
    let lines = KindFacts(digest.report).lines.map { escaped($0.text) }
    guard !lines.isEmpty else { return "" }
    return "<h2>\(escaped(digest.words("kind")))</h2><figure><pre>\(lines.joined(separator: "\n"))</pre></figure>"
  }

  private var filterBar: String {
    let words = digest.words
    return """
      <div class="bar"><input id="q" type="search" placeholder="\(escaped(words("filter")))" aria-label="\(escaped(words("filter")))">
      <label><input id="own" type="checkbox"> \(escaped(words("own-only")))</label></div>
      """
  }

  private func section(_ stack: ReportDigest.Stack, isOpen: Bool) -> String {
    let title = escaped(stack.title)
    let rows = stack.rows.map(row).joined(separator: "\n")
    let snippet = isOpen ? snippet(stack) : ""
    let body = stack.rows.isEmpty ? "<p class=none>–</p>" : "<ol class=frames>\n\(rows)\n</ol>"
    return """
      <details class="stack\(stack.isDecisive ? " decisive" : "")"\(isOpen ? " open" : "")><summary>\(title) <small>\(stack.rows.count)</small></summary>
      \(snippet)\(body)</details>
      """
  }

  private func row(_ row: ReportDigest.Row) -> String {
    var classes = row.isOwn ? ["own"] : ["sys"]
    if row.isBlamed { classes.append("blamed") }
    let place =
      row.file.map { file in
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return
          "<span class=p title=\"\(escaped(file))\">\(escaped(name))\(row.line.map { "<b>:\($0)</b>" } ?? "")</span>"
      } ?? ""
    let mark = row.isInlined ? "<i>\(escaped(digest.words("inlined")))</i>" : ""
    return """
      <li class="\(classes.joined(separator: " "))"><span class=n>\(row.number)</span><span class=m>\(escaped(row.module))</span><span class="f\(row.isNamed ? "" : " raw")" title="\(CrashText.address(row.address))">\(escaped(row.function))</span>\(mark)\(place)</li>
      """
  }

  /// The source around the blamed line, where it is at hand.
  private func snippet(_ stack: ReportDigest.Stack) -> String {
    guard let blamed = stack.rows.first(where: \.isBlamed), let file = blamed.file, let line = blamed.line,
      let text = source(file), text.lines.indices.contains(line - 1)
    else { return "" }
    let range = max(line - Self.context, 1)...min(line + Self.context, text.lines.count)
    let lines = range.map { number in
      let tag = number == line ? "mark" : "span"
      return "<\(tag)><em>\(number)</em>\(escaped(text.lines[number - 1]))</\(tag)>"
    }
    return
      "<figure><figcaption>\(escaped(text.path)):\(line)</figcaption><pre>\(lines.joined(separator: "\n"))</pre></figure>\n"
  }

  private var images: String {
    let words = digest.words
    let images = digest.report.images
    guard !images.isEmpty else { return "" }
    let rows = images.sorted { $0.base < $1.base }.map { image in
      """
      <tr><td>\(CrashText.address(image.base))</td><td>\(escaped(image.name))</td><td>\(escaped(image.architecture))</td><td>\(escaped(image.buildID))</td><td>\(escaped(image.path))</td></tr>
      """
    }
    return """
      <h2>\(escaped(words("images"))) <small>\(images.count)</small></h2>
      <details class=stack><summary>\(escaped(words("images-show")))</summary><div class=wide><table>
      \(rows.joined(separator: "\n"))
      </table></div></details>
      """
  }
}
