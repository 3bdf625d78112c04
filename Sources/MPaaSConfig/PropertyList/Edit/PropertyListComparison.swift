/// The differences between two property lists, in the order of the first; members' order does not count.
package struct PropertyListComparison: Sendable {
  package enum Kind: String, Sendable, Codable { case added, removed, changed }

  package struct Difference: Sendable {
    package let kind: Kind
    package let steps: [PropertyListStep]
    package let before: PropertyListValue?
    package let after: PropertyListValue?
  }

  package private(set) var differences: [Difference] = []

  package init(from old: PropertyListValue, to new: PropertyListValue) {
    compare(old, new, [])
  }

  private mutating func note(
    _ steps: [PropertyListStep], _ before: PropertyListValue?, _ after: PropertyListValue?
  ) {
    let kind: Kind = before == nil ? .added : after == nil ? .removed : .changed
    differences.append(Difference(kind: kind, steps: steps, before: before, after: after))
  }

  private mutating func compare(_ old: PropertyListValue, _ new: PropertyListValue, _ steps: [PropertyListStep]) {
    switch (old.content, new.content) {
    case (.dictionary(let members), .dictionary(let others)): compare(members, others, steps)
    case (.array(let values), .array(let others)): compare(values, others, steps)
    default: if old != new { note(steps, old, new) }
    }
  }

  private mutating func compare(
    _ members: [PropertyListMember], _ others: [PropertyListMember], _ steps: [PropertyListStep]
  ) {
    let new = Dictionary(others.map { (ExactKey($0.key), $0.value) }, uniquingKeysWith: { $1 })
    let old = Dictionary(members.map { (ExactKey($0.key), $0.value) }, uniquingKeysWith: { $1 })
    var seen = Set<ExactKey>()
    for member in members where seen.insert(ExactKey(member.key)).inserted {
      guard let value = old[ExactKey(member.key)] else { continue }
      if let other = new[ExactKey(member.key)] {
        compare(value, other, steps + [.key(member.key)])
      } else {
        note(steps + [.key(member.key)], value, nil)
      }
    }
    for other in others where seen.insert(ExactKey(other.key)).inserted {
      note(steps + [.key(other.key)], nil, new[ExactKey(other.key)])
    }
  }

  /// Compares what lies between the common beginning and end, in turn.
  private mutating func compare(
    _ values: [PropertyListValue], _ others: [PropertyListValue], _ steps: [PropertyListStep]
  ) {
    let start = zip(values, others).prefix { $0 == $1 }.count
    let end = zip(values.dropFirst(start).reversed(), others.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (last, otherLast) = (values.count - end, others.count - end)
    for index in start..<max(last, otherLast) {
      switch (index < last, index < otherLast) {
      case (true, true): compare(values[index], others[index], steps + [.index(index)])
      case (true, false): note(steps + [.index(index)], values[index], nil)
      default: note(steps + [.index(index)], nil, others[index])
      }
    }
  }
}

/// A key that stands in one dictionary more than once: most readers see the last one only.
package struct PropertyListDuplicate: Sendable {
  /// The way to the dictionary and the key.
  package let steps: [PropertyListStep]
  /// The member that hides the ones before it.
  package let member: PropertyListMember

  package static func all(in root: PropertyListValue) -> [PropertyListDuplicate] {
    var found: [PropertyListDuplicate] = []
    look(root, [], &found)
    return found
  }

  private static func look(
    _ value: PropertyListValue, _ steps: [PropertyListStep], _ found: inout [PropertyListDuplicate]
  ) {
    if let values = value.values {
      for (index, value) in values.enumerated() where value.holdsValues { look(value, steps + [.index(index)], &found) }
      return
    }
    guard let members = value.members else { return }
    var seen = Set<ExactKey>()
    for member in members {
      if !seen.insert(ExactKey(member.key)).inserted {
        found.append(PropertyListDuplicate(steps: steps + [.key(member.key)], member: member))
      }
      if member.value.holdsValues { look(member.value, steps + [.key(member.key)], &found) }
    }
  }
}

extension PropertyListValue {
  fileprivate var holdsValues: Bool {
    switch content {
    case .dictionary, .array: true
    default: false
    }
  }
}
