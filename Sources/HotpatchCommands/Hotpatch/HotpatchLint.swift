import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal

/// `mpaas hotpatch lint FILE|FOLDER…`: the Lua files of patches, checked without running them.
struct HotpatchLintCommand: MPaaSCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  static var configuration: CommandConfiguration { CommandConfiguration("lint", key: "hotpatch.lint") }

  @Argument(help: .text("command.hotpatch.lint.paths"), completion: .file(extensions: ["lua"]))
  var paths: [String]

  @Option(help: .text("command.hotpatch.lint.symbols", valueName: "list"), completion: .file(extensions: ["json"]))
  var symbols: String?

  @Flag(help: .text("command.hotpatch.lint.fix"))
  var fix = false

  @Option(help: .text("command.hotpatch.lint.format"))
  var format = Format.text

  @Flag(help: .text("command.hotpatch.lint.strict"))
  var strict = false

  @OptionGroup var content: BundleContentOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> LintReport {
    let list = try symbols.map { path in try SymbolList(path: path) }
    var report = LintReport(format: format, isStrict: strict, catalogue: context.catalogue)
    let bundles = paths.filter(BundlePath.names)
    if fix, let bundle = bundles.first { throw Diagnostic("lint-fix-bundle", ["path": bundle], exit: .usage) }
    var patches = try LintedPatch.all(paths.filter { !bundles.contains($0) })
    patches += try bundles.map { LintedPatch(try content.files(of: $0, in: context), of: $0) }
    for patch in patches {
      let linter = PatchLinter(symbols: list, modules: patch.modules)
      var files = patch.files
      if fix {
        let mended = try await context.timed("mend \(files.count) files") { try LintFixer(linter).mendOnDisk(files) }
        report.fixed += mended.filter { $0.fixed > 0 }.map { .init(file: $0.file.name, count: $0.fixed) }
        files = mended.map(\.file)
      }
      let findings = await context.timed("lint \(files.count) files") { linter.check(files) }
      report.add(findings, in: files)
    }
    return report
  }
}
