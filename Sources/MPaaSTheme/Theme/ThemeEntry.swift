import MPaaSConfig
package import MPaaSSupport

/// A value of a theme with its path, and what decided it.
package struct ThemeEntry: Sendable {
  /// The purpose of a value, by what it looks like and what its key says.
  package enum Kind: String, Sendable, CaseIterable {
    case color, font, image, boolean, integer, real, string, array, group
  }

  package let path: [String]
  package let value: ThemeValue
  package let kind: Kind
  /// The file that it stands in, and its key there; nil for a value that was looked for by its path alone.
  let document: PropertyListFile
  let key: PropertyListMember?
  /// The constants that it was given by, outermost first.
  package let constants: [String]
  /// The conditions that hold, outermost first.
  package let conditions: [String]
  /// Conditions that hold too, so that nothing says which one counts.
  package let rivals: [String]
  package internal(set) var isInherited: Bool

  /// The place of its key: found when it is asked for, since that takes a look at the text.
  package var place: Place { key.map { document.place(of: $0) } ?? .file(document.file) }

  /// The keys with dots between them.
  package var name: String { path.joined(separator: ".") }
}

extension ThemeEntry {
  /// Tells whether a group is a font: it has nothing but what fonts have, or its key says so.
  static func isFont(_ keys: [String], at path: [String]) -> Bool {
    if keys.contains("Size"), keys.allSatisfy({ fontKeys.contains($0) }) { return true }
    return path.last.map { $0.hasSuffix("Font") } == true && keys.contains { fontKeys.contains($0) }
  }

  static let fontKeys: Set<String> = ["Bold", "Size"]

  /// Tells whether the key says that its value is a colour.
  static func isColorKey(_ key: String?) -> Bool {
    key.map { $0.hasSuffix("Color") || $0.hasSuffix("Colour") || $0 == "color" } ?? false
  }

  /// Tells whether the key says that its value is an image.
  static func isImageKey(_ key: String?) -> Bool {
    key.map { $0.hasSuffix("Image") || $0.hasSuffix("Icon") || $0 == "image" } ?? false
  }
}

extension ThemeEntry.Kind {
  init(_ value: ThemeValue, at path: [String]) {
    switch value {
    case .string(let text):
      if value.color != nil {
        self = .color
      } else {
        let isTruth = ["yes", "no", "true", "false"].contains(text.lowercased())
        let isImage = ThemeImageFile.isNamed(by: text) || (ThemeEntry.isImageKey(path.last) && !text.isEmpty)
        self = isImage ? .image : isTruth ? .boolean : .string
      }
    case .integer: self = .integer
    case .real: self = .real
    case .boolean: self = .boolean
    case .array: self = .array
    case .group(let members): self = ThemeEntry.isFont(members.map(\.key), at: path) ? .font : .group
    }
  }
}

extension Theme {
  /// The values of all components on the theme's device, in the order of the file; inherited ones behind them.
  ///
  /// - Parameter names: Only what stands at these paths or below them is looked at; nil is all.
  /// - Throws: `theme-constant-missing`, `theme-constant-cycle`, `theme-too-large`.
  package func entries(at names: [String]? = nil) throws(ThemeError) -> [ThemeEntry] {
    let entries = try ThemeEvaluation.entries(of: self, at: names)
    guard let base else { return entries }
    return Self.merged(entries, over: try base.entries(at: names))
  }

  /// The values that can be told although constants are missing or defined by themselves, and why the others cannot.
  ///
  /// - Parameter names: As for `entries(at:)`.
  /// - Throws: `theme-too-large`.
  package func resolvableEntries(
    at names: [String]? = nil
  ) throws(ThemeError) -> (entries: [ThemeEntry], unresolved: [ThemeError]) {
    let own = try ThemeEvaluation.resolvable(of: self, at: names)
    guard let base else { return own }
    let inherited = try base.resolvableEntries(at: names)
    // A value that is unresolved here is defined here: the inherited one does not count.
    let broken = Set(own.unresolved.compactMap(\.valuePath))
    let merged = Self.merged(own.entries, over: inherited.entries.filter { !broken.contains($0.name) })
    let known = broken.union(own.entries.map(\.name))
    let below = inherited.unresolved.filter { $0.valuePath.map { !known.contains($0) } ?? true }
    return (merged, own.unresolved + below)
  }

  /// Own values, and behind them what is inherited and not hidden by them.
  private static func merged(_ own: [ThemeEntry], over inherited: [ThemeEntry]) -> [ThemeEntry] {
    var entries = own
    var paths = Set(entries.map(\.path))
    // A leaf here hides all that lies below it there.
    let own = paths
    for var entry in inherited {
      let hidden = (1...entry.path.count).contains { own.contains(Array(entry.path.prefix($0))) }
      guard !hidden, paths.insert(entry.path).inserted else { continue }
      entry.isInherited = true
      entries.append(entry)
    }
    return entries
  }

  /// The entry of one path; nil where nothing is defined there.
  package func entry(at path: String) throws(ThemeError) -> ThemeEntry? {
    if let found = try entries(at: [path]).first(where: { $0.name == path }) { return found }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let value = try value(forPath: path) else { return nil }
    return ThemeEntry(
      path: keys, value: value, kind: .init(value, at: keys), document: document, key: nil, constants: [],
      conditions: [], rivals: [], isInherited: false)
  }
}
