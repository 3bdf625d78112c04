import MPaaSConfig
import MPaaSSupport

extension ThemeLint {
  /// A constant where it is used: that it exists, and that what it stands for fits there.
  mutating func checkConstant(_ name: String, _ value: PropertyListValue, at path: [String]) {
    used.insert(name)
    let place = theme.document.placeInside(value)
    guard theme.constant(name) != nil else { return fail(.constantMissing, theme.missing(name), at: place) }
    guard ThemeEntry.isColorKey(path.last), path.first != "Constants" else { return }
    for leaf in leaves(ofConstant: name) where ThemeValue(leaf).color == nil {
      // A value that is meant for a color is found where it stands.
      guard leaf.string?.hasPrefix("#") != true else { continue }
      fail(.colorConstant, ["constant": name, "key": path.last ?? "", "value": Self.text(leaf)], at: place)
      return
    }
  }

  /// A constant that is defined by itself, over others or directly; each circle once.
  mutating func checkCycles() {
    var reported: Set<Set<String>> = []
    for name in theme.constantNames {
      guard let (path, place) = circle(from: name), reported.insert(Set(path)).inserted else { continue }
      let words = (path + [path[0]]).map { "$" + $0 }.joined(separator: " → ")
      fail(.constantCycle, ["constant": path[0], "path": words], at: place)
    }
  }

  /// The names on the way from a constant back to it, and where it begins.
  private func circle(from start: String) -> (path: [String], place: Place)? {
    var seen: Set<String> = []
    var waiting: [(name: String, path: [String], place: Place)] = []
    func push(_ name: String, _ path: [String], _ place: Place?) {
      guard let node = theme.constant(name) else { return }
      for (next, value) in Self.references(in: node).reversed() {
        waiting.append((next, path, place ?? theme.document.placeInside(value)))
      }
    }
    push(start, [start], nil)
    while let (name, path, place) = waiting.popLast() {
      if name == start { return (path, place) }
      if seen.insert(name).inserted { push(name, path + [name], place) }
    }
    return nil
  }

  /// The constants that a node names anywhere.
  private static func references(in node: ThemeNode) -> [(String, PropertyListValue)] {
    switch node {
    case .group(let group): group.nodes.flatMap(references)
    case .choice(let choice): choice.group.nodes.flatMap(references)
    case .constant(let name, let value): [(name, value)]
    case .leaf: []
    }
  }

  /// The leaves that a constant may stand for, on any device.
  func leaves(ofConstant name: String) -> [PropertyListValue] {
    var seen: Set<String> = []
    var names = [name]
    var leaves: [PropertyListValue] = []
    while let name = names.popLast() {
      guard seen.insert(name).inserted, let node = theme.constant(name) else { continue }
      Self.collect(node, &leaves, &names)
    }
    return leaves
  }

  /// The leaves that a node may stand for, constants followed.
  func leaves(of node: ThemeNode) -> [PropertyListValue] {
    var leaves: [PropertyListValue] = []
    var names: [String] = []
    Self.collect(node, &leaves, &names)
    return leaves + names.flatMap { self.leaves(ofConstant: $0) }
  }

  private static func collect(_ node: ThemeNode, _ leaves: inout [PropertyListValue], _ names: inout [String]) {
    switch node {
    case .group(let group): leaves.append(group.value)
    case .choice(let choice):
      for branch in choice.branches { collect(branch.node, &leaves, &names) }
      if let standard = choice.standard { collect(standard, &leaves, &names) }
    case .constant(let name, _): names.append(name)
    case .leaf(let value): leaves.append(value)
    }
  }

  /// A value as texts show it.
  static func text(_ value: PropertyListValue) -> String {
    ThemeValue(value).string ?? "<\(value.element)>"
  }
}
