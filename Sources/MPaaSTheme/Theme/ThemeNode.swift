import MPaaSConfig

/// A value of a theme as it stands in the file: a group, a choice by conditions, a constant's name, or a leaf.
indirect enum ThemeNode: Sendable {
  case group(ThemeGroup)
  case choice(ThemeChoice)
  /// `$Name`.
  case constant(String, PropertyListValue)
  case leaf(PropertyListValue)

  init(_ value: PropertyListValue) {
    switch value.content {
    case .dictionary(let members):
      let group = ThemeGroup(members, value)
      self = ThemeChoice.isMeant(by: members) ? .choice(ThemeChoice(group)) : .group(group)
    case .string(let text) where text.utf8.first == 0x24 && text.utf8.count > 1:
      self = .constant(String(text.dropFirst()), value)
    default: self = .leaf(value)
    }
  }

  /// The value in the file.
  var value: PropertyListValue {
    switch self {
    case .group(let group): group.value
    case .choice(let choice): choice.group.value
    case .constant(_, let value), .leaf(let value): value
    }
  }
}

/// A dictionary of a theme.
struct ThemeGroup: Sendable {
  let value: PropertyListValue
  /// In the order of the file.
  let keys: [PropertyListMember]
  let nodes: [ThemeNode]
  private let indexes: [String: Int]

  init(_ members: [PropertyListMember], _ value: PropertyListValue) {
    self.value = value
    keys = members
    nodes = members.map { ThemeNode($0.value) }
    // The last of several members with one key counts, as readers of property lists have it.
    indexes = Dictionary(members.indices.map { (members[$0].key, $0) }) { $1 }
  }

  subscript(key: String) -> ThemeNode? { indexes[key].map { nodes[$0] } }
}

/// A dictionary whose keys are conditions, and `Default`.
struct ThemeChoice: Sendable {
  struct Branch: Sendable {
    let key: PropertyListMember
    /// Nil where the key states none: then it is never taken.
    let condition: ThemeCondition?
    let node: ThemeNode
  }

  let group: ThemeGroup
  let branches: [Branch]
  /// The value where no condition holds.
  let standard: ThemeNode?

  static let defaultKey = "Default"

  /// One key with an operator makes a dictionary a choice; so does `Default` alone with a leaf.
  static func isMeant(by members: [PropertyListMember]) -> Bool {
    if members.contains(where: { ThemeCondition.isMeant(by: $0.key) }) { return true }
    return members.count == 1 && members[0].key == defaultKey && members[0].value.members == nil
  }

  init(_ group: ThemeGroup) {
    self.group = group
    standard = group[Self.defaultKey]
    branches = zip(group.keys, group.nodes).compactMap { key, node in
      guard ThemeCondition.isMeant(by: key.key) else { return nil }
      return Branch(key: key, condition: try? ThemeCondition(key.key), node: node)
    }
  }

  /// The branches whose conditions are true, in the order of the file.
  func holding(on device: ThemeDevice) -> [Branch] {
    branches.filter { $0.condition?.holds(on: device) == true }
  }
}
