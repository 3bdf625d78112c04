/// Comments that silence findings.
///
/// `-- mpaas: ignore lua-unused-local` does for its line, or for the next where it stands alone;
/// `-- mpaas: ignore-file lua-shadowed-local` for the whole file. Without a name, `ignore` silences all.
struct LintSuppressions {
  private var byLine: [Int: Set<String>] = [:]
  private var everywhere: Set<String> = []
  private static let all = "*"

  init(_ chunk: LuaChunk) {
    let source = chunk.source
    for comment in chunk.comments {
      let text = source.text(comment.lowerBound..<min(comment.upperBound, comment.lowerBound + 1024))
      let words = text.drop { $0 == "-" || $0 == "[" || $0 == "=" || $0 == " " || $0 == "\t" }
        .split { $0 == " " || $0 == ":" || $0 == "," || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "]" }
      guard words.count >= 2, words[0] == "mpaas" else { continue }
      // Words behind the names say why.
      let names = Set(words.dropFirst(2).prefix { $0.hasPrefix("lua-") }.map(String.init))
      switch words[1] {
      case "ignore-file": everywhere.formUnion(names)
      case "ignore":
        let line = source.lineIndex(of: comment.lowerBound)
        let start = source.range(ofLine: line).lowerBound
        let isAlone = source.bytes[start..<comment.lowerBound].allSatisfy(LuaLexer.isBlank)
        let last = source.lineIndex(of: max(comment.upperBound - 1, comment.lowerBound))
        byLine[isAlone ? last + 1 : line, default: []].formUnion(names.isEmpty ? [Self.all] : names)
      default: break
      }
    }
  }

  func covers(_ finding: LintFinding) -> Bool {
    guard finding.rule.canBeIgnored else { return false }
    if everywhere.contains(finding.rule.rawValue) { return true }
    guard let names = byLine[finding.start.line - 1] else { return false }
    return names.contains(Self.all) || names.contains(finding.rule.rawValue)
  }
}
