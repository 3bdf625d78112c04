package import MPaaSConfig
import MPaaSSupport

/// Finds what is wrong with a theme: conditions, constants, colours, fonts and images.
package struct ThemeLint {
  let theme: Theme
  private(set) var findings: [ConfigFinding] = []
  /// The constants that something uses.
  var used: Set<String> = []
  /// Files that images could have been meant to be, for suggestions; read when the first one is missed.
  var imageNames: [String]?

  private init(_ theme: Theme) {
    self.theme = theme
  }

  /// All findings, in the order of the file.
  package static func findings(in theme: Theme) -> [ConfigFinding] {
    var lint = ThemeLint(theme)
    lint.run()
    return lint.findings.inOrderOfPlaces
  }

  private mutating func run() {
    if theme.name?.isEmpty ?? true {
      warn(.nameMissing, ["file": theme.document.file], at: theme.document.place(of: theme.document.root))
    }
    checkKeys(theme.root, at: [])
    for (key, node) in zip(theme.root.keys, theme.root.nodes) {
      switch key.key {
      case "Name", "Inherited": continue
      case "Constants": checkConstants(node)
      default: check(node, at: [key.key])
      }
    }
    checkCycles()
    for key in theme.constants?.keys ?? [] where !used.contains(key.key) {
      warn(.constantUnused, ["constant": key.key], at: theme.document.place(of: key))
    }
  }

  private mutating func checkConstants(_ node: ThemeNode) {
    guard case .group(let group) = node else { return }
    checkKeys(group, at: ["Constants"])
    for (key, node) in zip(group.keys, group.nodes) { check(node, at: ["Constants", key.key]) }
  }

  /// Looks at a node, all branches of it, whatever the device.
  private mutating func check(_ node: ThemeNode, at path: [String]) {
    switch node {
    case .group(let group):
      if ThemeEntry.isFont(group.keys.map(\.key), at: path) { return checkFont(group, at: path) }
      checkKeys(group, at: path)
      for (key, node) in zip(group.keys, group.nodes) { check(node, at: path + [key.key]) }
    case .choice(let choice):
      checkKeys(choice.group, at: path)
      check(choice)
      for branch in choice.branches { check(branch.node, at: path) }
      if let standard = choice.standard { check(standard, at: path) }
    case .constant(let name, let value):
      checkConstant(name, value, at: path)
    case .leaf(let value):
      checkLeaf(value, at: path)
    }
  }

  mutating func fail(_ code: ThemeError.Code, _ values: [String: String], at place: Place?) {
    findings.append(ConfigFinding(.error, ThemeError(code, values, at: place)))
  }

  mutating func warn(_ code: ThemeError.Code, _ values: [String: String], at place: Place?) {
    findings.append(ConfigFinding(.warning, ThemeError(code, values, at: place)))
  }

  /// Keys that stand there twice, or that no path can lead to.
  mutating func checkKeys(_ group: ThemeGroup, at path: [String]) {
    var seen: Set<String> = []
    for key in group.keys {
      let place = theme.document.place(of: key)
      if !seen.insert(key.key).inserted { fail(.keyTwice, ["key": key.key], at: place) }
      if path.first != "Constants", !ThemeCondition.isMeant(by: key.key), key.key.isEmpty || key.key.contains(".") {
        warn(.keyUnreachable, ["key": key.key], at: place)
      }
    }
  }
}
