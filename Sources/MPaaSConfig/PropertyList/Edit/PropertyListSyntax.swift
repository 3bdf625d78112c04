import MPaaSSupport

/// The entries of a container.
enum PropertyListEntry {
  case value(PropertyListValue)
  case member(PropertyListMember)
}

/// Bytes that take the place of others.
struct PropertyListSplice {
  let range: Range<Int>
  let text: [UInt8]

  /// The text with all splices done; they do not overlap, and those at one place follow each other.
  static func apply(_ splices: [PropertyListSplice], to text: [UInt8]) -> [UInt8] {
    let sorted = splices.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }
    var changed: [UInt8] = []
    changed.reserveCapacity(text.count + splices.reduce(0) { $0 + $1.text.count })
    var position = 0
    for (_, splice) in sorted where splice.range.lowerBound >= position {
      changed += text[position..<splice.range.lowerBound]
      changed += splice.text
      position = splice.range.upperBound
    }
    return changed + text[position...]
  }
}

/// The layout of a text format's values: what edits that leave all else alone ask it for.
protocol PropertyListSyntax {
  /// The text in place of another value.
  func replacement(of old: PropertyListValue, with new: PropertyListValue) throws(ConfigError) -> PropertyListSplice

  /// The text by which a container gets more entries, behind as many of its own as `index` says.
  func insertion(
    of entries: [PropertyListEntry], into container: PropertyListValue, at index: Int
  ) throws(ConfigError) -> PropertyListSplice

  /// The text to remove so that a container loses entries that follow each other.
  func removal(of entries: Range<Int>, from container: PropertyListValue) -> [PropertyListSplice]
}

/// The splices that make one value of another.
struct PropertyListRevision {
  private let syntax: any PropertyListSyntax
  private(set) var splices: [PropertyListSplice] = []

  init(_ syntax: any PropertyListSyntax) {
    self.syntax = syntax
  }

  mutating func revise(_ old: PropertyListValue, to new: PropertyListValue) throws(ConfigError) {
    guard old != new else { return }
    switch (old.content, new.content) {
    case (.dictionary(let members), .dictionary(let wanted)):
      if try revise(old, members, wanted) { return }
    case (.array(let values), .array(let wanted)):
      if try revise(old, values, wanted) { return }
    default: break
    }
    splices.append(try syntax.replacement(of: old, with: new))
  }

  // MARK: Arrays

  private mutating func revise(
    _ array: PropertyListValue, _ values: [PropertyListValue], _ wanted: [PropertyListValue]
  ) throws(ConfigError) -> Bool {
    guard !values.isEmpty, !wanted.isEmpty else {
      return try reviseWhole(array, values.count, wanted.map { .value($0) })
    }
    let start = zip(values, wanted).prefix { $0 == $1 }.count
    let end = zip(values.dropFirst(start).reversed(), wanted.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let common = min(values.count, wanted.count) - start - end
    for index in start..<start + common { try revise(values[index], to: wanted[index]) }
    let removed = start + common..<values.count - end
    if !removed.isEmpty { splices += syntax.removal(of: removed, from: array) }
    let added = wanted[start + common..<wanted.count - end]
    if !added.isEmpty {
      splices.append(try syntax.insertion(of: added.map { .value($0) }, into: array, at: start + common))
    }
    return true
  }

  /// Fills an empty container, or empties a full one.
  private mutating func reviseWhole(
    _ container: PropertyListValue, _ count: Int, _ wanted: [PropertyListEntry]
  ) throws(ConfigError) -> Bool {
    splices +=
      wanted.isEmpty
      ? syntax.removal(of: 0..<count, from: container) : [try syntax.insertion(of: wanted, into: container, at: 0)]
    return true
  }

  // MARK: Dictionaries

  private struct Name: Hashable {
    let key: ExactKey
    let occurrence: Int

    static func names(_ members: [PropertyListMember]) -> [Name] {
      var counts: [ExactKey: Int] = [:]
      return members.map { member in
        let key = ExactKey(member.key)
        counts[key, default: 0] += 1
        return Name(key: key, occurrence: counts[key] ?? 0)
      }
    }
  }

  private mutating func revise(
    _ dictionary: PropertyListValue, _ members: [PropertyListMember], _ wanted: [PropertyListMember]
  ) throws(ConfigError) -> Bool {
    if members.isEmpty || wanted.isEmpty {
      return try reviseWhole(dictionary, members.count, wanted.map { .member($0) })
    }
    let places = Dictionary(
      zip(Name.names(members), members.indices), uniquingKeysWith: { first, _ in first })
    let origins = Name.names(wanted).map { places[$0] }
    let kept = origins.compactMap { $0 }
    // Members in another order, or of another dictionary altogether, are written anew.
    guard !kept.isEmpty, zip(kept, kept.dropFirst()).allSatisfy({ $0 < $1 }) else { return false }
    guard kept.count == members.count || kept.count == wanted.count else { return false }
    for (index, origin) in origins.enumerated() {
      if let origin { try revise(members[origin].value, to: wanted[index].value) }
    }
    try remove(Set(kept), members.count, from: dictionary)
    try add(origins, wanted, to: dictionary)
    return true
  }

  private mutating func remove(
    _ kept: Set<Int>, _ count: Int, from dictionary: PropertyListValue
  ) throws(ConfigError) {
    var start = 0
    while start < count {
      var end = start
      while end < count, !kept.contains(end) { end += 1 }
      if end > start { splices += syntax.removal(of: start..<end, from: dictionary) }
      start = end + 1
    }
  }

  private mutating func add(
    _ origins: [Int?], _ wanted: [PropertyListMember], to dictionary: PropertyListValue
  ) throws(ConfigError) {
    var index = 0
    var place = 0
    while index < origins.count {
      if let origin = origins[index] {
        place = origin + 1
        index += 1
        continue
      }
      var end = index
      while end < origins.count, origins[end] == nil { end += 1 }
      let entries = wanted[index..<end].map { PropertyListEntry.member($0) }
      splices.append(try syntax.insertion(of: entries, into: dictionary, at: place))
      index = end
    }
  }
}
