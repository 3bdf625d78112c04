/// The values of every path of a theme on every screen and version that its conditions tell apart.
struct ThemeGrid {
  struct Row {
    let path: [String]
    /// The entry where the path was met first.
    let first: ThemeEntry
    /// By segments of versions, then by screens in the order of `Screen.allCases`; nil where nothing is defined.
    var cells: [[ThemeEntry?]]
  }

  /// The first version of each segment; nothing changes between one and the next.
  let segments: [ThemeDevice.Version]
  /// In the order in which the paths are met.
  private(set) var rows: [Row] = []

  static let screens = ThemeDevice.Screen.allCases

  /// - Parameter minimum: Earlier versions are left out.
  init(_ theme: Theme, minimum: ThemeDevice.Version = .init(0)) throws(ThemeError) {
    segments = [minimum] + theme.breaks.filter { $0 > minimum }.sorted()
    var indexes: [[String]: Int] = [:]
    for (segment, version) in segments.enumerated() {
      for (column, screen) in Self.screens.enumerated() {
        for entry in try theme.on(ThemeDevice(screen: screen, version: version)).entries() {
          if indexes[entry.path] == nil {
            let empty = [ThemeEntry?](repeating: nil, count: Self.screens.count)
            indexes[entry.path] = rows.count
            rows.append(Row(path: entry.path, first: entry, cells: Array(repeating: empty, count: segments.count)))
          }
          if let index = indexes[entry.path] { rows[index].cells[segment][column] = entry }
        }
      }
    }
  }
}

extension Theme {
  /// All conditions of the theme and of the one that it inherits from.
  var conditions: [ThemeCondition] {
    var all: [ThemeCondition] = []
    var waiting = [ThemeNode.group(root)]
    while let node = waiting.popLast() {
      switch node {
      case .group(let group): waiting += group.nodes
      case .choice(let choice):
        all += choice.branches.compactMap(\.condition)
        waiting += choice.group.nodes
      case .constant, .leaf: break
      }
    }
    return all + (base?.conditions ?? [])
  }

  /// The versions at which conditions begin or cease to hold.
  var breaks: Set<ThemeDevice.Version> {
    var breaks: Set<ThemeDevice.Version> = []
    for condition in conditions {
      guard case .version(let version, _) = condition.term else { continue }
      switch condition.comparison {
      case .less, .greaterOrEqual: breaks.insert(version)
      case .lessOrEqual, .greater: breaks.insert(version.next ?? version)
      case .equal, .notEqual: breaks.formUnion([version, version.next ?? version])
      }
    }
    return breaks
  }
}
