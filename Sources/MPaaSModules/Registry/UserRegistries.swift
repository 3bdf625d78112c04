package import MPaaSSupport
import MPaaSTOML
import MPaaSToolSupport

/// The registries that the user's configuration knows: `registries.toml`, and a root for each beside it.
///
/// ```toml
/// [registries.main]
/// url = "https://modules.example.com"
/// mirrors = ["/mnt/modules"]
/// ```
package struct UserRegistries: Sendable {
  private let directories: Directories
  /// In the order of the file.
  package private(set) var registries: [Registry]

  private var file: String { directories.configuration + "/registries.toml" }

  /// Reads the file; none is no registries.
  ///
  /// - Throws: `ModuleError` `registries-malformed`, `toml-malformed`, why the file cannot be read, and
  ///   `folder-other-owner`, `folder-writable` or `home-unknown` where somebody else could put registries there.
  package init(_ directories: Directories) throws(ModuleError) {
    self.directories = directories
    registries = []
    do throws(FolderError) {
      try OwnFolder.check(directories.configuration)
      try OwnFolder.check(directories.registries)
    } catch { throw ModuleError(error) }
    guard FileStatus(file) != nil else { return }
    let text: String
    do throws(FileError) {
      text = String(decoding: try Bytes.reading(file, limit: 1 << 20).array, as: UTF8.self)
    } catch { throw ModuleError(error) }
    let values: JSONValue.Object
    do throws(TOMLError) { values = try TOMLDocument(text, file: file).values } catch { throw ModuleError(error) }
    let tables = values["registries"]?.object ?? [:]
    for name in Self.order(of: tables.keys.sorted(), in: text) {
      guard Registry.isName(name), let table = tables[name]?.object, let url = table["url"]?.string, !url.isEmpty else {
        throw ModuleError(.registriesMalformed, ["name": name, "file": file], at: .file(file))
      }
      let mirrors = (table["mirrors"]?.array ?? []).compactMap(\.string)
      registries.append(
        Registry(
          name: name, mirrors: [url] + mirrors, root: rootFile(name), origin: .user,
          folder: directories.registries + "/" + name))
    }
  }

  private func rootFile(_ name: String) -> String { "\(directories.configuration)/registries/\(name).root.json" }

  /// TOML has no order of tables, but people have: that of the lines which name them.
  package static func order(of names: [String], in text: String) -> [String] {
    var places: [String: Int] = [:]
    for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let words = line.filter { $0 != " " && $0 != "\"" && $0 != "'" && $0 != "\t" }
      for name in names where places[name] == nil {
        if words.hasPrefix("[registries.\(name)]") || words.hasPrefix("registries.\(name).") { places[name] = number }
      }
    }
    return names.sorted { (places[$0] ?? .max, $0) < (places[$1] ?? .max, $1) }
  }

  // MARK: - Changing them

  /// Adds a registry behind the others, with the root that is trusted.
  ///
  /// - Throws: `ModuleError` `registry-bad-name`, `registry-known`, or why a file could not be written.
  package mutating func add(_ name: String, mirrors: [String], root: [UInt8]) throws(ModuleError) -> Registry {
    guard Registry.isName(name) else { throw ModuleError(.registryBadName, ["name": name]) }
    guard !registries.contains(where: { $0.name == name }) else {
      throw ModuleError(.registryKnown, ["name": name])
    }
    let registry = Registry(
      name: name, mirrors: mirrors, root: rootFile(name), origin: .user, folder: directories.registries + "/" + name)
    try forget(registry)
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: registry.root))
      try Bytes(root).write(to: registry.root)
    } catch { throw ModuleError(error) }
    registries.append(registry)
    try write()
    return registry
  }

  /// Forgets a registry and all that was trusted of it.
  ///
  /// - Throws: `ModuleError` `registry-unknown`.
  package mutating func remove(_ name: String) throws(ModuleError) -> Registry {
    guard let index = registries.firstIndex(where: { $0.name == name }) else {
      throw RegistryConfiguration.unknown(name, among: registries.map(\.name))
    }
    let registry = registries.remove(at: index)
    try write()
    do throws(FileError) { try FileSystem.remove(registry.root) } catch { throw ModuleError(error) }
    try forget(registry)
    return registry
  }

  private func forget(_ registry: Registry) throws(ModuleError) {
    guard FileStatus(registry.folder) != nil else { return }
    do throws(FileError) {
      for entry in try FileSystem.entries(in: registry.folder) {
        let path = registry.folder + "/" + entry.name
        if entry.kind == .folder {
          for name in try FileSystem.names(in: path) { try FileSystem.remove(path + "/" + name) }
          FileSystem.removeIfEmpty(path)
        } else {
          try FileSystem.remove(path)
        }
      }
    } catch { throw ModuleError(error) }
    FileSystem.removeIfEmpty(registry.folder)
  }

  private func write() throws(ModuleError) {
    var text: [UInt8] = []
    for registry in registries {
      if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
      text += "[registries.\(registry.name)]\nurl = ".utf8
      JSONValue.append(registry.url, to: &text)
      if registry.mirrors.count > 1 {
        text += "\nmirrors = ".utf8
        JSONValue.array(registry.mirrors.dropFirst().map { .string($0) }).append(to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    }
    do throws(FileError) {
      try Directories.create(directories.configuration)
      try Bytes(text).write(to: file)
    } catch { throw ModuleError(error) }
  }
}
