import ArgumentParser
import CommandKit
package import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

/// `NAME@VERSION`.
extension ModuleAtVersion: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension RegistryCommand {
  /// `mpaas registry yank NAME@VERSION…`: a version is not given to new projects; those that have it keep it.
  struct Yank: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("yank", key: "registry.yank") }

    @Argument(
      help: .text("command.registry.yank.modules", valueName: "name@version"), completion: .offeredVersions)
    var modules: [ModuleAtVersion]

    @Option(help: .text("command.registry.yank.reason", valueName: "text"))
    var reason: String?

    @Flag(help: .text("command.registry.yank.undo"))
    var undo = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      guard reason?.isPlainText ?? true, !undo || reason == nil else {
        throw Diagnostic("registry-yank-reason", exit: .usage)
      }
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      let outcome = try editor.editModules(keys: signers) { shelf throws(ModuleError) in
        for module in modules { try shelf.yank(module.name, module.version, reason: undo ? nil : reason ?? "") }
      }
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }

  /// `mpaas registry modules`: the modules that are on offer.
  struct Modules: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("modules", key: "registry.modules") }

    @Argument(help: .text("command.registry.modules.names"), completion: .offeredModules)
    var names: [String] = []

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> OfferedModules {
      var draft = try repository.editor(context).read()
      let indexes = try ModuleShelf(reading: &draft).indexes
      for name in names where indexes[name] == nil {
        throw ModuleError(.notOffered, ["name": name, "module": name])
      }
      let chosen = indexes.values.filter { names.isEmpty || names.contains($0.name) }.sorted { $0.name < $1.name }
      return OfferedModules(chosen, isDetailed: !names.isEmpty)
    }
  }
}

/// The modules that a registry offers.
struct OfferedModules: Presentable {
  struct Module: Encodable {
    let name: String
    let summary: LocalizedText
    let releases: [Release]
  }

  struct Release: Encodable {
    let version: String
    let released: Int64
    let archive: String
    let size: UInt64
    let sha256: String
    let platforms: [String: String]
    let dependencies: [String: String]
    /// Only where it is; empty where no reason was given.
    let yanked: String?
  }

  let modules: [Module]
  private let isDetailed: Bool

  private enum CodingKeys: String, CodingKey {
    case modules
  }

  init(_ indexes: [ModuleIndex], isDetailed: Bool) {
    self.isDetailed = isDetailed
    modules = indexes.map { index in
      let releases = index.releases.map { release in
        Release(
          version: release.version.text, released: release.released, archive: release.archive.name,
          size: release.archive.size, sha256: release.archive.sha256,
          platforms: Dictionary(release.manifest.platforms.map { ($0.key.rawValue, $0.value.text) }) { $1 },
          dependencies: Dictionary(release.manifest.dependencies.map { ($0.name, $0.requirement.text) }) { $1 },
          yanked: release.yanked)
      }
      return Module(name: index.name, summary: index.summary, releases: releases)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !modules.isEmpty else { return [.line(StyledText(catalogue.text("text.registry-modules-none")))] }
    func heading(_ key: String) -> String { catalogue.text("text.registry-modules-" + key) }
    var table = Table(columns: [
      .init(heading("name")), .init(heading("version")), .init(heading("size"), isNumeric: true),
      .init(heading(isDetailed ? "state" : "count"), isNumeric: !isDetailed),
      .init(heading("summary"), isOptional: true),
    ])
    for module in modules {
      for release in isDetailed ? module.releases[...] : module.releases.prefix(1) {
        let yanked = release.yanked.map { $0.isEmpty ? heading("yanked") : heading("yanked") + ": " + $0 } ?? ""
        table.rows.append([
          StyledText(module.name), StyledText(release.version), StyledText(ByteCount(release.size).description),
          isDetailed ? StyledText(yanked, .warning) : StyledText(String(module.releases.count)),
          StyledText(catalogue.choice(module.summary)),
        ])
      }
    }
    return [.table(table)]
  }
}

extension Catalogue {
  /// A module's text in this language, else in the other one, on one line.
  func choice(_ text: LocalizedText) -> String {
    let chosen =
      language == .simplifiedChinese ? text.simplifiedChinese ?? text.english : text.english ?? text.simplifiedChinese
    return (chosen ?? "").split(separator: "\n").first.map(String.init) ?? ""
  }
}
