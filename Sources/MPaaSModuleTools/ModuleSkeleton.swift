package import MPaaSModules
package import MPaaSSupport

/// The first `module.toml` of a module, by what its folder holds.
package struct ModuleSkeleton: Sendable {
  /// The facts that were found; what only people know is left out.
  package let manifest: ModuleManifest
  private let folder: String

  /// Looks through a folder.
  ///
  /// - Parameters:
  ///   - name: The module's name; otherwise that of its only framework, else that of the folder.
  ///   - version: The version of the module; otherwise 0.1.0.
  /// - Throws: `ModuleError` `module-name` where no name that was given or found can be one; as `ModuleFolder`.
  package init(of folder: String, name: String? = nil, version: ModuleVersion? = nil) throws(ModuleError) {
    let contents = ModuleContents(foundIn: try Self.files(in: folder))
    let name = name ?? Self.name(of: folder, contents)
    guard ModuleName.isValid(name) else {
      throw ModuleError(.badName, ["file": folder, "value": name, "key": "name"], at: .file(folder))
    }
    var manifest = ModuleManifest(name: name, version: version ?? ModuleVersion(numbers: [0, 1, 0]))
    manifest.contents = contents
    manifest.platforms = FoundPlatforms(of: contents, in: folder).minimums
    manifest.license = FoundLicense.identifier(in: folder)
    manifest.notes = LocalizedText(english: "The first version.", simplifiedChinese: "首个版本。")
    self.manifest = manifest
    self.folder = folder
  }

  /// The path of the manifest.
  package var file: String { folder == "." ? ModuleArchive.manifestName : folder + "/" + ModuleArchive.manifestName }

  /// The manifest's text, with lines to fill in for what could not be found.
  package var text: String {
    var lines = manifest.toml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blanks = ["# summary = { en = \"The purpose of it.\", zh-Hans = \"它的用途。\" }"]
    if manifest.license == nil { blanks.append("# license = \"MIT\"  # an SPDX expression") }
    lines.insert(contentsOf: blanks, at: lines.firstIndex(of: "") ?? lines.count)
    if manifest.platforms.isEmpty {
      lines.insert(contentsOf: ["", "# [platforms]", "# ios = \"15.0\""], at: lines.count - 1)
    }
    return lines.joined(separator: "\n")
  }

  /// Writes `module.toml`.
  ///
  /// - Throws: `ModuleError` `module-manifest-exists` where there is one; those of files.
  package func write() throws(ModuleError) {
    guard FileStatus(ofLink: file) == nil else { throw ModuleError(.manifestExists, ["file": file], at: .file(file)) }
    try ModuleError.wrapping { () throws(FileError) in try Bytes(Array(text.utf8)).write(to: file) }
  }

  /// Writes `module.toml` into each of the folders that has none.
  ///
  /// - Throws: As `init` and `write()`.
  package static func writingMissing(in folders: [String]) throws(ModuleError) -> [ModuleSkeleton] {
    var written: [ModuleSkeleton] = []
    for folder in folders where FileStatus(ofLink: folder + "/" + ModuleArchive.manifestName) == nil {
      let skeleton = try ModuleSkeleton(of: folder)
      try skeleton.write()
      written.append(skeleton)
    }
    return written
  }

  private static func files(in folder: String) throws(ModuleError) -> [String] {
    let paths = try ModuleFolder(folder) { $0.hasPrefix(".") || ["build", "dist", "Tests"].contains($0) }.entries
    return paths.filter(\.isFile).map(\.path)
  }

  private static func name(of folder: String, _ contents: ModuleContents) -> String {
    let frameworks = contents.frameworks + contents.xcframeworks
    if frameworks.count == 1, let only = frameworks.first {
      return String(FileSystem.name(of: only).prefix { $0 != "." })
    }
    return FileSystem.name(of: FileSystem.resolved(folder) ?? folder)
  }
}

extension ModuleError.Code {
  /// There is a `module.toml` already.
  package static var manifestExists: Self { Self("module-manifest-exists", exit: .cannotCreate) }
}
