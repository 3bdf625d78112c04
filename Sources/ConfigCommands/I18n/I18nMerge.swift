import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSSupport
import MPaaSTerminal

extension I18nCommand {
  /// `mpaas i18n merge TABLE… --from SOURCE… | --with TABLE…`: brings texts into tables and loses none.
  struct Merge: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("merge", key: "i18n.merge") }

    @OptionGroup var tables: LanguageTableOptions

    @Option(
      parsing: .upToNextOption, help: .text("command.i18n.merge.from", valueName: "source"), completion: .file())
    var from: [String] = []

    @Option(
      parsing: .upToNextOption, help: .text("command.i18n.merge.with", valueName: "table"), completion: .file())
    var with: [String] = []

    @Option(
      parsing: .upToNextOption, help: .text("command.i18n.merge.base", valueName: "table"), completion: .file())
    var base: [String] = []

    @Option(help: .text("command.i18n.merge.prefer", valueName: "side"))
    var prefer = Side.ours

    @Option(help: .text("command.i18n.language", valueName: "language"))
    var language: String?

    @Flag(help: .text("command.i18n.merge.prune"))
    var prune = false

    @Option(name: .customLong("prune-limit"), help: .text("command.i18n.merge.prune-limit", valueName: "percent"))
    var pruneLimit = 10

    @Flag(name: .customLong("dry-run"), help: .text("command.i18n.dry-run"))
    var isDryRun = false

    @OptionGroup var sources: SourceTextOptions
    @OptionGroup var common: CommonOptions

    enum Side: String, ExpressibleByArgument, CaseIterable { case ours, theirs }

    func validate() throws {
      guard (0...100).contains(pruneLimit) else { throw ValidationError("--prune-limit 0…100") }
      guard from.isEmpty != with.isEmpty, base.isEmpty || !with.isEmpty else {
        throw ValidationError(Catalogue.current.text("text.i18n-merge-what"))
      }
    }

    func run(in context: Context) async throws -> LanguageChangesView {
      let files = try LanguageFiles(tables.tables)
      var merge = LanguageMerge()
      merge.development = tables.development
      merge.language = language
      merge.removesStale = prune
      merge.mostRemoved = pruneLimit
      merge.prefersTheirs = prefer == .theirs
      guard !from.isEmpty else {
        let base = base.isEmpty ? nil : try LanguageFiles(base)
        return try written(merge.merge(try LanguageFiles(with), base: base, into: files))
      }
      let texts = try sources.texts(of: from)
      let found = ExtractedTexts(texts: texts, changes: nil)
      for line in found.warnings(context.catalogue) where !common.json { context.terminal.note(line) }
      let missing = Set(texts.texts.map(\.table)).subtracting(files.files.map(\.table)).sorted()
      return try written(merge.merge(texts, into: files), missingTables: missing)
    }

    private func written(
      _ changes: [LanguageFileChange], missingTables: [String] = []
    ) throws -> LanguageChangesView {
      if !isDryRun { try changes.write() }
      return LanguageChangesView(changes, isDryRun: isDryRun, missingTables: missingTables)
    }
  }
}
