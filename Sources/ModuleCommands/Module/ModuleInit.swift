import ArgumentParser
import CommandKit
import MPaaSModuleTools
import MPaaSModules
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module init`: the first `module.toml` of a module.
  struct Init: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("init", key: "module.init") }

    @Argument(help: .text("command.module.init.folder"), completion: .directory)
    var folder = "."

    @Option(help: .text("command.module.init.name", valueName: "name"))
    var name: String?

    @Option(name: .customLong("module-version"), help: .text("command.module.init.version", valueName: "version"))
    var version: ModuleVersion?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) throws -> WrittenManifest {
      let skeleton = try ModuleSkeleton(of: folder, name: name, version: version)
      try skeleton.write()
      return WrittenManifest(skeleton)
    }
  }
}

extension ModuleVersion: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// The manifest that was written.
struct WrittenManifest: Presentable {
  let file: String
  let name: String
  let version: String
  private let text: String

  private enum CodingKeys: String, CodingKey { case file, name, version }

  init(_ skeleton: ModuleSkeleton) {
    file = skeleton.file
    name = skeleton.manifest.name
    version = skeleton.manifest.version.text
    text = skeleton.text
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = [
      .line(StyledText(catalogue.text("text.module-init", ["file": file]), .good)), .line(""),
    ]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      document.line(StyledText(verbatim: line.isEmpty ? "" : "  " + line))
    }
    document.line()
    document.line(StyledText(catalogue.text("text.module-init-next"), .faint))
    return document
  }
}
