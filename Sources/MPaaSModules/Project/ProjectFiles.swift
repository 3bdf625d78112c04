import MPaaSSupport
import MPaaSTOML

/// The manifest and the lock of a project, as they stand in its folder.
package struct ProjectFiles: Sendable {
  /// As it is named to the user.
  package let folder: String
  let document: TOMLDocument
  package let manifest: ProjectManifest
  /// nil where the project has none yet.
  package let lock: ProjectLock?

  package var lockFile: String { Self.path(folder, ProjectLock.fileName) }

  /// Reads the manifest of a project, and its lock where there is one.
  ///
  /// - Throws: `ModuleError` of the files.
  package init(in folder: String) throws(ModuleError) {
    self.folder = folder
    let file = Self.path(folder, ProjectManifest.fileName)
    document = try ProjectManifest.document(try Self.text(file), file: file)
    manifest = try ProjectManifest(document, file: file)
    lock = try ProjectLock(in: folder)
  }

  /// The path of a file in a project's folder, as it is named to the user.
  package static func path(_ folder: String, _ name: String) -> String { folder == "." ? name : folder + "/" + name }

  static func text(_ file: String) throws(ModuleError) -> String {
    do throws(FileError) {
      return String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
    } catch {
      throw ModuleError(error)
    }
  }

  /// The lock of a project that was resolved.
  ///
  /// - Throws: `ModuleError` `lock-missing`.
  package func locked() throws(ModuleError) -> ProjectLock {
    guard let lock else { throw ModuleError(.lockMissing, ["file": lockFile], at: .file(lockFile)) }
    return lock
  }

  // MARK: - Which project

  /// The folder that is named or that holds the file that is named, else the first one from here upwards with an
  /// `mpaas.toml`.
  ///
  /// - Throws: `ModuleError` `project-missing`.
  package static func folder(named project: String?) throws(ModuleError) -> String {
    if let project {
      let folder = FileStatus(project)?.kind == .file ? FileSystem.folder(of: project) : project
      guard FileStatus(folder + "/" + ProjectManifest.fileName)?.kind == .file else { throw missing(folder) }
      return folder
    }
    let here = FileSystem.resolved(".")
    guard let folder = nearestFolder() else { throw missing(here ?? ".") }
    return folder == here ? "." : folder
  }

  /// The first folder from here upwards with an `mpaas.toml`; nil where there is none.
  private static func nearestFolder() -> String? {
    guard var folder = FileSystem.resolved(".") else { return nil }
    while true {
      let file = (folder == "/" ? "" : folder) + "/" + ProjectManifest.fileName
      if FileStatus(file)?.kind == .file { return folder }
      guard folder != "/" else { return nil }
      folder = FileSystem.folder(of: folder)
    }
  }

  /// The manifest of the project that the current folder lies in; nil where it lies in none.
  ///
  /// - Throws: `ModuleError` of the file.
  package static func nearestManifest() throws(ModuleError) -> ProjectManifest? {
    guard let folder = nearestFolder() else { return nil }
    let file = (folder == "/" ? "" : folder) + "/" + ProjectManifest.fileName
    return try ProjectManifest(reading: try text(file), file: file)
  }

  private static func missing(_ folder: String) -> ModuleError {
    ModuleError(.projectMissing, ["folder": folder], at: .file(folder))
  }
}

extension ProjectLock {
  /// Reads the lock of a project.
  ///
  /// - Returns: nil where the project has none.
  /// - Throws: `ModuleError` of the file.
  package init?(in folder: String) throws(ModuleError) {
    let file = ProjectFiles.path(folder, ProjectLock.fileName)
    guard FileStatus(file) != nil else { return nil }
    self = try ProjectLock(reading: try ProjectFiles.text(file), file: file)
  }
}

extension ProjectManifest {
  /// The target that is named, or all.
  ///
  /// - Throws: `ModuleError` `project-target-unknown`.
  package func targets(named target: String?) throws(ModuleError) -> [ProjectTarget] {
    guard let target else { return targets }
    if let found = self.target(target) { return [found] }
    let names = targets.compactMap(\.name)
    let values = [
      "target": target, "targets": names.isEmpty ? "–" : names.joined(separator: ", "),
      "suggestion": closestMatch(to: target, among: names) ?? "",
    ]
    throw ModuleError(.projectTargetUnknown, values, at: .file(file))
  }
}

extension ModuleError.Code {
  static var projectMissing: Self { Self("project-missing", exit: .inputMissing) }
  static var projectTargetUnknown: Self { Self("project-target-unknown", exit: .inputMissing) }
  static var lockMissing: Self { Self("lock-missing", exit: .inputMissing) }
}
