import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTOML
import MPaaSTerminal

/// Which project.
struct ProjectOption: ParsableArguments {
  @Option(help: .text("command.module.project", valueName: "folder"), completion: .file())
  var project: String?

  /// The folder that was named or that holds the file that was named, else the first from here upwards with an
  /// `mpaas.toml`.
  ///
  /// - Throws: `project-missing`.
  func folder() throws -> String {
    if let project {
      let folder = FileStatus(project)?.kind == .file ? FileSystem.folder(of: project) : project
      guard FileStatus(folder + "/" + ProjectManifest.fileName)?.kind == .file else { throw Self.missing(folder) }
      return folder
    }
    guard var folder = FileSystem.resolved(".") else { throw Self.missing(".") }
    let here = folder
    while true {
      let path = (folder == "/" ? "" : folder) + "/" + ProjectManifest.fileName
      if FileStatus(path)?.kind == .file { return folder == here ? "." : folder }
      guard folder != "/" else { throw Self.missing(here) }
      folder = FileSystem.folder(of: folder)
    }
  }

  func files() throws -> ProjectFiles { try ProjectFiles(in: folder()) }

  private static func missing(_ folder: String) -> Diagnostic {
    Diagnostic("project-missing", ["folder": folder], at: .file(folder), exit: .inputMissing)
  }
}

/// A target of the project by its name.
struct TargetOption: ParsableArguments {
  @Option(help: .text("command.module.target", valueName: "name"))
  var target: String?

  /// The target that was named, or all.
  ///
  /// - Throws: `project-target-unknown`.
  func targets(of manifest: ProjectManifest) throws -> [ProjectTarget] {
    guard let target else { return manifest.targets }
    if let found = manifest.target(target) { return [found] }
    let names = manifest.targets.compactMap(\.name)
    let values = [
      "target": target, "targets": names.isEmpty ? "–" : names.joined(separator: ", "),
      "suggestion": closestMatch(to: target, among: names) ?? "",
    ]
    throw Diagnostic("project-target-unknown", values, at: .file(manifest.file), exit: .inputMissing)
  }
}

/// What stands in a project's files now.
struct ProjectFiles {
  /// As it is named to the user.
  let folder: String
  let document: TOMLDocument
  let manifest: ProjectManifest
  /// nil where the project has none yet.
  let lock: ProjectLock?

  var manifestFile: String { Self.path(folder, ProjectManifest.fileName) }
  var lockFile: String { Self.path(folder, ProjectLock.fileName) }

  init(in folder: String) throws {
    self.folder = folder
    let file = Self.path(folder, ProjectManifest.fileName)
    document = try ProjectManifest.document(try Self.text(file), file: file)
    manifest = try ProjectManifest(document, file: file)
    let lockFile = Self.path(folder, ProjectLock.fileName)
    guard FileStatus(lockFile) != nil else {
      lock = nil
      return
    }
    lock = try ProjectLock(reading: try Self.text(lockFile), file: lockFile)
  }

  static func path(_ folder: String, _ name: String) -> String { folder == "." ? name : folder + "/" + name }

  private static func text(_ file: String) throws -> String {
    String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
  }

  /// The lock of a project that was resolved.
  ///
  /// - Throws: `lock-missing`.
  func locked() throws -> ProjectLock {
    guard let lock else {
      throw Diagnostic("lock-missing", ["file": lockFile], at: .file(lockFile), exit: .inputMissing)
    }
    return lock
  }
}
