import ArgumentParser
package import CommandKit
package import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The choice of registries that are asked, and whether at all.
package struct CatalogOptions: ParsableArguments {
  @Option(help: .text("command.sdk.registry-option", valueName: "name|url"), completion: .registryNames)
  var registry: String?

  @Flag(help: .text("command.sdk.offline"))
  var offline = false

  @Flag(help: .text("command.sdk.refresh"))
  var refresh = false

  package init() {}

  package func validate() throws {
    if offline, refresh { throw ValidationError(Catalogue.current.text("text.sdk-offline-refresh")) }
  }

  /// `--offline`, or MPAAS_OFFLINE.
  package func isOffline(in context: Context) -> Bool {
    offline || (!refresh && context.environment.isSet("MPAAS_OFFLINE"))
  }

  /// `--registry`, or MPAAS_REGISTRY.
  package func chosen(in context: Context) -> String? {
    registry ?? context.environment.variable("MPAAS_REGISTRY")
  }

  package func freshness(in context: Context) -> CatalogFreshness {
    isOffline(in: context) ? .offline : refresh ? .now : .automatic
  }

  /// The catalogue of the project's registries, or of the user's outside a project.
  ///
  /// - Parameter names: Modules that are meant; see `Context.catalog`.
  func catalog(in context: Context, having names: [String] = []) async throws -> ModuleCatalog {
    let project = try context.project()
    let configuration = try RegistryConfiguration(
      directories: context.directories, project: project?.registries ?? [],
      in: project.map { FileSystem.folder(of: $0.file) } ?? ".", choosing: chosen(in: context))
    return try await context.catalog(configuration, freshness(in: context), having: names)
  }
}

extension Context {
  static var userAgent: String { "mpaas/\(KitVersion.current.version)" }

  /// The manifest of the project that the current folder lies in; nil where there is none above it.
  func project() throws -> ProjectManifest? { try ProjectFiles.nearestManifest() }

  /// Loads a catalogue with its progress, and tells its warnings.
  ///
  /// - Parameter names: Modules that are meant; before one of them is called unknown, all registries are asked.
  package func catalog(
    _ configuration: RegistryConfiguration, _ freshness: CatalogFreshness, having names: [String] = []
  ) async throws -> ModuleCatalog {
    let start = now()
    let catalog = try await load(configuration, freshness)
    guard freshness == .automatic, catalog.isOlder(than: start), !names.allSatisfy(catalog.has) else { return catalog }
    return try await load(configuration, .now)
  }

  private func load(
    _ configuration: RegistryConfiguration, _ freshness: CatalogFreshness
  ) async throws -> ModuleCatalog {
    let bar = CatalogProgress(terminal)
    defer { bar.finish() }
    let loader = CatalogLoader(configuration, userAgent: Self.userAgent, now: now, progress: bar.advance)
    let catalog = try await timed("catalogue") { try await loader.load(freshness) }
    for warning in catalog.warnings { terminal.warning(warning) }
    return catalog
  }

  /// The modules that this machine has.
  func localModules() throws -> LocalModules { try LocalModules(ModuleStore(folder: directories.modules)) }
}
