import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension SDKCommand {
  /// `mpaas sdk registry …`: the registries that this machine trusts.
  struct Registries: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "registry", key: "sdk.registry", subcommands: [Add.self, List.self, Remove.self])
    }
  }
}

extension SDKCommand.Registries {
  /// `mpaas sdk registry add NAME URL`: trusts a registry, by its root or the fingerprint of it.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "sdk.registry.add") }

    @Argument(help: .text("command.sdk.registry.name", valueName: "name"))
    var name: String

    @Argument(help: .text("command.sdk.registry.add.url", valueName: "url"), completion: .directory)
    var url: String

    @Option(help: .text("command.sdk.registry.add.mirror", valueName: "url"), completion: .directory)
    var mirror: [String] = []

    @Option(help: .text("command.sdk.registry.add.root", valueName: "file"), completion: .file())
    var root: String?

    @Option(help: .text("command.sdk.registry.add.fingerprint", valueName: "hex"))
    var fingerprint: String?

    @Flag(help: .text("command.sdk.registry.add.offline"))
    var offline = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if root != nil, fingerprint != nil {
        throw ValidationError(Catalogue.current.text("text.sdk-root-or-fingerprint"))
      }
    }

    func run(in context: Context) async throws -> AddedRegistry {
      var known = try UserRegistries(context.directories)
      let mirrors = ([url] + mirror).map { RegistryAddress.absolute($0, in: ".") }
      let bytes = try trust(context).bytes(of: name) {
        try FirstRoot(mirrors: mirrors, userAgent: Context.userAgent, scratch: context.directories.cache).fetch()
      }
      let isAsked = !offline && !context.environment.isSet("MPAAS_OFFLINE")
      let (registry, count) = try await known.add(name, mirrors: mirrors, root: bytes) { registry in
        guard isAsked else { return nil }
        return try await context.catalog(RegistryConfiguration(registries: [registry]), .now).names.count
      }
      return AddedRegistry(
        name: name, url: registry.url, mirrors: Array(mirrors.dropFirst()),
        fingerprint: Registry.fingerprint(of: bytes), modules: count)
    }

    private func trust(_ context: Context) -> RegistryRoot {
      if let root { return .file(root) }
      if let fingerprint { return .fingerprint(fingerprint) }
      return .agreed { found in
        let question = context.catalogue.text("text.sdk-registry-trust", ["url": url, "fingerprint": found])
        return try context.terminal.confirm(question, option: "--root FILE|--fingerprint HEX")
      }
    }
  }

  /// `mpaas sdk registry list`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "sdk.registry.list") }

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryList {
      let project = try context.project()
      let configuration = try RegistryConfiguration(
        directories: context.directories, project: project?.registries ?? [],
        in: project.map { FileSystem.folder(of: $0.file) } ?? ".")
      let user = try UserRegistries(context.directories).registries
      // The user's that a project does not ask are told too.
      let others = user.filter { other in !configuration.registries.contains { $0.name == other.name } }
      return RegistryList(asked: configuration.registries, others: others)
    }
  }

  /// `mpaas sdk registry remove NAME`.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "sdk.registry.remove") }

    @Argument(help: .text("command.sdk.registry.name", valueName: "name"), completion: .registryNames)
    var name: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RemovedRegistry {
      var known = try UserRegistries(context.directories)
      return RemovedRegistry(removed: try known.remove(name).name)
    }
  }
}

struct AddedRegistry: Presentable {
  let name: String
  let url: String
  let mirrors: [String]
  let fingerprint: String
  /// nil where it was not asked.
  let modules: Int?

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["name": name, "url": url, "count": String(modules ?? 0)]
    let key = modules == nil ? "text.sdk-registry-added-offline" : "text.sdk-registry-added"
    return [
      .line(StyledText(catalogue.text(key, values), .good)),
      .line(StyledText(catalogue.text("text.sdk-fingerprint", ["fingerprint": fingerprint]), .faint)),
    ]
  }
}

struct RegistryList: Presentable {
  struct Row: Encodable, Sendable {
    let name: String
    let url: String
    let mirrors: [String]
    let origin: String
    let asked: Bool
    let fingerprint: String?

    init(_ registry: Registry, isAsked: Bool) {
      name = registry.name
      url = registry.url
      mirrors = Array(registry.mirrors.dropFirst())
      origin = registry.origin.rawValue
      asked = isAsked
      fingerprint = (try? Bytes.reading(registry.root, limit: 512 << 10)).map { Registry.fingerprint(of: $0.array) }
    }
  }

  let registries: [Row]

  init(asked: [Registry], others: [Registry]) {
    registries = asked.map { Row($0, isAsked: true) } + others.map { Row($0, isAsked: false) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !registries.isEmpty else { return [.line(StyledText(catalogue.text("text.sdk-no-registries")))] }
    var table = Table(columns: [
      .init(catalogue.text("text.sdk-name")), .init(catalogue.text("text.sdk-origin")),
      .init(catalogue.text("text.sdk-fingerprint-column"), isOptional: true), .init(catalogue.text("text.sdk-address")),
    ])
    for row in registries {
      let origin = catalogue.text(row.asked ? "text.sdk-origin-" + row.origin : "text.sdk-origin-unasked")
      table.rows.append([
        StyledText(row.name), StyledText(origin),
        StyledText(row.fingerprint.map { String($0.prefix(16)) } ?? "–", .faint),
        StyledText(row.url, .path),
      ])
    }
    return [.table(table)]
  }
}

struct RemovedRegistry: Presentable {
  let removed: String

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.sdk-registry-removed", ["name": removed])))]
  }
}
