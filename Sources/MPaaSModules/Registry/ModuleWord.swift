import MPaaSSupport
import MPaaSVerification

/// A module as people name it: `APLog`, `APLog@3.0.2`, or `MP*` for many.
package struct ModuleWord: Sendable, Equatable {
  package let name: String
  /// nil where any will do.
  package let version: String?

  package init(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    version = parts.count == 2 ? String(parts[1]) : nil
  }

  package var isPattern: Bool { name.contains { "*?[".contains($0) } }

  /// The names that it stands for.
  ///
  /// - Throws: `ModuleError` `sdk-module-unknown` where there is none.
  package func names(in catalog: ModuleCatalog) throws(ModuleError) -> [String] {
    guard isPattern else { return [try catalog.known(name).index.name] }
    let names = catalog.names.filter { PathPattern.matches(name, $0) }
    guard !names.isEmpty else { throw ModuleError(.moduleUnknown, ["name": name]) }
    return names
  }

  /// The release that it stands for in an index: the version that is named, else the newest.
  ///
  /// - Throws: `ModuleError` `module-version-unknown`.
  package func release(in index: ModuleIndex) throws(ModuleError) -> ModuleRelease {
    let newest = index.newest
    guard let version else {
      guard let newest else {
        throw ModuleError(.moduleVersionUnknown, ["name": index.name, "version": "*", "newest": "–"])
      }
      return newest
    }
    guard let release = ModuleVersion(version).flatMap({ index.release($0) }) else {
      throw ModuleError(
        .moduleVersionUnknown, ["name": index.name, "version": version, "newest": newest?.version.text ?? "–"])
    }
    return release
  }
}
