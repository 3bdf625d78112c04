import MPaaSSupport

/// The `mpaas.toml` that a project of the old kit gets.
package struct ImportedManifest: Sendable {
  /// The file of the old kit.
  package let file: String
  package let legacy: LegacyProject
  package let modules: LegacyImport
  /// The path of the manifest.
  package let path: String
  /// The text of the manifest.
  package let text: String

  /// Reads a project of the old kit; nothing is written.
  ///
  /// - Parameters:
  ///   - file: The file of the old kit; nil for that of the folder.
  ///   - folder: The project's folder.
  /// - Throws: `ModuleError` `legacy-missing`, `legacy-malformed`, and of files.
  package init(reading file: String?, in folder: String) throws(ModuleError) {
    let file = if let file { file } else { try Self.find(in: folder) }
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(file, limit: 64 << 20) } catch { throw ModuleError(error) }
    legacy = try withExtendedLifetime(bytes) { () throws(ModuleError) in
      try LegacyProject(reading: bytes.buffer, file: file)
    }
    modules = LegacyImport(legacy)
    path = ProjectFiles.path(folder, ProjectManifest.fileName)
    text = modules.text(from: FileSystem.name(of: file))
    self.file = file
    // The text that is written has to be read as the same manifest.
    _ = try ProjectManifest(reading: text, file: path)
  }

  /// Writes the manifest.
  ///
  /// - Parameter force: True to replace one that is there.
  /// - Throws: `ModuleError` `project-exists`, and of the file.
  package func write(force: Bool) throws(ModuleError) {
    guard force || FileStatus(ofLink: path) == nil else {
      throw ModuleError(.projectExists, ["file": path], at: .file(path))
    }
    do throws(FileError) { try Bytes(Array(text.utf8)).write(to: path) } catch { throw ModuleError(error) }
  }

  private static func find(in folder: String) throws(ModuleError) -> String {
    let name = LegacyProject.fileName
    let places = ["MPaaS/" + name, name].map { ProjectFiles.path(folder, $0) }
    guard let file = places.first(where: { FileStatus($0)?.kind == .file }) else {
      throw ModuleError(.legacyMissing, ["folder": folder], at: .file(folder))
    }
    return file
  }
}

extension ModuleError.Code {
  static var projectExists: Self { Self("project-exists", exit: .cannotCreate) }
  static var legacyMissing: Self { Self("legacy-missing", exit: .inputMissing) }
}
