import MPaaSSupport

/// The build settings that a project's modules need: an `.xcconfig` for each target, `modules.json` for other build
/// systems, and `BuildConfig.json` for scripts of the old kit's time.
///
/// They depend on the manifest and on what was placed, on nothing else, and are written only where they change.
package struct ProjectSettingsFiles {
  /// A module that was placed.
  package struct Module: Sendable {
    package let locked: LockedModule
    package let manifest: ModuleManifest
    /// Its folder, from the project's folder: `MPaaS/Modules/APLog`.
    package let path: String

    package init(_ locked: LockedModule, _ manifest: ModuleManifest, path: String) {
      self.locked = locked
      self.manifest = manifest
      self.path = path
    }
  }

  let project: ProjectManifest
  /// Sorted by name.
  let modules: [Module]

  package init(project: ProjectManifest, modules: [Module]) {
    self.project = project
    self.modules = modules.sorted { ($0.locked.name, $0.path) < ($1.locked.name, $1.path) }
  }

  /// Writes the files that are not as they should be, and takes away those of targets that are gone.
  ///
  /// - Parameter folder: The project's folder, in which the modules are placed already.
  /// - Returns: What was written or removed, paths from the project's folder.
  /// - Throws: `ModuleError` where the folder cannot be written to.
  @discardableResult
  package func write(in folder: String) throws(ModuleError) -> [String] {
    var changed: [String] = []
    do throws(FileError) {
      let files = files { (try? FileSystem.names(in: folder + "/" + $0)) ?? [] }
      let place = folder + "/" + project.folder
      if !files.isEmpty { try Directories.create(place) }
      for (path, text) in files.sorted(by: { $0.key < $1.key }) {
        let file = folder + "/" + path
        if let old = try? Bytes.reading(file, limit: 16 << 20), old.array.elementsEqual(text.utf8) { continue }
        try Bytes(Array(text.utf8)).write(to: file)
        changed.append(path)
      }
      for name in (try? FileSystem.names(in: place)) ?? [] where files[project.folder + "/" + name] == nil {
        guard name.hasSuffix(".xcconfig") || [Self.listName, Self.legacyName].contains(name),
          Self.isOurs(place + "/" + name)
        else { continue }
        try FileSystem.remove(place + "/" + name)
        changed.append(project.folder + "/" + name)
      }
    } catch {
      throw ModuleError(error)
    }
    return changed
  }

  static let listName = "modules.json"

  /// The texts by path from the project's folder; none where no target uses a module.
  ///
  /// - Parameter names: The names in a folder of the project.
  func files(names: @escaping (_ path: String) -> [String]) -> [String: String] {
    guard !modules.isEmpty else { return [:] }
    var files: [String: String] = [:]
    var targets: [TargetSettings] = []
    for target in project.targets {
      let settings = settings(for: target, names: names)
      files["\(project.folder)/\(target.name ?? "modules").xcconfig"] = settings.xcconfig
      targets.append(settings)
    }
    files["\(project.folder)/\(Self.listName)"] = Self.list(targets)
    files["\(project.folder)/\(Self.legacyName)"] = legacyBuildConfig(targets)
    return files
  }

  func settings(for target: ProjectTarget, names: @escaping (_ path: String) -> [String]) -> TargetSettings {
    let own = modules.filter { $0.locked.applies(to: target.name) && isPlaced($0, for: target.name) }
    return TargetSettings(target, own, folder: project.folder, names: names)
  }

  /// Tells whether a folder is that of a target: where targets differ, each has its own.
  private func isPlaced(_ module: Module, for target: String?) -> Bool {
    guard let target, module.path.hasPrefix(project.folder + "/Targets/") else { return true }
    return module.path.hasPrefix("\(project.folder)/Targets/\(target)/")
  }

  /// The first line of what is written here; what has another is somebody's own.
  static let mark = "Written by mpaas"

  private static func isOurs(_ file: String) -> Bool {
    guard let bytes = try? Bytes.reading(file, limit: 1 << 14).array else { return false }
    return String(decoding: bytes, as: UTF8.self).contains(mark)
  }
}
