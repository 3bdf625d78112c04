/// Mends what can be mended without changing what a program means.
package struct LintFixer: Sendable {
  package let linter: PatchLinter
  /// Taking one local away may leave another unused, and so on: a function has 200 of them.
  private static let mostRounds = 1000

  package init(_ linter: PatchLinter) {
    self.linter = linter
  }

  /// The files with everything mended that can be, and how many findings that were for each.
  ///
  /// The result is valid Lua wherever the source is, and mending it again changes nothing.
  package func mend(_ files: [LuaSource]) -> [(file: LuaSource, fixed: Int)] {
    var result = files.map { (file: $0, fixed: 0) }
    for _ in 0..<Self.mostRounds {
      let findings = linter.check(result.map(\.file)).filter { $0.fix != nil }
      guard !findings.isEmpty else { break }
      var hasChanged = false
      let byFile = Dictionary(grouping: findings, by: \.file)
      for index in result.indices {
        guard let own = byFile[result[index].file.name],
          let (mended, count) = Self.apply(own, to: result[index].file)
        else { continue }
        result[index] = (mended, result[index].fixed + count)
        hasChanged = true
      }
      guard hasChanged else { break }
    }
    return result
  }

  /// Makes all changes that do not overlap; where the result is no program, one after the other as long as it is.
  private static func apply(_ findings: [LintFinding], to file: LuaSource) -> (LuaSource, Int)? {
    let fixes = findings.compactMap(\.fix).filter { !$0.edits.isEmpty }
    if let all = edited(file, fixes) { return all }
    guard fixes.count > 1 else { return nil }
    for fix in fixes.prefix(50) { if let one = edited(file, [fix]) { return one } }
    return nil
  }

  private static func edited(_ file: LuaSource, _ fixes: [LintFix]) -> (LuaSource, Int)? {
    var taken: [LintFix.Edit] = []
    var count = 0
    var end = 0
    let ordered = fixes.sorted { ($0.edits.first?.range.lowerBound ?? 0) < ($1.edits.first?.range.lowerBound ?? 0) }
    for fix in ordered {
      guard let first = fix.edits.first, let last = fix.edits.last, first.range.lowerBound >= end else { continue }
      taken += fix.edits
      count += 1
      end = max(last.range.upperBound, end + 1)
    }
    guard count > 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(file.bytes.count)
    var offset = 0
    for edit in taken {
      guard edit.range.lowerBound >= offset, edit.range.upperBound <= file.bytes.count else { return nil }
      bytes += file.bytes[offset..<edit.range.lowerBound]
      bytes += edit.replacement.utf8
      offset = edit.range.upperBound
    }
    bytes += file.bytes[offset...]
    guard bytes != file.bytes else { return nil }
    let result = LuaSource(bytes, name: file.name, path: file.path)
    return (try? LuaChunk(result)) == nil ? nil : (result, count)
  }
}

extension LintFix {
  /// Signs of other languages that are none in Lua: `!=`, `&&`, `||`, `!`.
  private static let slips: [(sign: String, lua: String)] = [
    ("!=", "~="), ("&&", "and"), ("||", "or"), ("!", "not "),
  ]

  /// Writes all signs of other languages as Lua has them; nil where the error is none of these.
  init?(slipsOf source: LuaSource, at error: LuaSyntaxError) {
    guard error.kind == .unexpected, error.range.lowerBound < source.bytes.count else { return nil }
    var edits: [Edit] = []
    var lexer = LuaLexer(source)
    var reached = -1
    while let token = try? lexer.next(), token.kind != .endOfFile {
      guard token.start >= reached, token.kind == .unknown || token.kind == .ampersand || token.kind == .bar,
        let slip = Self.slips.first(where: { source.bytes[token.start...].starts(with: $0.sign.utf8) })
      else { continue }
      let range = token.start..<token.start + slip.sign.utf8.count
      reached = range.upperBound
      let isWord = slip.lua == "and" || slip.lua == "or"
      let before = range.lowerBound > 0 && LuaLexer.isNameByte(source.bytes[range.lowerBound - 1])
      let after = range.upperBound < source.bytes.count && LuaLexer.isNameByte(source.bytes[range.upperBound])
      edits.append(
        Edit(range: range, replacement: (isWord && before ? " " : "") + slip.lua + (isWord && after ? " " : "")))
    }
    // Only a slip that is itself the error is known to be meant so.
    guard edits.contains(where: { $0.range.contains(error.range.lowerBound) }) else { return nil }
    self.edits = edits
  }
}
