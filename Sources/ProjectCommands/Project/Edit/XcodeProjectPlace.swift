import MPaaSProject
import MPaaSSupport

/// The place of an Xcode project: its file, and the folder that its paths begin in.
struct XcodeProjectPlace {
  /// The `project.pbxproj`.
  let file: String
  /// The folder of the `.xcodeproj`.
  let folder: String

  /// - Parameter path: The file itself, the `.xcodeproj`, or a folder that holds one.
  /// - Throws: `pbx-project-missing`, `pbx-project-ambiguous`, `edit-json-project`.
  init(_ path: String) throws {
    file = try XcodeProjectPath.file(path)
    guard !XcodeProjectSource.isJSON(file) else {
      throw ProjectEditError(.jsonProject, ["file": file], at: .file(file))
    }
    let bundle = FileSystem.folder(of: file)
    folder = bundle.hasSuffix(".xcodeproj") ? FileSystem.folder(of: bundle) : bundle
  }

  /// A path as the project has it: from its folder where it lies in it.
  func path(_ path: String) -> String {
    guard path.hasPrefix("/"), let root = FileSystem.resolved(folder) else { return path }
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }
}
