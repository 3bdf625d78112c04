import MPaaSSupport

/// The files around a project, as far as edits and checks know them: entitlements, schemes, manifests of packages.
///
/// Paths begin in the folder that holds the `.xcodeproj`.
package struct ProjectSurroundings: Sendable {
  /// The `.xcodeproj` by its name: `Shop.xcodeproj`.
  package var bundle: String
  /// True where what is not in it is not there; false where the place of the project's files is unknown.
  package var isComplete = false
  /// The products of the package in a folder; nil where they are not known.
  package var products: @Sendable (String) -> PackageProducts?
  /// The bytes of a file; nil where there is none.
  package var read: @Sendable (String) throws(ProjectEditError) -> [UInt8]?
  /// The names in a folder; none where there is no such folder.
  package var names: @Sendable (String) -> [String]

  package init(
    bundle: String, products: @escaping @Sendable (String) -> PackageProducts?,
    read: @escaping @Sendable (String) throws(ProjectEditError) -> [UInt8]?,
    names: @escaping @Sendable (String) -> [String]
  ) {
    self.bundle = bundle
    self.products = products
    self.read = read
    self.names = names
  }

  /// A project without any files around it.
  package static func none(bundle: String = "App.xcodeproj") -> ProjectSurroundings {
    ProjectSurroundings(bundle: bundle, products: { _ in nil }, read: { _ in nil }, names: { _ in [] })
  }
}

/// A file beside the project that an edit makes, changes or removes.
package struct SurroundingFile: Sendable, Equatable {
  /// From the project's folder.
  package let path: String
  /// nil where there was none.
  package let old: [UInt8]?
  /// nil where it goes.
  package let new: [UInt8]?
}

extension ProjectEditor {
  /// The bytes of a file as operations left it so far; nil where there is none.
  func file(_ path: String) throws(ProjectEditError) -> [UInt8]? {
    if let known = written[path] { return known.new }
    return try files.read(path)
  }

  /// Has a file written, or removed where `bytes` is nil, when all operations are done.
  mutating func write(_ bytes: [UInt8]?, to path: String) throws(ProjectEditError) {
    let old = if let known = written[path] { known.old } else { try files.read(path) }
    written[path] = old == bytes ? nil : SurroundingFile(path: path, old: old, new: bytes)
  }

  /// The names in a folder as operations left it so far, sorted.
  func names(inFolder folder: String) -> [String] {
    var names = Set(files.names(folder))
    for file in written.values where PathWords.folder(file.path) == folder {
      if file.new == nil { names.remove(PathWords.last(file.path)) } else { names.insert(PathWords.last(file.path)) }
    }
    return names.sorted()
  }
}

extension ProjectEditor {
  /// Makes sure that a path leads to something, as far as that is known.
  ///
  /// - Throws: `edit-missing-file`.
  func expectOnDisk(_ path: String) throws(ProjectEditError) {
    guard files.isComplete, !path.contains("$") else { return }
    let name = PathWords.last(path)
    guard ![".", "..", "/", ""].contains(name) else { return }
    let names = names(inFolder: PathWords.folder(path))
    guard !names.contains(name) else { return }
    throw ProjectEditError(.missingFile, ["file": path, "suggestion": closestMatch(to: name, among: names) ?? "–"])
  }
}
