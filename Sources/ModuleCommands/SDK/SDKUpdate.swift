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
      try await catalog.bring(names, anew: !names.isEmpty, dryRun: dryRun, in: context)
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
      try await catalog.bring(names, anew: true, dryRun: dryRun, in: context)
    }
  }
}

extension CatalogOptions {
  /// Brings modules to this machine, or says what would come: all of the catalogue where none is named.
  fileprivate func bring(_ names: [String], anew: Bool, dryRun: Bool, in context: Context) async throws
    -> BroughtModules
  {
    var options = self
    let isOffline = isOffline(in: context)
    // A request for the newest means what the registry has now.
    if !isOffline { options.refresh = true }
    let plan = try DownloadPlan(
      names, of: try await options.catalog(in: context), beside: try context.localModules(), anew: anew,
      isOffline: isOffline)
    if !dryRun {
      let progress = SyncProgress(context.terminal)
      defer { progress.finish() }
      try await plan.run(
        ModuleDownloads(
          store: ModuleStore(folder: context.directories.modules), userAgent: Context.userAgent, events: progress.take))
    }
    return BroughtModules(plan, dryRun: dryRun)
  }
}

/// The modules that came, or would come.
struct BroughtModules: Presentable {
  struct Row: Encodable, Sendable {
    let name: String
    /// The newest that was here before; nil where that was no older one.
    let from: String?
    let version: String
    let size: UInt64
    let yanked: String?
    /// The notes of the versions in between, newest first.
    let notes: [OutdatedModules.Note]

    init(_ module: DownloadPlan.Module) {
      let (release, index) = (module.release, module.index)
      let old = module.local.flatMap { $0 > release.version ? nil : $0 }
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

  init(_ plan: DownloadPlan, dryRun: Bool) {
    modules = plan.modules.map(Row.init)
    current = plan.current
    self.dryRun = dryRun
  }

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
      // The purpose of a module that is new, or comes again, stands in its details.
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
