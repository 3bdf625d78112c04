package import MPaaSSupport

/// Names the errors of groups that users name.
package enum GroupDomain {}

/// The reason why a word names no group.
package typealias GroupError = CodedError<GroupDomain>

extension GroupError.Code {
  package static var unknown: Self { GroupError.Code("group-unknown", exit: .inputMissing) }
  /// Several groups begin with the same digits.
  package static var ambiguous: Self { GroupError.Code("group-ambiguous", exit: .usage) }
}

extension GroupTally {
  /// The group that a word names: its whole name, or four or more digits of its beginning, with or without `2:`.
  package func group(_ word: String) throws(GroupError) -> GroupID {
    if let id = GroupID(word) { return id }
    let digits = word.firstIndex(of: ":").map { word[word.index(after: $0)...] } ?? word[...]
    let found = groups.keys.filter {
      $0.description.hasPrefix(word.lowercased()) || $0.description.dropFirst(2).hasPrefix(word.lowercased())
    }.sorted()
    guard digits.count >= 4, let first = found.first else { throw GroupError(.unknown, ["group": word]) }
    guard found.count == 1 else {
      let names = found.prefix(5).map(\.description).joined(separator: ", ")
      throw GroupError(.ambiguous, ["group": word, "groups": names])
    }
    return first
  }
}
