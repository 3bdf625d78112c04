import MPaaSProject
import MPaaSSupport

/// An Xcode project as it was found.
struct XcodeProjectSource {
  enum Content {
    /// `project.pbxproj`
    case objects(PBXProjectFile)
    /// `project.xcproj`, from Xcode 27 on.
    case json(XCProjFile)
  }

  let path: String
  let content: Content

  init(_ path: String) throws {
    let (file, bytes) = try Self.bytes(path)
    self.path = file
    content =
      Self.isJSON(file)
      ? .json(try XCProjFile(bytes, file: file)) : .objects(try PBXProjectFile(bytes, file: file))
  }

  /// The file of a project and what is in it.
  static func bytes(_ path: String) throws -> (file: String, bytes: [UInt8]) {
    let file = try XcodeProjectPath.file(path)
    return (file, try Bytes.mapping(file).array)
  }

  static func isJSON(_ file: String) -> Bool { file.hasSuffix(".xcproj") || file.hasSuffix(".json") }

  /// The project's name: its folder's name, else its file's.
  static func name(of file: String) -> String {
    let folder = FileSystem.name(of: FileSystem.folder(of: file))
    let name = folder.hasSuffix(".xcodeproj") ? folder : FileSystem.name(of: file)
    return name.split(separator: ".").first.map(String.init) ?? name
  }
}
