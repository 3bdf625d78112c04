package import MPaaSModules
import MPaaSSupport

extension XcodeModules {
  /// The Xcode project of a folder with an `mpaas.toml`.
  package enum Choice: Sendable {
    case project(XcodeModules)
    /// There is none, or it is to be left alone.
    case none
    /// It is not clear which of these is meant.
    case several([String])
  }

  /// Chooses the project that a user names, else the one that the manifest says.
  ///
  /// - Parameters:
  ///   - folder: The folder of `mpaas.toml`.
  ///   - path: The `.xcodeproj` that a user names, from here.
  /// - Throws: As `init(in:project:)`.
  package static func choose(
    in folder: String, by manifest: ProjectManifest, naming path: String?
  ) throws -> Choice {
    if let path { return .project(try XcodeModules(in: folder, project: inner(path, folder))) }
    switch manifest.xcode {
    case .off: return .none
    case .path(let path): return .project(try XcodeModules(in: folder, project: path))
    case .automatic:
      let found = projects(in: folder, named: manifest.name)
      guard let path = found.first else { return .none }
      guard found.count == 1 else { return .several(found) }
      return .project(try XcodeModules(in: folder, project: path))
    }
  }

  /// A path that was named from here, as seen from the project's folder.
  private static func inner(_ path: String, _ folder: String) -> String {
    let plain = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard folder != ".", let root = FileSystem.resolved(folder), let own = FileSystem.resolved(plain),
      own.hasPrefix(root + "/")
    else { return plain }
    return String(own.dropFirst(root.count + 1))
  }

  /// Has the targets use the modules, and writes the project where that changes it.
  ///
  /// - Parameter isTrial: Whether nothing is written.
  /// - Throws: `ProjectEditError`, `FileError`.
  package func wire(
    _ wirings: [ModuleWiring], moduleFolder: String, isTrial: Bool
  ) throws -> (project: EditedProject, targets: [String], notes: [XcodeModuleNote]) {
    let wired = try wired(wirings, moduleFolder: moduleFolder)
    if wired.project.isChanged, !isTrial { try Bytes(wired.project.bytes).write(to: file) }
    return wired
  }
}
