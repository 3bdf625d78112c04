package import MPaaSSupport
import MPaaSTOML

extension ModuleStore {
  private var projects: String { folder + "/projects.json" }

  /// Remembers that a project uses modules of the store, so that `collect` asks its lock before it removes any.
  ///
  /// - Parameter path: The project's folder.
  package func note(project path: String) throws(ModuleError) {
    let path = FileSystem.resolved(path) ?? path
    // Nearly always it is known, and then nothing is written.
    if try knownProjects().contains(ExactName(path)) || isReadOnly { return }
    try withFileErrors { () throws(FileError) in try Directories.create(folder) }
    let lock = try StoreLock(folder + "/projects.lock", .exclusive)
    try write(projects: try knownProjects().union([ExactName(path)]))
    withExtendedLifetime(lock) {}
  }

  /// Forgets projects.
  func drop(projects gone: [String]) throws(ModuleError) {
    guard !gone.isEmpty else { return }
    let lock = try StoreLock(folder + "/projects.lock", .exclusive)
    try write(projects: try knownProjects().subtracting(gone.map { ExactName($0) }))
    withExtendedLifetime(lock) {}
  }

  /// The folders of projects that were noted; two whose names only look alike are two.
  package func knownProjects() throws(ModuleError) -> Set<ExactName> {
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.mapping(projects)
    } catch {
      if error.code == .noSuchFileOrDirectory { return [] }
      throw ModuleError(error)
    }
    guard let list = (try? JSONValue(reading: bytes.buffer))?.object?["projects"]?.array else {
      throw damaged("projects.json", projects)
    }
    return Set(list.lazy.compactMap(\.string).map { ExactName($0) })
  }

  private func write(projects paths: Set<ExactName>) throws(ModuleError) {
    let document: JSONValue = ["projects": .array(paths.sorted().map { .string($0.text) })]
    try withFileErrors { () throws(FileError) in try Bytes((document.line + "\n").utf8).write(to: projects) }
  }
}

extension ModuleStore {
  /// The digests that the `mpaas.lock` in a project's folder names; nil where there is none.
  ///
  /// - Throws: `ModuleError` where it cannot be read: it may name any module.
  package static func lockedDigests(_ project: String) throws(ModuleError) -> Set<String>? {
    let path = project + "/mpaas.lock"
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.mapping(path)
    } catch {
      if error.code == .noSuchFileOrDirectory || error.code == .notDirectory { return nil }
      throw ModuleError(error)
    }
    do throws(TOMLError) {
      let modules = try TOMLDocument(String(utf8: bytes.buffer), file: path).values["module"]?.array ?? []
      return Set(modules.compactMap { $0.object?["sha256"]?.string })
    } catch {
      throw ModuleError(error)
    }
  }
}
