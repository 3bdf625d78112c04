package import MPaaSSupport
package import MPaaSVerification
import Synchronization

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The offers of all registries, verified: the indexes of all modules at one moment.
///
/// A module is looked for in the registries in their order, and the first that has its name is the only one that is
/// asked for it: no later one can slip in a newer version of a module that is not its own.
package struct ModuleCatalog: Sendable {
  /// The module's registries, first asked first.
  package let registries: [RegistryContents]
  /// The warnings that stop nothing: metadata that has expired, used offline.
  package let warnings: [Diagnostic]
  private let places: [String: Int]
  private let parsed = ParsedIndexes()

  package init(_ registries: [RegistryContents], warnings: [Diagnostic] = []) {
    self.registries = registries
    self.warnings = warnings
    var places: [String: Int] = [:]
    for (number, registry) in registries.enumerated() {
      for name in registry.indexes.keys where places[name] == nil { places[name] = number }
    }
    self.places = places
  }

  /// Names of all modules, sorted without regard to case.
  package var names: [String] { Self.sorted(places.keys) }

  /// The same in any order.
  package var offeredNames: some Sequence<String> { places.keys }

  /// Without regard to case, as a list shows them.
  package static func sorted(_ names: some Sequence<String>) -> [String] {
    names.map { (key: $0.lowercased(), name: $0) }.sorted { ($0.key, $0.name) < ($1.key, $1.name) }.map(\.name)
  }

  /// The names of the registries, first asked first.
  package var registryNames: [String] { registries.map(\.registry.name) }

  package func has(_ name: String) -> Bool { places[name] != nil }

  /// Tells whether some registry was last asked before `time`; what it lacks may be there by now.
  package func isOlder(than time: Date) -> Bool {
    registries.contains { $0.client.lastRefresh.map { $0 < time } ?? true }
  }

  /// All versions of a module: in the registry that is named, or else in the first one that has it; nil where none has.
  ///
  /// - Throws: `ModuleError` `registry-unknown`; where its index is not one, or that of another module.
  package func offered(_ name: String, in registry: String? = nil) throws(ModuleError) -> OfferedModule? {
    guard let contents = try contents(name, registry), let bytes = contents.indexes[name] else { return nil }
    let index = try parsed.index(name, of: contents.registry.name, bytes)
    return OfferedModule(registry: contents.registry.name, index: index)
  }

  /// The same, or an error that names the closest module.
  ///
  /// - Throws: `ModuleError` `sdk-module-unknown`, `sdk-module-unknown-near`.
  package func known(_ name: String) throws(ModuleError) -> OfferedModule {
    if let offered = try offered(name) { return offered }
    let near = names.first { $0.lowercased() == name.lowercased() } ?? closestMatch(to: name, among: names)
    guard let near else { throw ModuleError(.moduleUnknown, ["name": name]) }
    throw ModuleError(.moduleUnknownNear, ["name": name, "suggestion": near])
  }

  /// The newest version of a module and the registry that has it; nil where none has.
  ///
  /// Reads no more of the index than that takes.
  package func newest(_ name: String) throws(ModuleError) -> (version: ModuleVersion, registry: String)? {
    if let contents = try contents(name, nil), let bytes = contents.indexes[name] {
      let skim = withExtendedLifetime(bytes) { ModuleIndex.Skim(bytes.buffer) }
      if let skim, skim.name == name, let newest = skim.newest { return (newest, contents.registry.name) }
    }
    guard let offered = try offered(name), let release = offered.index.newest else { return nil }
    return (release.version, offered.registry)
  }

  private func contents(_ name: String, _ registry: String?) throws(ModuleError) -> RegistryContents? {
    guard let registry else { return places[name].map { registries[$0] } }
    guard let contents = registries.first(where: { $0.registry.name == registry }) else {
      throw RegistryConfiguration.unknown(registry, among: registryNames)
    }
    return contents
  }

  /// The archive of a release as the registry's signed metadata lists it.
  ///
  /// - Throws: `ModuleError` `module-archive-not-offered`, `module-archive-differs` where metadata and index do not
  /// agree.
  package func archive(of release: ModuleRelease, in registry: String) throws(ModuleError) -> ModuleArchiveTarget {
    let name = release.manifest.name
    let values = ["name": name, "version": release.version.text, "file": release.archive.name]
    guard let contents = try contents(name, registry),
      let target = contents.archives[ExactName("sdk/\(name)/\(release.archive.name)")]
    else { throw ModuleError(.moduleArchiveNotOffered, values) }
    guard target.file.digests.hexadecimal["sha256"] == release.archive.sha256,
      UInt64(clamping: target.length) == release.archive.size
    else { throw ModuleError(.moduleArchiveDiffers, values) }
    return ModuleArchiveTarget(registry: contents.registry, client: contents.client, target: target)
  }
}

/// A module's archive in a registry.
package struct ModuleArchiveTarget: Sendable {
  package let registry: Registry
  package let client: RepositoryClient
  package let target: TrustedTarget
}

/// The offers of one registry under `sdk/`.
package struct RegistryContents: Sendable {
  package let registry: Registry
  /// With what it trusts now.
  package let client: RepositoryClient
  /// The bytes of `sdk/NAME/index.json`, whose digests are those of the signed metadata, by module.
  package let indexes: [String: Bytes]
  /// The signed metadata about them.
  package let indexTargets: [String: TrustedTarget]
  /// Everything else under `sdk/`, by its full name.
  package let archives: [ExactName: TrustedTarget]

  package init(
    registry: Registry, client: RepositoryClient, indexes: [String: Bytes], indexTargets: [String: TrustedTarget],
    archives: [ExactName: TrustedTarget]
  ) {
    self.registry = registry
    self.client = client
    self.indexes = indexes
    self.indexTargets = indexTargets
    self.archives = archives
  }
}

extension RegistryContents {
  /// The end of the first part of what is trusted; nil where nothing is.
  package var expires: Date? { client.firstExpiry?.expires }

  /// The role whose keys signed the index of a module; nil where the registry does not have it.
  package func role(of module: String) -> String? { indexTargets[module]?.role }

  /// The metadata that is trusted, byte for byte and by the names that it has in the registry.
  ///
  /// - Throws: `ModuleError` `metadata-missing` where some of it is another meanwhile.
  package func metadata() throws(ModuleError) -> [(name: String, bytes: [UInt8])] {
    try CatalogLoader.trusted { () throws(TrustError) in try client.trustedFiles() }
  }
}

/// Indexes that were read already; most calls need a few of very many.
private final class ParsedIndexes: Sendable {
  private let known = Mutex<[String: ModuleIndex]>([:])

  func index(_ name: String, of registry: String, _ bytes: Bytes) throws(ModuleError) -> ModuleIndex {
    let key = registry + "/" + name
    if let index = known.withLock({ $0[key] }) { return index }
    let index = try ModuleIndex(reading: bytes)
    guard index.name == name else {
      throw ModuleError(.moduleIndexOfOther, ["name": name, "found": index.name])
    }
    known.withLock { $0[key] = index }
    return index
  }
}
