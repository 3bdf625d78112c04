/// The paths of findings as a host names them: from the root of the working copy.
package struct FindingPaths: Sendable {
  /// The folder of the working copy, absolute; nil leaves paths from the project's folder.
  package let root: String?
  /// The project's folder, absolute.
  package let folder: String

  package init(root: String?, folder: String) {
    self.root = root
    self.folder = folder
  }

  package func path(_ file: String) -> String {
    var path = file
    while path.hasPrefix("./") { path = String(path.dropFirst(2)) }
    if !path.hasPrefix("/") { path = folder + "/" + path }
    for base in [root, folder].compactMap(\.self) where path.hasPrefix(base + "/") {
      return String(path.dropFirst(base.utf8.count + 1))
    }
    return path
  }
}
