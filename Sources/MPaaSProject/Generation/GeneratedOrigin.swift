/// The origin of all files that one description was made into, by which those of earlier runs are known.
package struct GeneratedOrigin: Sendable, Equatable {
  /// The description's file, without its folder.
  let file: String
  let command: String
  /// The beginnings of the files' names, behind which a tag or a number may stand.
  let stems: [String]

  /// A file that an earlier run made, and this one does not.
  package struct Stale: Sendable, Equatable {
    package let path: String
    /// True where nothing of it was written by people.
    package let isUntouched: Bool
  }

  /// The files of a folder that were made of the description, and are no longer.
  ///
  /// - Parameters:
  ///   - names: The names of the folder's files.
  ///   - kept: The names of the files that are made now.
  func stale(
    among names: [String], but kept: Set<String>, in folder: String, reading read: (String) throws -> [UInt8]
  ) rethrows -> [Stale] {
    var found: [Stale] = []
    for name in names.sorted() where !kept.contains(name) && isNamedAsOurs(name) {
      let path = folder.isEmpty ? name : folder + "/" + name
      let text = String(decoding: try read(path), as: UTF8.self)
      guard let state = GeneratedSource.state(of: text, named: name, command: command, origin: file) else { continue }
      found.append(Stale(path: path, isUntouched: state == .untouched))
    }
    return found
  }

  private func isNamedAsOurs(_ name: String) -> Bool {
    guard name.hasSuffix(".swift") else { return false }
    let bare = name.dropLast(6)
    return stems.contains { stem in
      guard bare.hasPrefix(stem) else { return false }
      return bare.dropFirst(stem.count).first.map { $0 == "+" || $0.isWholeNumber } ?? true
    }
  }
}
