import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk gc`: removes the modules that no project uses.
  struct Collect: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("gc", key: "sdk.gc") }

    @Flag(help: .text("command.sdk.gc.dry-run"))
    var dryRun = false

    @Flag(help: .text("command.sdk.gc.keep-archives"))
    var keepArchives = false

    @Flag(help: .text("command.sdk.gc.all"))
    var all = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> StoreCollectionView {
      let store = ModuleStore(folder: context.directories.modules)
      let collection = try store.collect(
        all: all, keepsArchives: keepArchives, isTrial: dryRun, used: ModuleStore.lockedDigests)
      return StoreCollectionView(collection: collection, isTrial: dryRun)
    }
  }
}

/// The modules that a collection removed, or would.
struct StoreCollectionView: Presentable {
  let collection: StoreCollection
  let isTrial: Bool

  func encode(to encoder: any Encoder) throws {
    let removed = collection.removed.map { module -> JSONValue in
      [
        "name": .string(module.name), "version": .string(module.version.text), "sha256": .string(module.sha256),
        "size": .unsigned(module.size),
      ]
    }
    let document: JSONValue = [
      "removed": .array(removed), "paths": JSONValue(collection.pathCount), "size": .unsigned(collection.size),
      "projects": JSONValue(collection.projectCount),
      "gone_projects": .array(collection.goneProjects.map(JSONValue.string)), "dry_run": .bool(isTrial),
    ]
    try document.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for project in collection.goneProjects {
      document.line(StyledText(catalogue.text("text.store-gone")) + " " + StyledText(project, .path))
    }
    guard collection.pathCount > 0 else {
      let values = ["projects": String(collection.projectCount)]
      document.line(StyledText(catalogue.text("text.store-nothing", values)))
      return document
    }
    if !collection.removed.isEmpty { document.table(table(catalogue)) }
    let values = ["count": String(collection.removed.count), "size": ByteCount(collection.size).description]
    document.line(StyledText(catalogue.text(isTrial ? "text.store-would-free" : "text.store-freed", values)))
    return document
  }

  private func table(_ catalogue: Catalogue) -> Table {
    Table(
      columns: [
        .init(catalogue.text("text.store-module")), .init(catalogue.text("text.store-version")),
        .init(catalogue.text("text.store-size"), isNumeric: true),
      ],
      rows: collection.removed.map {
        [StyledText($0.name), StyledText($0.version.text), StyledText(ByteCount($0.size).description)]
      })
  }
}
