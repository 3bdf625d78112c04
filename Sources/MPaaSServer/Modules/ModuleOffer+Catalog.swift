import MPaaSModules
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ModuleOffer {
  /// Makes the offer of some of a catalogue's modules: those that have all words of a text, a page at a time.
  ///
  /// - Parameter after: The last name of the page before.
  /// - Throws: `ModuleError` of an index that cannot be read.
  init(of catalog: ModuleCatalog, text: String, after: String?, limit: Int) throws(ModuleError) {
    let words = text.split(whereSeparator: \.isWhitespace).prefix(20).map(String.init)
    var names: [String]
    if words.isEmpty { names = catalog.names } else { names = try catalog.search(words).map(\.index.name) }
    if let after, let place = names.firstIndex(of: after) { names.removeFirst(place + 1) }
    var modules: [Module] = []
    for name in names.prefix(limit) {
      if let module = try catalog.offered(name) { modules.append(Module(module, of: catalog)) }
    }
    self.init(
      registries: catalog.registries.map(Registry.init), modules: modules,
      next: names.count > limit ? modules.last?.name : nil)
  }
}

extension ModuleOffer.Registry {
  init(_ contents: RegistryContents) {
    let registry = contents.registry
    let root = (try? Bytes.reading(registry.root, limit: 512 << 10))?.array ?? []
    self.init(
      name: registry.name, url: ModuleRegistries.addresses(of: registry).first ?? "",
      root: Registry.fingerprint(of: root), modules: contents.indexes.count,
      expires: contents.expires?.timeIntervalSince1970 ?? 0)
  }
}

extension ModuleOffer.Module {
  init(_ module: OfferedModule, of catalog: ModuleCatalog) {
    let contents = catalog.registries.first { $0.registry.name == module.registry }
    let index = module.index
    var summary: [String: String] = [:]
    summary["en"] = index.summary.english
    summary["zh-Hans"] = index.summary.simplifiedChinese
    self.init(
      name: index.name, registry: module.registry, role: contents?.role(of: index.name) ?? "", summary: summary,
      license: index.newest?.manifest.license, versions: index.releases.map(ModuleOffer.Version.init))
  }
}

extension ModuleOffer.Version {
  init(_ release: ModuleRelease) {
    let manifest = release.manifest
    self.init(
      version: release.version.text, released: release.released, size: release.archive.size,
      sha256: release.archive.sha256,
      platforms: Dictionary(manifest.platforms.map { ($0.key.rawValue, $0.value.text) }) { $1 },
      needs: Dictionary(manifest.dependencies.map { ($0.name, $0.requirement.text) }) { $1 },
      optional: manifest.dependencies.filter(\.isOptional).map(\.name), withdrawn: release.yanked)
  }
}
