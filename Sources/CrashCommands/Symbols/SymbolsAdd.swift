import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

extension SymbolsCommand {
  /// `mpaas symbols add PATH…`: puts debug files into the store.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "symbols.add") }

    @Argument(help: .text("command.symbols.add.paths"), completion: .file())
    var paths: [String]

    @Flag(help: .text("command.symbols.add.system"))
    var system = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> AddedSymbolsList {
      let store = context.symbols
      let addition = SymbolAddition(paths)
      var list = AddedSymbolsList()
      var builds: [BuildID] = []
      let progress = context.terminal.progress(
        context.catalogue.text("text.symbols-adding"), total: UInt64(addition.files.count))
      defer { progress.finish() }
      try addition.run(in: store, isSystem: system) { file, outcome in
        switch outcome {
        case .taken(let results):
          context.terminal.detail(StyledText(file, .path))
          list.take(results, store)
          builds += results.map(\.stored.buildID)
        case .failed(let error):
          context.terminal.warning(error.diagnostic)
          list.take(error.diagnostic, of: file)
        }
        progress.advance()
      }
      progress.finish()
      context.symbolIndexes.prepare(builds, in: store)
      return list
    }
  }
}

/// The result of adding files.
struct AddedSymbolsList: Presentable {
  struct Failure: Encodable, Sendable {
    let path: String
    let code: String
  }

  var added: [StoredSymbolsRow] = []
  var known: [StoredSymbolsRow] = []
  var failed: [Failure] = []
  var exit = ExitStatus.done

  private enum CodingKeys: String, CodingKey { case added, known, failed }

  mutating func take(_ results: [AddedSymbols], _ store: SymbolStore) {
    for result in results {
      let row = StoredSymbolsRow(result.stored, in: store)
      if result.isNew { added.append(row) } else { known.append(row) }
    }
  }

  mutating func take(_ problem: Diagnostic, of file: String) {
    failed.append(Failure(path: file, code: problem.id.name))
    if exit == .done { exit = problem.exit }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for (rows, key, role) in [(added, "text.symbols-added", TextRole.good), (known, "text.symbols-known", .faint)] {
      for row in rows {
        document.line(
          StyledText(catalogue.text(key, ["name": row.name]), role) + "  " + StyledText(row.buildID, .address))
      }
    }
    if added.isEmpty, known.isEmpty { document.line(StyledText(catalogue.text("text.symbols-nothing-added"))) }
    return document
  }
}
