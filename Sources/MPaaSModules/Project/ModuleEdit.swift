import MPaaSSupport
import MPaaSTOML

/// Changes of `mpaas.toml` that keep everything else in it.
package struct ModuleEdit: Sendable {
  private var document: TOMLDocument
  private let manifest: ProjectManifest

  package init(_ files: ProjectFiles) {
    document = files.document
    manifest = files.manifest
  }

  /// The text of the file with the changes.
  package var text: String { document.text }

  /// Asks for a module, or for other versions of one that is asked for already.
  ///
  /// - Parameters:
  ///   - target: The only target that asks for it; nil for all.
  ///   - copies: True to place it as a copy, whatever the project says.
  /// - Throws: `ModuleError` where the file cannot be changed so.
  package mutating func add(
    _ name: String, _ requirement: String, target: String?, copies: Bool
  ) throws(ModuleError) {
    do throws(TOMLEditError) {
      try put(name, requirement, target: target, copies: copies)
    } catch {
      throw ModuleError(error)
    }
  }

  private mutating func put(
    _ name: String, _ requirement: String, target: String?, copies: Bool
  ) throws(TOMLEditError) {
    let path = Self.path(target) + [name]
    switch document.value(path) {
    case .object where !copies: document = try document.setting(path + ["version"], to: .string(requirement))
    case .object:
      document = try document.setting(path + ["version"], to: .string(requirement))
        .setting(path + ["place"], to: "copy")
    default:
      let value: JSONValue = copies ? ["version": .string(requirement), "place": "copy"] : .string(requirement)
      document = try document.setting(path, to: value)
    }
  }

  /// No longer asks for a module: in no target, or not in the one that is named.
  ///
  /// - Throws: `project-module-unused`, `project-module-needed` where other modules bring it.
  package mutating func remove(_ name: String, target: String?, lock: ProjectLock?) throws(ModuleError) {
    let own = document.value(Self.path(target) + [name])
    if let target {
      guard manifest.target(target)?.module(name) != nil || own != nil else { throw unused(name, lock) }
      let isShared = document.value(Self.path(nil) + [name]) != nil
      // A target can only be told to do without a module that all targets use.
      try change { document throws(TOMLEditError) in
        try isShared
          ? document.setting(Self.path(target) + [name], to: false) : document.removing(Self.path(target) + [name])
      }
      return
    }
    let paths = [Self.path(nil)] + manifest.targets.compactMap(\.name).map { Self.path($0) }
    let found = paths.filter { document.value($0 + [name]) != nil }
    guard !found.isEmpty else { throw unused(name, lock) }
    for path in found {
      try change { document throws(TOMLEditError) in try document.removing(path + [name]) }
    }
  }

  private mutating func change(
    _ edit: (TOMLDocument) throws(TOMLEditError) -> TOMLDocument
  ) throws(ModuleError) {
    do throws(TOMLEditError) { document = try edit(document) } catch { throw ModuleError(error) }
  }

  private static func path(_ target: String?) -> [String] {
    target.map { ["targets", $0, "modules"] } ?? ["modules"]
  }

  private func unused(_ name: String, _ lock: ProjectLock?) -> ModuleError {
    let owners = lock?.modules.filter { $0.dependencies.contains { $0.name == name } }.map(\.name) ?? []
    if !owners.isEmpty {
      let list = Set(owners).sorted().joined(separator: ", ")
      return ModuleError(.projectModuleNeeded, ["name": name, "owners": list], at: .file(manifest.file))
    }
    return .notUsed(name, among: manifest.targets.flatMap { $0.modules.map(\.name) }, file: manifest.file)
  }
}
