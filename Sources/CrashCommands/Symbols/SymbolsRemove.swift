import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

extension SymbolsCommand {
  /// `mpaas symbols remove BUILD…`: takes builds out of the store.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "symbols.remove") }

    @Argument(help: .text("command.symbols.remove.builds"), completion: .buildIDs)
    var builds: [String]

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RemovedSymbolsList {
      let store = context.symbols
      var removed: [StoredSymbolsRow] = []
      try store.remove(matching: builds) { removed.append(StoredSymbolsRow($0, in: store)) }
      return RemovedSymbolsList(removed: removed, orphans: [], size: removed.reduce(0) { $0 + $1.size })
    }
  }

  /// `mpaas symbols gc`: takes out what was not used for long, and what was left over.
  struct Collect: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("gc", key: "symbols.gc") }

    @Option(help: .text("command.symbols.gc.unused-for", valueName: "days"))
    var unusedFor: Double = 180

    @Flag(help: .text("command.symbols.gc.dry-run"))
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RemovedSymbolsList {
      guard unusedFor >= 0, unusedFor < 1e6 else {
        throw Diagnostic("symbols-bad-age", ["value": String(unusedFor)], exit: .usage)
      }
      let store = context.symbols
      let times = Dictionary(
        try store.list().map { (store.path(of: $0), StoredSymbolsRow($0, in: store)) }, uniquingKeysWith: { $1 })
      let age = Int64(unusedFor * 86_400)
      let collected = try store.collect(olderThan: age, dryRun: dryRun)
      let indexes = context.symbolIndexes.collect(olderThan: age, now: store.now(), dryRun: dryRun)
      return RemovedSymbolsList(
        removed: collected.removed.map { times[store.path(of: $0)] ?? StoredSymbolsRow($0, in: store) },
        orphans: collected.orphans + indexes.map(\.path), size: indexes.reduce(collected.size) { $0 + $1.size },
        isTrial: dryRun)
    }
  }
}

/// The files taken out of the store.
struct RemovedSymbolsList: Presentable {
  let removed: [StoredSymbolsRow]
  let orphans: [String]
  let size: UInt64
  var isTrial = false

  private enum CodingKeys: String, CodingKey {
    case removed, orphans, size
    case isTrial = "dry_run"
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if !removed.isEmpty { document.table(StoredSymbolsRow.table(removed, catalogue)) }
    for orphan in orphans {
      document.line(StyledText(catalogue.text("text.symbols-orphan")) + " " + StyledText(orphan, .path))
    }
    let count = String(removed.count + orphans.count)
    document.line(
      StyledText(
        catalogue.text(
          isTrial ? "text.symbols-would-free" : "text.symbols-freed",
          ["count": count, "size": ByteCount(size).description])))
    return document
  }
}
