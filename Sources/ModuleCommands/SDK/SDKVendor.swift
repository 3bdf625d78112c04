import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk vendor DIR`: a mirror of a registry with only those archives that a project, or somebody, needs.
  struct Vendor: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("vendor", key: "sdk.vendor") }

    @Argument(help: .text("command.sdk.vendor.folder", valueName: "dir"), completion: .directory)
    var folder: String

    @Argument(help: .text("command.sdk.vendor.names", valueName: "name[@version]"), completion: .moduleNames)
    var names: [String] = []

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> VendoredModules {
      let catalog = try await catalog.catalog(in: context)
      let releases =
        try names.isEmpty
        ? ModuleDownloads.Wanted.locked(by: context.project(), of: catalog)
        : ModuleDownloads.Wanted.named(names, of: catalog)
      let progress = SyncProgress(context.terminal)
      defer { progress.finish() }
      let vendor = ModuleVendor(
        store: ModuleStore(folder: context.directories.modules), userAgent: Context.userAgent, events: progress.take)
      let made = try await vendor.make(
        releases, of: catalog, in: folder, isOffline: self.catalog.isOffline(in: context))
      return VendoredModules(made, folder: folder)
    }
  }
}

struct VendoredModules: Presentable {
  struct Row: Encodable, Sendable {
    let name: String
    let url: String
    let root: String
    let modules: Int
    let size: UInt64
  }

  let folder: String
  /// One for each registry, as `mpaas.toml` names it.
  let registries: [Row]

  init(_ made: [ModuleVendor.Made], folder: String) {
    self.folder = folder
    registries = made.map {
      Row(name: $0.registry, url: $0.folder, root: $0.root, modules: $0.modules, size: $0.size)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for row in registries {
      let values = [
        "name": row.name, "folder": row.url, "count": String(row.modules), "size": ByteCount(row.size).description,
      ]
      document.line(StyledText(catalogue.text("text.sdk-vendored", values), .good))
    }
    document.line(StyledText(catalogue.text("text.sdk-vendor-use"), .faint))
    for row in registries {
      document.line("  [registries.\(row.name)]")
      document.line("  url = \"\(row.url)\"")
      document.line("  root = \"\(row.root)\"")
    }
    return document
  }
}
