/// The modules of this machine's store.
package struct LocalModules: Sendable, Equatable {
  /// Newest first, by name.
  package let versions: [String: [ModuleVersion]]

  package init(versions: [String: [ModuleVersion]] = [:]) {
    self.versions = versions.mapValues { $0.sorted(by: >) }
  }

  package init(_ store: ModuleStore) throws(ModuleError) {
    self.init(versions: Dictionary(grouping: try store.modules(), by: \.name).mapValues { $0.map(\.version) })
  }

  /// The newest version of a module.
  package func newest(_ name: String) -> ModuleVersion? { versions[name]?.first }

  package func contains(_ name: String, _ version: ModuleVersion) -> Bool {
    versions[name]?.contains(version) ?? false
  }
}
