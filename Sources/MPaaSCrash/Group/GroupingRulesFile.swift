package import MPaaSSupport

/// A rules file and what stands in it.
package struct GroupingRulesFile: Sendable {
  package let path: String
  private(set) var text: String

  /// Reads the file; one that need not be there is empty where it is missing.
  ///
  /// - Throws: `FileError`, and `GroupingRulesError` naming the place.
  package init(path: String, mustExist: Bool) throws {
    self.path = path
    guard mustExist || FileStatus(path) != nil else {
      text = ""
      return
    }
    text = String(decoding: try Bytes.reading(path, limit: 16 << 20).array, as: UTF8.self)
    _ = try GroupingRules(text, path: path)
  }

  /// The rules; the text was read once without an error, and is edited only by whole lines.
  package var rules: GroupingRules { (try? GroupingRules(text, path: path)) ?? GroupingRules() }

  /// Puts a merge of groups in, of which the first stands for all.
  package mutating func merge(_ groups: [GroupID]) {
    text = GroupingRules.merging(groups, in: text)
  }

  /// Puts the split of a group in; one that was merged is split by the fingerprint that it began with.
  package mutating func split(_ group: GroupID, by key: GroupingRules.Split.Key, in tally: GroupTally) {
    let merged = tally.groups[group]?.merged
    let own = merged?.count == 1 ? merged?.first ?? group : group
    text = GroupingRules.splitting(own, by: key, in: text)
  }

  /// Writes the rules as they are now.
  package func write() throws(FileError) {
    try Bytes(text.utf8).write(to: path)
  }
}
