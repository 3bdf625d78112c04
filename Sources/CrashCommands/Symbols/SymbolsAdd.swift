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
      let files = paths.flatMap { path in
        FileStatus(path)?.kind == .folder ? SymbolStore.files(below: path) : [path]
      }
      let named = Set(paths)
      var list = AddedSymbolsList()
      let progress = context.terminal.progress(
        context.catalogue.text("text.symbols-adding"), total: UInt64(files.count))
      defer { progress.finish() }
      for file in files {
        do throws(StoreError) {
          list.take(try await add(file, to: store, context), store)
        } catch {
          // Below a folder stand files that are of no use here; one that was named must be.
          guard named.contains(file) || !error.isAboutContent else { continue }
          if files.count == 1 { throw error.diagnostic }
          context.terminal.warning(error.diagnostic)
          list.failed.append(AddedSymbolsList.Failure(path: file, code: error.diagnostic.id.name))
          if list.exit == .done { list.exit = error.diagnostic.exit }
        }
        progress.advance()
      }
      progress.finish()
      index(list, in: context)
      return list
    }

    /// Makes the indexes of the builds that changed, or that have none yet.
    private func index(_ list: AddedSymbolsList, in context: Context) {
      let indexes = context.symbolIndexes
      let search = DebugFileSearch(store: context.symbols, roots: [])
      for id in Set((list.added + list.known).map(\.buildID)).sorted().compactMap({ BuildID(hex: $0) }) {
        indexes.prepare(search.find(path: nil, buildID: id))
      }
    }

    private func add(
      _ file: String, to store: SymbolStore, _ context: Context
    ) async throws(StoreError) -> [AddedSymbols] {
      let results = system ? try store.addSystem(file) : try store.add(file)
      context.terminal.detail(StyledText(file, .path))
      return results
    }
  }
}

extension StoreError {
  /// Whether it is about what the file holds, not about reading or writing.
  fileprivate var isAboutContent: Bool {
    switch self {
    case .object, .archive, .noBuildID, .nothingUseful: true
    case .file, .metadata: false
    }
  }
}

/// What came of adding files.
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
      switch result {
      case .added(let stored): added.append(StoredSymbolsRow(stored, in: store))
      case .known(let stored): known.append(StoredSymbolsRow(stored, in: store))
      }
    }
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
