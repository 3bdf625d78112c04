import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk update`: brings the modules of this machine into step with the registries; `update NAME` downloads the
  /// newest of one again, even if it is there.
  struct Update: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("update", key: "sdk.update") }

    @Argument(help: .text("command.sdk.update.names", valueName: "name"), completion: .moduleNames)
    var names: [String] = []

    @Flag(name: .customLong("dry-run"), help: .text("command.sdk.dry-run"))
    var dryRun = false

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BroughtModules {
      try await ModuleBringing(context, catalog, dryRun: dryRun).run(names, isAnew: !names.isEmpty)
    }
  }

  /// `mpaas sdk download NAME[@VERSION]`: downloads a module, or downloads it again.
  struct Download: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("download", key: "sdk.download") }

    @Argument(help: .text("command.sdk.download.names", valueName: "name[@version]"), completion: .moduleNames)
    var names: [String]

    @Flag(name: .customLong("dry-run"), help: .text("command.sdk.dry-run"))
    var dryRun = false

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> BroughtModules {
      try await ModuleBringing(context, catalog, dryRun: dryRun).run(names, isAnew: true)
    }
  }
}

/// What `update` and `download` have in common.
private struct ModuleBringing {
  let context: Context
  let options: CatalogOptions
  let dryRun: Bool

  init(_ context: Context, _ options: CatalogOptions, dryRun: Bool) {
    self.context = context
    self.options = options
    self.dryRun = dryRun
  }

  /// - Parameters:
  ///   - words: Modules; all of the catalogue where there is none.
  ///   - isAnew: Whether modules that are here are downloaded again.
  func run(_ words: [String], isAnew: Bool) async throws -> BroughtModules {
    var options = options
    let isOffline = options.isOffline(in: context)
    // Who asks for the newest means what the registry has now.
    if !isOffline { options.refresh = true }
    let catalog = try await options.catalog(in: context)
    let local = try context.localModules()
    let chosen = try releases(words.map { ModuleWord($0) }, catalog)
    // Modules that are here are left alone, unless somebody named them; offline there is nothing to bring them from.
    let coming = chosen.filter { isAnew && !isOffline || !local.contains($0.index.name, $0.release.version) }
    let rows = coming.map { BroughtModules.Row($0.release, $0.index, from: local.newest($0.index.name)) }
    if !dryRun {
      let wanted = try coming.map { try ModuleDownloads.Wanted($0.release, in: $0.registry, of: catalog) }
      let progress = SyncProgress(context.terminal)
      defer { progress.finish() }
      let downloads = ModuleDownloads(
        store: ModuleStore(folder: context.directories.modules), userAgent: Context.userAgent, events: progress.take)
      try await downloads.bring(wanted, anew: isAnew && !isOffline, isOffline: isOffline)
    }
    return BroughtModules(modules: rows, current: chosen.count - coming.count, dryRun: dryRun)
  }

  private func releases(
    _ words: [ModuleWord], _ catalog: ModuleCatalog
  ) throws -> [(release: ModuleRelease, index: ModuleIndex, registry: String)] {
    let all = words.isEmpty ? [ModuleWord("*")] : words
    var chosen: [(release: ModuleRelease, index: ModuleIndex, registry: String)] = []
    for word in all {
      for name in words.isEmpty ? catalog.names : try word.names(in: catalog) {
        let offered = try catalog.known(name)
        let release = try word.release(in: offered.index)
        if chosen.contains(where: { $0.index.name == name && $0.release.version == release.version }) { continue }
        chosen.append((release, offered.index, offered.registry))
      }
    }
    return chosen
  }
}

/// What came, or would come.
struct BroughtModules: Presentable {
  struct Row: Encodable, Sendable {
    let name: String
    /// The newest that was here before; nil where that was no older one.
    let from: String?
    let version: String
    let size: UInt64
    let yanked: String?
    /// Of the versions in between, newest first.
    let notes: [OutdatedModules.Note]

    init(_ release: ModuleRelease, _ index: ModuleIndex, from old: ModuleVersion?) {
      let old = old.flatMap { $0 > release.version ? nil : $0 }
      name = index.name
      from = old?.text
      version = release.version.text
      size = release.archive.size
      yanked = release.yanked
      notes = index.notes(from: old, to: release.version).map(OutdatedModules.Note.init)
    }
  }

  let modules: [Row]
  /// Modules that were here already.
  let current: Int
  let dryRun: Bool

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    guard !modules.isEmpty else {
      document.line(StyledText(catalogue.text("text.sdk-all-current", ["count": String(current)]), .good))
      return document
    }
    let bytes = ByteCount(modules.reduce(0) { $0 &+ $1.size }).description
    for row in modules {
      var line = StyledText(row.name, .emphasis)
      if let from = row.from, from != row.version { line.append("  \(from) →", .faint) }
      line.append(" " + row.version)
      line.append("  " + ByteCount(row.size).description, .faint)
      document.line(line)
      if let yanked = row.yanked {
        document.line("  " + StyledText(catalogue.text("text.sdk-yanked", ["reason": yanked]), .warning))
      }
      // Of a module that is new, or comes again, what it was made for stands in its details.
      if let from = row.from, from != row.version {
        for note in row.notes { document.blocks += note.lines(catalogue).map(Document.Block.line) }
      }
    }
    let values = ["count": String(modules.count), "size": bytes, "current": String(current)]
    document.line(
      StyledText(
        catalogue.text(dryRun ? "text.sdk-would-download" : "text.sdk-downloaded", values), dryRun ? .plain : .good))
    return document
  }
}
