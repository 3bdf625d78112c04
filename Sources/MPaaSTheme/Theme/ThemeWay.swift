import MPaaSConfig
import MPaaSSupport

/// The decisions on the way to a value: conditions that hold, and constants.
struct ThemeWay: Sendable {
  /// Those whose values contain the one that is looked at, outermost first.
  private(set) var constants: [String] = []
  private(set) var conditions: [String] = []
  /// Conditions that hold beside those that were taken.
  private(set) var rivals: [String] = []

  /// Decides conditions and follows constants until there is a group or a leaf; nil where no condition holds and there
  /// is no `Default`.
  ///
  /// - Throws: `theme-constant-missing`, `theme-constant-cycle`.
  mutating func follow(_ node: ThemeNode, in theme: Theme) throws(ThemeError) -> ThemeNode? {
    var node = node
    while true {
      switch node {
      case .group, .leaf: return node
      case .choice(let choice):
        let holding = choice.holding(on: theme.device)
        if let first = holding.first {
          conditions.append(first.key.key)
          rivals += holding.dropFirst().map(\.key.key)
        }
        guard let next = holding.first?.node ?? choice.standard else { return nil }
        node = next
      case .constant(let name, let value):
        let isCycle = constants.contains(name)
        constants.append(name)
        let place = theme.document.placeInside(value)
        if isCycle {
          let path = constants.drop { $0 != name }.map { "$" + $0 }.joined(separator: " → ")
          throw ThemeError(.constantCycle, ["constant": name, "path": path], at: place)
        }
        guard let next = theme.constant(name) else {
          throw ThemeError(.constantMissing, theme.missing(name), at: place)
        }
        node = next
      }
    }
  }
}

extension ThemeWay {
  /// Adds the decisions of another way since.
  fileprivate mutating func add(_ other: ThemeWay, since start: ThemeWay) {
    constants += other.constants.dropFirst(start.constants.count)
    conditions += other.conditions.dropFirst(start.conditions.count)
    rivals += other.rivals.dropFirst(start.rivals.count)
  }
}

/// Turns nodes into values, whatever constants hold.
struct ThemeEvaluation {
  private let theme: Theme
  /// The number of values that there may still be: constants that hold constants grow by powers.
  private var left = 100_000
  /// The paths that are asked for; nil for all.
  private var names: [String]?
  /// The reasons why values that were left out have none; nil where the first of them ends the evaluation.
  private var unresolved: [ThemeError]?

  private init(_ theme: Theme) {
    self.theme = theme
  }

  /// All of a node, as a value; what has no value on the device is left out.
  static func value(_ node: ThemeNode, in theme: Theme) throws(ThemeError) -> ThemeValue? {
    var evaluation = ThemeEvaluation(theme)
    return try evaluation.value(node, ThemeWay())
  }

  private mutating func value(_ node: ThemeNode, _ way: ThemeWay) throws(ThemeError) -> ThemeValue? {
    left -= 1
    guard left > 0 else { throw ThemeError(.tooLarge, ["file": theme.document.file], at: .file(theme.document.file)) }
    var way = way
    switch try way.follow(node, in: theme) {
    case .leaf(let value): return ThemeValue(value)
    case .group(let group):
      var members: [ThemeValue.Member] = []
      for (key, node) in zip(group.keys, group.nodes) {
        if let value = try value(node, way) { members.append(ThemeValue.Member(key.key, value)) }
      }
      return .group(members)
    case .choice, .constant, nil: return nil
    }
  }

  /// The entries of a theme's components, in the order of the file.
  ///
  /// - Parameter names: Only what stands at these paths or below them is evaluated; nil is all.
  static func entries(of theme: Theme, at names: [String]? = nil) throws(ThemeError) -> [ThemeEntry] {
    var evaluation = ThemeEvaluation(theme)
    evaluation.names = names
    return try evaluation.entries()
  }

  /// The same, without those whose constants are missing or defined by themselves, and why these are.
  static func resolvable(
    of theme: Theme, at names: [String]?
  ) throws(ThemeError) -> (entries: [ThemeEntry], unresolved: [ThemeError]) {
    var evaluation = ThemeEvaluation(theme)
    evaluation.names = names
    evaluation.unresolved = []
    let entries = try evaluation.entries()
    return (entries, evaluation.unresolved ?? [])
  }

  private mutating func entries() throws(ThemeError) -> [ThemeEntry] {
    var entries: [ThemeEntry] = []
    for (key, node) in zip(theme.root.keys, theme.root.nodes) where !Theme.reserved.contains(key.key) {
      try add(node, [key.key], ThemeWay(), key, to: &entries)
    }
    return entries
  }

  /// Tells whether a path is asked for, lies below one that is, or leads to one.
  private func isWanted(_ path: [String]) -> Bool {
    guard let names else { return true }
    let name = path.joined(separator: ".")
    return names.contains { $0 == name || $0.hasPrefix(name + ".") || name.hasPrefix($0 + ".") }
  }

  private mutating func add(
    _ node: ThemeNode, _ path: [String], _ way: ThemeWay, _ member: PropertyListMember, to entries: inout [ThemeEntry]
  ) throws(ThemeError) {
    guard isWanted(path) else { return }
    do {
      try addWanted(node, path, way, member, to: &entries)
    } catch {
      guard unresolved != nil, error.code == .constantMissing || error.code == .constantCycle else { throw error }
      unresolved?.append(error.of(path: path.joined(separator: ".")))
    }
  }

  private mutating func addWanted(
    _ node: ThemeNode, _ path: [String], _ way: ThemeWay, _ member: PropertyListMember, to entries: inout [ThemeEntry]
  ) throws(ThemeError) {
    left -= 1
    guard left > 0 else { throw ThemeError(.tooLarge, ["file": theme.document.file], at: .file(theme.document.file)) }
    var way = way
    let end = try way.follow(node, in: theme)
    if case .group(let group)? = end, !ThemeEntry.isFont(group.keys.map(\.key), at: path) {
      for (key, node) in zip(group.keys, group.nodes) {
        // In a constant, the place is that of the constant's member.
        try add(node, path + [key.key], way, key, to: &entries)
      }
      return
    }
    guard let end, let value = try value(end, way) else { return }
    var inner = way
    if case .group(let group) = end {
      for node in group.nodes {
        var one = way
        _ = try one.follow(node, in: theme)
        inner.add(one, since: way)
      }
    }
    entries.append(
      ThemeEntry(
        path: path, value: value, kind: ThemeEntry.Kind(value, at: path), document: theme.document, key: member,
        constants: inner.constants, conditions: inner.conditions, rivals: inner.rivals, isInherited: false))
  }
}
