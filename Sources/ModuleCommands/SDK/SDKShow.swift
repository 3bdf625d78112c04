import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk`: the table of all modules; `mpaas sdk NAME`: all about one.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "sdk.show") }

    @Argument(help: .text("command.sdk.show.names", valueName: "name"), completion: .moduleNames)
    var names: [String] = []

    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SDKView {
      let meant = names.map { ModuleWord($0) }.filter { !$0.isPattern }.map(\.name)
      let catalog = try await catalog.catalog(in: context, having: meant)
      let local = try context.localModules()
      guard !names.isEmpty else { return .table(try ModuleTable(catalog, local)) }
      var modules: [ModuleDetails] = []
      for word in names.map({ ModuleWord($0) }) {
        try Self.checkForCommand(word, catalog)
        for name in try word.names(in: catalog) {
          let offered = try catalog.known(name)
          if word.version != nil { _ = try word.release(in: offered.index) }
          modules.append(ModuleDetails(offered, local, only: word.version.flatMap { ModuleVersion($0) }))
        }
      }
      let isOne = names.count == 1 && modules.count == 1 && !ModuleWord(names[0]).isPattern
      return isOne ? .one(modules[0]) : .many(modules)
    }

    /// One that is no module, and nearly none, may be a command that was meant.
    private static func checkForCommand(_ word: ModuleWord, _ catalog: ModuleCatalog) throws(Diagnostic) {
      guard !word.isPattern, !catalog.has(word.name), closestMatch(to: word.name, among: catalog.names) == nil else {
        return
      }
      let commands = SDKCommand.configuration.subcommands.map { $0._commandName }
      guard let near = closestMatch(to: word.name, among: commands) else { return }
      let values = ["word": word.name, "parent": "mpaas sdk", "suggestion": near]
      throw Diagnostic("unknown-command-near", values, exit: .usage)
    }
  }
}

/// The views of `mpaas sdk`.
enum SDKView: Presentable {
  case table(ModuleTable)
  case one(ModuleDetails)
  case many([ModuleDetails])

  private enum CodingKeys: CodingKey {
    case modules
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .table(let table): try table.encode(to: encoder)
    case .one(let module): try module.encode(to: encoder)
    case .many(let modules):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(modules, forKey: .modules)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    switch self {
    case .table(let table): return table.document(catalogue)
    case .one(let module): return module.document(catalogue)
    case .many(let modules):
      var document = Document()
      for (number, module) in modules.enumerated() {
        if number > 0 { document.line() }
        document.blocks += module.document(catalogue).blocks
      }
      return document
    }
  }
}
