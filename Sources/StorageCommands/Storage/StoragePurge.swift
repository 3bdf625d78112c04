import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSSupport
import MPaaSTerminal

extension StorageCommand {
  /// `mpaas storage purge FOLDER`: removes what its list says.
  struct Clear: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("purge", key: "storage.purge") }

    @OptionGroup var folder: StorageFolderOptions

    @Flag(help: .text("command.storage.purge.all"))
    var all = false

    @Option(help: .text("command.storage.purge.free", valueName: "bytes"))
    var free: UInt64?

    @Flag(name: .customLong("dry-run"), help: .text("command.storage.purge.dry-run"))
    var isDryRun = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PurgeReport {
      guard !all || free == nil else { throw ValidationError(context.catalogue.text("text.storage-purge-usage")) }
      guard let rules = try folder.list() else {
        throw StorageError(.rulesMissing, ["path": folder.folder], at: .file(folder.folder))
      }
      let purge = try Purge(root: folder.folder, rules: rules)
      let plan = purge.plan(all ? .everything : free.map { .space($0) } ?? .automatic)
      return PurgeReport(plan, rules, isDryRun ? nil : try purge.run(plan))
    }
  }
}

/// A plan of a purge, and what became of it.
struct PurgeReport: Presentable {
  struct File: Encodable {
    let path: String
    let bytes: UInt64
    let modified: Int64
    let reason: PurgePlan.Reason
  }

  let files: [File]
  let bytes: UInt64
  let skipped: [String]
  let actions: [String]
  let dryRun: Bool
  let removed: Int
  let freed: UInt64
  let kept: [String]

  init(_ plan: PurgePlan, _ rules: PurgeRules, _ result: PurgeResult?) {
    files = plan.items.map { File(path: $0.path, bytes: $0.size, modified: $0.modified, reason: $0.reason) }
    (bytes, skipped) = (plan.size, plan.skipped)
    actions = rules.actions.map { "\($0.type).\($0.selector)" }
    dryRun = result == nil
    (removed, freed, kept) = (result?.removed ?? 0, result?.freed ?? 0, result?.kept ?? [])
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if !files.isEmpty { document.blocks.append(.table(table(catalogue))) }
    let values = [
      "count": "\(dryRun ? files.count : removed)", "size": ByteCount(dryRun ? bytes : freed).description,
    ]
    let key = files.isEmpty ? "nothing" : dryRun ? "planned" : "purged"
    document.line(StyledText(catalogue.text("text.storage-\(key)", values)))
    for path in skipped { document.line(note("skipped", path, catalogue)) }
    for path in kept { document.line(note("kept", path, catalogue)) }
    return document
  }

  private func note(_ key: String, _ path: String, _ catalogue: Catalogue) -> StyledText {
    StyledText(catalogue.text("text.storage-\(key)", ["path": path]), .warning)
  }

  private func table(_ catalogue: Catalogue) -> Table {
    func heading(_ key: String) -> String { catalogue.text("text.storage-" + key) }
    var table = Table(columns: [
      .init(heading("path")), .init(heading("size"), isNumeric: true), .init(heading("reason")),
    ])
    for file in files {
      table.rows.append([
        StyledText(file.path), StyledText(ByteCount(file.bytes).description),
        StyledText(heading("reason-" + file.reason.rawValue)),
      ])
    }
    return table
  }
}
