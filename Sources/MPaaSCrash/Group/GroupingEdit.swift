import MPaaSSupport

/// A change of grouping rules, told by the names that groups have in a tally.
package struct GroupingEdit: Sendable {
  /// Groups that become one; fewer than two change nothing.
  package var merged: [String]
  /// A group that is taken apart; nil for none.
  package var split: String?
  /// The words of the key that its parts differ by.
  package var key: [String]

  package init(merged: [String] = [], split: String? = nil, by key: [String] = []) {
    self.merged = merged
    self.split = split
    self.key = key
  }

  /// Groups reports, and where the rules change by this, writes them and groups the reports again.
  ///
  /// - Parameters:
  ///   - source: The rules.
  ///   - count: Groups the reports by rules.
  /// - Throws: `GroupError` of a name, `grouping-split-key`, `FileError`; what `count` throws. Rules are written only
  ///   when all names are good.
  package func run(
    _ source: GroupingRulesFile, count: (GroupingRules) async throws -> GroupTally
  ) async throws -> GroupedReports {
    var source = source
    let tally = try await count(source.rules)
    guard try apply(to: &source, namedIn: tally) else {
      return GroupedReports(tally: tally, rules: source, isEdited: false)
    }
    try source.write()
    return GroupedReports(tally: try await count(source.rules), rules: source, isEdited: true)
  }

  private func apply(to source: inout GroupingRulesFile, namedIn tally: GroupTally) throws -> Bool {
    if merged.count > 1 {
      source.merge(try merged.map { name throws(GroupError) in try tally.group(name) })
    }
    guard let split else { return merged.count > 1 }
    guard let key = GroupingRules.Split.Key(key) else {
      throw Diagnostic("grouping-split-key", ["value": key.joined(separator: " ")], exit: .usage)
    }
    source.split(try tally.group(split), by: key, in: tally)
    return true
  }
}

/// Reports by the crash that they are of, and the rules that put them together.
package struct GroupedReports: Sendable {
  package let tally: GroupTally
  package let rules: GroupingRulesFile
  /// True where the rules were changed.
  package let isEdited: Bool
}
