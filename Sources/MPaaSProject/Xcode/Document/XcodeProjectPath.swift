package import MPaaSConfig
import MPaaSSupport

/// Finds the file of an Xcode project by what people call it.
package enum XcodeProjectPath {
  /// The files that a project's folder may hold: the old-style file, or the JSON5 of Xcode 27.
  private static let names = ["project.pbxproj", "project.xcproj"]

  /// The file that holds the project.
  ///
  /// - Parameter path: The file itself, a `.xcodeproj`, or a folder that holds exactly one.
  /// - Throws: `pbx-project-missing`, `pbx-project-ambiguous`.
  package static func file(_ path: String) throws(ConfigError) -> String {
    guard let status = FileStatus(path) else { throw ConfigError(.pbxProjectMissing, ["path": path], at: .file(path)) }
    guard status.kind == .folder else { return path }
    if let file = inside(path) { return file }
    let projects = ((try? FileSystem.names(in: path)) ?? []).filter { $0.hasSuffix(".xcodeproj") }.sorted()
      .filter { inside(path + "/" + $0) != nil }
    guard let first = projects.first, let file = inside(path + "/" + first) else {
      throw ConfigError(.pbxProjectMissing, ["path": path], at: .file(path))
    }
    guard projects.count == 1 else {
      throw ConfigError(
        .pbxProjectAmbiguous, ["path": path, "projects": projects.joined(separator: ", ")], at: .file(path))
    }
    return file
  }

  private static func inside(_ folder: String) -> String? {
    names.map { folder + "/" + $0 }.first { FileStatus($0)?.kind == .file }
  }
}
