import MPaaSSupport

/// The places of the parts of a project.
package struct ProjectLayout: Sendable, Equatable {
  /// As it is named to the user.
  package let root: String
  /// The identifier that the template made of the project's name; nil for a project that no template made.
  package let identifier: String?
  /// The folder of the target that micro-apps and services belong to, from the root; nil where that cannot be told.
  package let core: String?
  /// The folder of that target's tests; nil where there is none.
  package let tests: String?
  /// The folder of the app around it; nil where there is none.
  package let app: String?
  package let appTests: String?
  /// The file that micro-apps, services and modules are entered into, from the root; nil where there is none.
  package let runtimeFile: String?
  /// The record of the template that the project was made of; nil for one that no template made.
  package let record: ProjectRecord?

  /// The target's name, as tests import it.
  package var module: String { core.map { FileSystem.name(of: $0) } ?? identifier ?? "" }

  /// Looks at a project.
  ///
  /// - Parameters:
  ///   - root: Its folder.
  ///   - place: The folder that was named for what is made, from the root; nil to use the layout's own.
  /// - Throws: `TemplateError` where its record cannot be read.
  package init(root: String, place: String? = nil) throws(TemplateError) {
    self.root = root
    record = try ProjectRecord.read(root)
    let identifier = record?.values["name_identifier"]?.json.string
    self.identifier = identifier
    func folder(_ path: String?) -> String? {
      path.flatMap { FileStatus(Self.path(root, $0))?.kind == .folder ? $0 : nil }
    }
    let core =
      folder(identifier.map { "Sources/\($0)Core" }) ?? folder(identifier.map { "Sources/\($0)" })
      ?? Self.likelyCore(root)
    self.core = core
    tests = folder(core.map { "Tests/\(FileSystem.name(of: $0))Tests" })
    app = folder(identifier.map { "App/\($0)" })
    appTests = folder(identifier.map { "App/\($0)Tests" })
    runtimeFile = Self.runtimeFile(root, near: place) ?? core.flatMap { Self.runtimeFile(root, near: $0) }
  }

  /// The nearest folder from `start` upwards that a template made, else the nearest with a package.
  package static func root(above start: String) -> String? {
    guard let here = FileSystem.resolved(start) else {
      // A folder that is not there yet counts as the one that it will be in.
      let above = FileSystem.folder(of: start)
      return above == start ? nil : root(above: above)
    }
    for name in [ProjectRecord.file, "Package.swift"] {
      var folder = here
      while true {
        if FileStatus((folder == "/" ? "" : folder) + "/" + name)?.kind == .file {
          return folder == here ? start : folder
        }
        guard folder != "/" else { break }
        folder = FileSystem.folder(of: folder)
      }
    }
    return nil
  }

  /// The target with a MobileRuntime.plist, else the only one.
  private static func likelyCore(_ root: String) -> String? {
    let folders = ((try? FileSystem.entries(in: path(root, "Sources"))) ?? []).filter { $0.kind == .folder }
      .map { "Sources/" + $0.name }
    let withTable = folders.filter { FileStatus(path(root, $0 + "/" + runtimeName)) != nil }
    if let first = withTable.first { return first }
    return folders.count == 1 ? folders[0] : nil
  }

  static let runtimeName = "MobileRuntime.plist"

  /// The nearest one from a folder up to the root.
  private static func runtimeFile(_ root: String, near place: String?) -> String? {
    guard var folder = place else { return nil }
    while true {
      let file = folder == "." || folder.isEmpty ? runtimeName : folder + "/" + runtimeName
      if FileStatus(path(root, file))?.kind == .file { return file }
      guard folder.contains("/"), !folder.hasPrefix("/") else { return nil }
      folder = FileSystem.folder(of: folder)
    }
  }

  package static func path(_ root: String, _ name: String) -> String { root == "." ? name : root + "/" + name }
}

extension ProjectRecord {
  /// The record of a project; nil where it has none.
  package static func read(_ root: String, _ home: Home = .project) throws(TemplateError) -> ProjectRecord? {
    let file = ProjectLayout.path(root, home.file)
    guard FileStatus(file)?.kind == .file else { return nil }
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(file, limit: 1 << 20) } catch { throw TemplateError(error) }
    return try ProjectRecord(String(decoding: bytes.array, as: UTF8.self), file: file)
  }
}
