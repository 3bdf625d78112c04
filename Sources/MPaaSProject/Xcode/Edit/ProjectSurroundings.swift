/// What edits know of the files around a project: entitlements, schemes, manifests of packages.
///
/// Paths begin in the folder that holds the `.xcodeproj`.
package struct ProjectSurroundings: Sendable {
  /// The `.xcodeproj` by its name: `Shop.xcodeproj`.
  package var bundle: String
  /// The products of the package in a folder; nil where they are not known.
  package var products: @Sendable (String) -> [String]?
  /// The bytes of a file; nil where there is none.
  package var read: @Sendable (String) throws(ProjectEditError) -> [UInt8]?
  /// The names in a folder; none where there is no such folder.
  package var names: @Sendable (String) -> [String]

  package init(
    bundle: String, products: @escaping @Sendable (String) -> [String]?,
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
