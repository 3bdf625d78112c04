import MPaaSConfig
package import MPaaSModules
import MPaaSSupport

/// Has the targets of an Xcode project use the SDK modules of an `mpaas.toml`.
///
/// All that it adds bears ids of its own (`EditID.modulePrefix`) or names that begin with `MPAAS_`, so that a later run
/// knows it again without a note of its own, and can take away every byte of it.
package struct XcodeModules: Sendable {
  /// The `project.pbxproj`, as it is named to the user.
  package let file: String
  package let project: PBXProjectFile
  /// The way from the folder of `mpaas.toml` to that of the `.xcodeproj`; empty for the same.
  let place: String
  /// The folder of `mpaas.toml`.
  let folder: String

  /// - Parameters:
  ///   - folder: The folder of `mpaas.toml`.
  ///   - path: The `.xcodeproj` from there.
  /// - Throws: `ConfigError`, `FileError`.
  package init(in folder: String, project path: String) throws {
    let bundle = folder == "." ? path : folder + "/" + path
    file = bundle + "/project.pbxproj"
    self.folder = folder
    place = PathWords.folder(PathWords.plain(path))
    project = try PBXProjectFile(try Bytes.reading(file, limit: 1 << 30).array, file: file)
  }

  /// The Xcode project of a folder: the only one in it, else the only one right below it.
  ///
  /// - Parameter name: Which of several is meant.
  /// - Returns: Paths from the folder: one where it is clear which, several where it is not.
  package static func projects(in folder: String, named name: String?) -> [String] {
    func bundles(_ path: String) -> [String] {
      let place = path.isEmpty ? folder : folder + "/" + path
      return ((try? FileSystem.names(in: place)) ?? []).filter { bundle in
        bundle.hasSuffix(".xcodeproj") && FileStatus(place + "/" + bundle + "/project.pbxproj")?.kind == .file
      }.map { path.isEmpty ? $0 : path + "/" + $0 }.sorted()
    }
    var found = bundles("")
    if found.isEmpty {
      let below = ((try? FileSystem.names(in: folder)) ?? []).filter { !$0.hasPrefix(".") && !others.contains($0) }
      found = below.sorted().filter { FileStatus(folder + "/" + $0)?.kind == .folder }.flatMap(bundles)
    }
    let named = found.filter { PathWords.last($0) == (name ?? "") + ".xcodeproj" }
    return named.count == 1 ? named : found
  }

  /// Folders whose projects are not the user's.
  private static let others: Set<String> = ["Pods", "Carthage", "MPaaS", "build", "DerivedData", "node_modules"]

  /// - Returns: The project with what its targets need, and what could not be done.
  package func wired(
    _ wirings: [ModuleWiring], moduleFolder: String
  ) throws(ProjectEditError) -> (project: EditedProject, targets: [String], notes: [XcodeModuleNote]) {
    var run = XcodeModuleRun(self, moduleFolder: moduleFolder)
    try run.wire(wirings)
    return (try run.editor.result(), run.targets, run.notes)
  }

  /// A path from the folder of `mpaas.toml`, as the project has it.
  func projectPath(_ path: String) -> String { PathWords.relative(path, from: place) }
}

/// The notes of wiring.
package struct XcodeModuleNote: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// A target of `mpaas.toml` that the project does not have.
    case noTarget = "no-target"
    /// A target whose configuration includes the `.xcconfig` of the modules: that links them already.
    case included
    /// A target that has no place for bundles.
    case noBundles = "no-bundles"
  }

  package let kind: Kind
  package let target: String
}
