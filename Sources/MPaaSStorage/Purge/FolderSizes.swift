import MPaaSSupport

/// The bytes of each file and folder in a folder, links not followed.
package struct FolderSizes: Sendable {
  /// A file or folder.
  package struct Entry: Sendable {
    package let name: String
    package let files: Int
    package let size: UInt64
    /// The bytes that a purge of everything would take.
    package let purgeable: UInt64
  }

  /// The largest first.
  package let entries: [Entry]

  /// Adds up what lies in a folder.
  ///
  /// - Throws: `StorageError` where it cannot be read.
  package init(root: String, rules: PurgeRules) throws(StorageError) {
    let purge = try Purge(root: root, rules: rules)
    var purgeable: [Substring: UInt64] = [:]
    for item in purge.plan(.everything).items {
      purgeable[item.path.prefix { $0 != "/" }, default: 0] += item.size
    }
    let names: [String]
    do throws(FileError) { names = try FileSystem.names(in: purge.root) } catch { throw StorageError(error) }
    let entries = names.compactMap { name -> Entry? in
      guard let rule = try? PurgeRule(path: name) else { return nil }
      let scan = PurgeScan(rule, root: purge.root)
      guard !scan.isSkipped else { return nil }
      return Entry(name: name, files: scan.files.count, size: scan.size, purgeable: purgeable[name[...]] ?? 0)
    }
    self.entries = entries.sorted { ($1.size, $0.name) < ($0.size, $1.name) }
  }
}
