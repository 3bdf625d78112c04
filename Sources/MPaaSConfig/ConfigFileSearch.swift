package import MPaaSSupport

/// The search for a configuration file that was not named: in the current folder and four levels below it.
package struct ConfigFileSearch: Sendable {
  /// The entries of a folder with their kinds, sorted; what a link leads to counts.
  private let entries: @Sendable (_ folder: String) -> [(name: String, kind: FileStatus.Kind)]
  /// Tells folders from links to folders.
  private let isOwnFolder: @Sendable (_ path: String) -> Bool

  /// The most folders that are looked into.
  private static let most = 5000
  /// Folders with built and fetched things.
  private static let passedOver: Set<String> = ["Pods", "build", "DerivedData", "Carthage"]

  package init(
    entries: @escaping @Sendable (_ folder: String) -> [(name: String, kind: FileStatus.Kind)],
    isOwnFolder: @escaping @Sendable (_ path: String) -> Bool
  ) {
    self.entries = entries
    self.isOwnFolder = isOwnFolder
  }

  package static let live = ConfigFileSearch(
    entries: { (try? FileSystem.entries(in: $0)) ?? [] }, isOwnFolder: { FileStatus(ofLink: $0)?.kind == .folder })

  /// The path of the only file of a name.
  ///
  /// - Throws: `config-file-missing`, `config-file-ambiguous` with the first five.
  package func file(named name: String) throws(ConfigError) -> String {
    let found = files(named: name)
    guard let first = found.first else { throw ConfigError(.fileMissing, ["name": name]) }
    guard found.count == 1 else {
      throw ConfigError(.fileAmbiguous, ["name": name, "files": found.prefix(5).joined(separator: ", ")])
    }
    return first
  }

  private func files(named name: String) -> [String] {
    var found: [String] = []
    var folders: [(path: String, depth: Int)] = [("", 0)]
    var looked = 0
    while let (prefix, depth) = folders.popLast(), looked < Self.most {
      looked += 1
      for (entry, kind) in entries(prefix.isEmpty ? "." : prefix) {
        guard !entry.hasPrefix("."), !Self.passedOver.contains(entry) else { continue }
        let path = prefix + entry
        if kind == .file, entry == name {
          found.append(path)
        } else if kind == .folder, depth < 4, isOwnFolder(path) {
          folders.append((path + "/", depth + 1))
        }
      }
    }
    return found.sorted()
  }
}

extension ConfigError.Code {
  /// No file of the name that is looked for.
  package static var fileMissing: Self { ConfigError.Code("config-file-missing", exit: .inputMissing) }
  /// Several files of the name.
  package static var fileAmbiguous: Self { ConfigError.Code("config-file-ambiguous", exit: .usage) }
}
