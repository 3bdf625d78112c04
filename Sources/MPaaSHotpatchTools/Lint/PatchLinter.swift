package import MPaaSHotpatch
import MPaaSTrust

/// Checks the Lua files of a patch, without running them.
package struct PatchLinter: Sendable {
  /// The symbols that the app offers; nil leaves out all that needs to know it.
  package var symbols: SymbolList?
  /// The modules that `require` finds beside those that are checked; nil where that is not known.
  package var modules: Set<String>?

  package init(symbols: SymbolList? = nil, modules: Set<String>? = []) {
    self.symbols = symbols
    self.modules = modules
  }

  /// All that is found in the files of one patch: by file as they come, then by place.
  package func check(_ files: [LuaSource]) -> [LintFinding] {
    let chunks = files.map { file in
      Result { () throws(LuaSyntaxError) in try LuaChunk(file) }
    }
    let mentioned = chunks.map { chunk in
      guard files.count > 1, case .success(let chunk) = chunk else { return Set<String>() }
      return Set(chunk.expressions.indices.compactMap(chunk.global))
    }
    var counts: [String: Int] = [:]
    for names in mentioned { for name in names { counts[name, default: 0] += 1 } }
    let known = modules.map { $0.union(files.map(\.module)) }
    var findings: [LintFinding] = []
    for (index, file) in files.enumerated() {
      switch chunks[index] {
      case .failure(let error): findings.append(LintFinding(error, in: file))
      case .success(let chunk):
        let elsewhere = mentioned[index].filter { counts[$0, default: 0] > 1 }
        var pass = LintPass(chunk, symbols: symbols, modules: known, globalsElsewhere: elsewhere)
        pass.run()
        let suppressions = LintSuppressions(chunk)
        findings += pass.findings.filter { !suppressions.covers($0) }.sorted {
          ($0.range.lowerBound, $0.rule.rawValue) < ($1.range.lowerBound, $1.rule.rawValue)
        }
      }
    }
    return findings
  }

  /// Passes a patch that has no errors.
  ///
  /// - Throws: The first error as `TrustError`, with file, line and column: `lua-syntax`, `lua-undeclared-global`, ….
  package func requireClean(_ files: [LuaSource]) throws(TrustError) {
    if let first = check(files).first(where: { $0.severity == .error }) { throw first.error }
  }

  /// The functions of the app that the files patch, sorted: `Cart.total`.
  ///
  /// Files that are no Lua patch nothing.
  package static func patchedSymbols(_ files: [LuaSource]) -> [String] {
    var names: Set<String> = []
    for file in files {
      guard let chunk = try? LuaChunk(file) else { continue }
      var pass = LintPass(chunk, symbols: nil, modules: nil, globalsElsewhere: [])
      pass.findPaths()
      pass.findReplacements()
      names.formUnion(pass.replacements.values.map(\.symbol))
      names.formUnion(pass.patchedNames)
    }
    return names.sorted()
  }
}

extension LintPass {
  /// The names in all calls of `patch`, whatever function they are given.
  var patchedNames: [String] {
    chunk.expressions.compactMap { expression in
      guard case .call(let callee, let arguments) = expression.kind, paths[callee] == "patch",
        let first = items(arguments).first
      else { return nil }
      return chunk.string(first)
    }
  }
}

extension LintFinding {
  init(_ error: LuaSyntaxError, in source: LuaSource) {
    let rule: LintRule =
      switch error.kind {
      case .bytecode: .bytecode
      case .tooLarge: .tooLarge
      case .tooDeep: .tooDeep
      default: .syntax
      }
    let hasVariant = rule == .syntax && error.kind != .unexpected
    var values = error.values
    values["file"] = source.name
    self.init(
      rule, .error, source, error.range, values, variant: hasVariant ? error.kind.rawValue : nil,
      fix: rule == .syntax ? LintFix(slipsOf: source, at: error) : nil)
  }
}
