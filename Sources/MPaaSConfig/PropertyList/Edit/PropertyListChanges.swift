extension PropertyListValue {
  /// The value with another one where a path leads, and the dictionaries and arrays made that are missing on the way.
  ///
  /// - Returns: nil where the path goes through what is neither a dictionary nor an array, or past an array's end.
  package func setting(_ value: PropertyListValue, at path: [PropertyListPath.Part]) -> PropertyListValue? {
    guard let part = path.first else { return value }
    let rest = Array(path.dropFirst())
    guard let step = step(part) else { return nil }
    switch (content, step) {
    case (.dictionary(var members), .key(let key)):
      if let index = members.lastIndex(where: { $0.key.isExactly(key) }) {
        guard let changed = members[index].value.setting(value, at: rest) else { return nil }
        members[index] = PropertyListMember(key, changed)
      } else {
        guard let changed = Self.container(for: rest).setting(value, at: rest) else { return nil }
        members.append(PropertyListMember(key, changed))
      }
      return PropertyListValue(.dictionary(members))
    case (.array(var values), .index(let index)) where (0...values.count).contains(index):
      let old = index < values.count ? values[index] : Self.container(for: rest)
      guard let changed = old.setting(value, at: rest) else { return nil }
      if index < values.count { values[index] = changed } else { values.append(changed) }
      return PropertyListValue(.array(values))
    default: return nil
    }
  }

  /// The containers to make so that a path leads on.
  private static func container(for path: [PropertyListPath.Part]) -> PropertyListValue {
    if case .index = path.first { .array([]) } else { .dictionary([]) }
  }

  /// The value without what the steps lead to.
  package func removing(_ steps: [PropertyListStep]) -> PropertyListValue {
    guard let last = steps.last else { return self }
    let parent = Array(steps.dropLast())
    guard let container = parent.reduce(Optional(self), { $0?[$1] }) else { return self }
    return setting(container.without(last), at: parent[...])
  }

  /// The array that the steps lead to with a value more; nil where there is no array, or the index lies outside.
  package func inserting(_ value: PropertyListValue, into steps: [PropertyListStep], at index: Int?)
    -> PropertyListValue?
  {
    guard let array = steps.reduce(Optional(self), { $0?[$1] }), var values = array.values else { return nil }
    let index = index.map { $0 < 0 ? values.count + $0 : $0 } ?? values.count
    guard (0...values.count).contains(index) else { return nil }
    values.insert(value, at: index)
    return setting(.array(values), at: steps[...])
  }
}

/// A merge of one property list into another.
package struct PropertyListMerge: Sendable {
  package enum Arrays: String, Sendable, CaseIterable {
    /// The other's array takes the place of the own one.
    case replace
    /// The other's values come behind the own ones.
    case append
    /// Those of them that are not there yet do.
    case union
  }

  package enum Preference: String, Sendable, CaseIterable { case other, own }

  package var arrays = Arrays.replace
  /// The side whose value stays where both have one.
  package var preference = Preference.other

  package init() {}

  /// Dictionaries are merged member by member; new members come last, in their order.
  package func merge(_ other: PropertyListValue, into own: PropertyListValue) -> PropertyListValue {
    switch (own.content, other.content) {
    case (.dictionary(var members), .dictionary(let added)):
      var places: [ExactKey: Int] = [:]
      for (index, member) in members.enumerated() { places[ExactKey(member.key)] = index }
      for member in added {
        if let index = places[ExactKey(member.key)] {
          members[index] = PropertyListMember(member.key, merge(member.value, into: members[index].value))
        } else {
          places[ExactKey(member.key)] = members.count
          members.append(PropertyListMember(member.key, member.value))
        }
      }
      return PropertyListValue(.dictionary(members))
    case (.array(let values), .array(let added)) where arrays != .replace:
      var merged = values
      for value in added where arrays == .append || !merged.contains(value) { merged.append(value) }
      return PropertyListValue(.array(merged))
    default: return preference == .other ? other : own
    }
  }
}
