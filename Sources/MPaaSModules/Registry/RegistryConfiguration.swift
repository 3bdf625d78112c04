package import MPaaSSupport

/// The registries that are asked, in their order.
///
/// A project that names registries is answered by those alone, so that it gets the same modules on every machine; all
/// else is answered by the user's.
package struct RegistryConfiguration: Sendable, Equatable {
  package var registries: [Registry]

  package init(registries: [Registry]) {
    self.registries = registries
  }

  /// - Parameters:
  ///   - directories: Where the user's registries and what is trusted are.
  ///   - project: The registries of `mpaas.toml` in its order; none outside a project.
  ///   - folder: The project's folder.
  ///   - chosen: `--registry` or `MPAAS_REGISTRY`: the name or the address of the only one to ask.
  /// - Throws: `ModuleError` `registries-malformed`, `registry-no-root`, `registry-unknown`.
  package init(
    directories: Directories, project: [ProjectRegistry] = [], in folder: String = ".", choosing chosen: String? = nil
  ) throws(ModuleError) {
    let user = try UserRegistries(directories).registries
    registries = []
    for entry in project { registries.append(try Self.registry(entry, folder, user, directories)) }
    if registries.isEmpty { registries = user }
    guard let chosen else { return }
    // Also one of the user's that the project does not name: who says its name means it.
    let known = registries + user.filter { other in !registries.contains { $0.name == other.name } }
    guard let only = known.first(where: { $0.name == chosen }) ?? known.first(where: { $0.has(address: chosen) }) else {
      throw Self.unknown(chosen, among: known.map(\.name))
    }
    registries = [only]
  }

  package static func unknown(_ name: String, among names: [String]) -> ModuleError {
    guard let near = closestMatch(to: name, among: names) else { return ModuleError(.registryUnknown, ["name": name]) }
    return ModuleError(.registryUnknownNear, ["name": name, "suggestion": near])
  }

  private static func registry(
    _ entry: ProjectRegistry, _ folder: String, _ user: [Registry], _ directories: Directories
  ) throws(ModuleError) -> Registry {
    guard Registry.isName(entry.name) else { throw ModuleError(.registryBadName, ["name": entry.name]) }
    let addresses = [entry.url].compactMap(\.self) + entry.mirrors
    let mirrors = addresses.map { RegistryAddress.absolute($0, in: folder) }
    guard let root = entry.root.map({ RegistryAddress.absolute($0, in: folder) }), !mirrors.isEmpty else {
      guard var known = user.first(where: { $0.name == entry.name }) else {
        throw ModuleError(.registryNoRoot, ["name": entry.name])
      }
      if !mirrors.isEmpty { known.mirrors = mirrors }
      known.origin = .project
      return known
    }
    guard FileStatus(root)?.kind == .file else {
      throw ModuleError(FileError(.open, root, .noSuchFileOrDirectory))
    }
    // Another project may call another registry the same.
    let bytes: [UInt8]
    do throws(FileError) { bytes = try Bytes.reading(root, limit: 512 << 10).array } catch { throw ModuleError(error) }
    let key = Registry.fingerprint(of: bytes).prefix(16)
    return Registry(
      name: entry.name, mirrors: mirrors, root: root, origin: .project,
      folder: "\(directories.registries)/\(entry.name)@\(key)")
  }
}

extension Registry {
  fileprivate func has(address: String) -> Bool {
    let wanted = RegistryAddress.absolute(address, in: ".")
    return mirrors.contains { RegistryAddress.trimmed($0) == RegistryAddress.trimmed(wanted) }
  }
}

/// Addresses of registries: URLs as they are, folders by their full path.
package enum RegistryAddress {
  package static func isURL(_ text: String) -> Bool { text.contains("://") }

  package static func absolute(_ address: String, in folder: String) -> String {
    guard !isURL(address), !address.hasPrefix("/") else { return address }
    let path = folder + "/" + address
    // Folders that are not there yet keep their words.
    return FileSystem.resolved(path) ?? path
  }

  static func trimmed(_ address: String) -> Substring {
    var rest = address[...]
    while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
    return rest
  }
}

extension Directories {
  /// The folder of what is trusted of each registry, and its modules' indexes.
  package var registries: String { data + "/registries" }
  /// The store of modules.
  package var modules: String { data + "/modules" }
}
