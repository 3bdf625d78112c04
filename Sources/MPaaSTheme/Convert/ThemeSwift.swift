import MPaaSConfig
import MPaaSSupport

/// Writes a theme as Swift: nested enums with a constant for each value, and a switch where it depends on the device.
package struct ThemeSwift {
  package struct Options: Sendable {
    /// The name of the outermost enum.
    package var name: String
    package var isPublic: Bool
    /// The oldest system that the app runs on: what is for older ones is left out.
    package var minimum: ThemeDevice.Version

    package init(name: String, isPublic: Bool = false, minimum: ThemeDevice.Version = .init(0)) {
      self.name = name
      self.isPublic = isPublic
      self.minimum = minimum
    }
  }

  private let options: Options
  private let segments: [ThemeDevice.Version]
  private let imagePrefix: String
  private var findings: [ConfigFinding] = []
  private var lines: [String] = []
  private var usesScreen = false
  private var usesVersion = false
  private var usesColor = false
  private var usesDark = false

  /// The Swift file of a theme, and of its dark side where there is one.
  package static func conversion(
    of theme: Theme, dark: Theme? = nil, options: Options
  ) throws(ThemeError) -> ThemeConversion {
    let grid = try ThemeGrid(theme, minimum: options.minimum)
    var colors: [[String]: ThemeGrid.Row] = [:]
    if let dark {
      for row in try ThemeGrid(dark, minimum: options.minimum).rows { colors[row.path] = row }
    }
    let folder = theme.folder.map { FileSystem.name(of: $0) } ?? ""
    var writer = ThemeSwift(
      options: options, segments: grid.segments, imagePrefix: folder.hasSuffix(".bundle") ? folder + "/" : "")
    let tree = ThemeTree(grid.rows)
    let dark = dark == nil ? nil : ThemeDark(rows: colors, segments: grid.segments)
    let name = {
      var names = SwiftNames(); return names.type(options.name)
    }()
    writer.write(tree, name: name, indent: 0, dark)
    let source = writer.source(origin: theme.document.file, name: name)
    return ThemeConversion(files: [.init(path: name + ".swift", content: .text(source))], findings: writer.findings)
  }

  private init(options: Options, segments: [ThemeDevice.Version], imagePrefix: String) {
    self.options = options
    self.segments = segments
    self.imagePrefix = imagePrefix
  }

  private var access: String { options.isPublic ? "public " : "" }

  private func source(origin: String, name: String) -> String {
    var text = ["// Written by `mpaas theme convert` from \(FileSystem.name(of: origin)); changes are lost.", ""]
    text += ["import UIKit", ""]
    text += ["/// The theme's values, by the paths that they have in it."] + lines
    if usesColor { text += [""] + ThemeSwiftSupport.color(hasDark: usesDark) }
    if usesScreen || usesVersion {
      text += [""] + ThemeSwiftSupport.screen(hasScreens: usesScreen, hasVersion: usesVersion)
    }
    return text.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ tree: ThemeTree, name: String, indent: Int, _ dark: ThemeDark?) {
    let blanks = String(repeating: "  ", count: indent)
    lines.append(blanks + access + "enum " + name + " {")
    var names = SwiftNames()
    var isFirst = true
    for child in tree.children {
      let start = lines.count
      if let row = child.row { write(row, names.value(child.key), indent + 1, dark) }
      if !child.tree.children.isEmpty {
        if lines.count > start { lines.append("") }
        write(child.tree, name: names.type(child.key), indent: indent + 1, dark)
      }
      if !isFirst, lines.count > start { lines.insert("", at: start) }
      isFirst = isFirst && lines.count == start
    }
    lines.append(blanks + "}")
  }

  private mutating func write(_ row: ThemeGrid.Row, _ name: String, _ indent: Int, _ dark: ThemeDark?) {
    let entries = row.cells.flatMap { $0 }
    guard let type = ThemeSwiftType(entries.compactMap(\.self)) else {
      let values = ["path": row.first.name]
      findings.append(ConfigFinding(.warning, ThemeError(.convertType, values, at: row.first.place)))
      return
    }
    let cells = row.cells.enumerated().map { segment, cells in
      cells.enumerated().map { column, entry in
        entry.map { literal($0, type, dark?.color(row.path, segment, column)) } ?? "nil"
      }
    }
    let blanks = String(repeating: "  ", count: indent)
    lines.append(blanks + "/// " + remark(row))
    let isOptional = type == .image || cells.contains { $0.contains("nil") }
    let typeName = type.name + (isOptional ? "?" : "")
    if let only = Self.only(cells.flatMap { $0 }) {
      let word =
        type == .image || isOptional ? "var \(name): \(typeName) { \(only) }" : "let \(name): \(typeName) = \(only)"
      lines.append(blanks + access + "static " + word)
      return
    }
    lines += body(cells, "\(access)static var \(name): \(typeName) {", blanks)
  }

  /// The value's text in the theme: for readers of the written code.
  private func remark(_ row: ThemeGrid.Row) -> String {
    let constants = Set(row.cells.joined().compactMap { $0?.constants.first }).sorted().map { "$" + $0 }
    let text = row.first.name + (constants.isEmpty ? "" : " (" + constants.joined(separator: ", ") + ")")
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
  }

  private static func only(_ literals: [String]) -> String? {
    literals.dropFirst().allSatisfy { $0 == literals.first } ? literals.first : nil
  }

  /// A computed property: what changed with a version first, then the screens.
  private mutating func body(_ cells: [[String]], _ head: String, _ blanks: String) -> [String] {
    // Neighbours that say the same are one.
    var parts: [(start: ThemeDevice.Version, cells: [String])] = []
    for (segment, cells) in zip(segments, cells) where parts.last?.cells != cells { parts.append((segment, cells)) }
    let needsScreen = parts.contains { Self.only($0.cells) == nil }
    usesScreen = usesScreen || needsScreen
    usesVersion = usesVersion || parts.count > 1
    var lines = [blanks + (needsScreen ? "@MainActor " : "") + head]
    for (index, part) in parts.enumerated() {
      let value = Self.choice(part.cells, blanks + (index + 1 < parts.count ? "    " : "  "))
      guard index + 1 < parts.count else {
        lines += [blanks + "  return " + value[0]] + value.dropFirst()
        continue
      }
      let next = parts[index + 1].start
      lines.append(blanks + "  if ThemeScreen.version < (\(next.major), \(next.minor), \(next.patch)) {")
      lines += [blanks + "    return " + value[0]] + value.dropFirst() + [blanks + "  }"]
    }
    return lines + [blanks + "}"]
  }

  /// One value, or a switch over the screens in which what most have is the default.
  private static func choice(_ cells: [String], _ blanks: String) -> [String] {
    if let only = only(cells) { return [only] }
    var groups: [(literal: String, screens: [String])] = []
    for (literal, screen) in zip(cells, ThemeGrid.screens) {
      let name = "." + ThemeSwiftSupport.name(of: screen)
      if let index = groups.firstIndex(where: { $0.literal == literal }) {
        groups[index].screens.append(name)
      } else {
        groups.append((literal, [name]))
      }
    }
    let most = groups.indices.max { groups[$0].screens.count < groups[$1].screens.count } ?? 0
    let common = groups.remove(at: most)
    var lines = ["switch ThemeScreen.current {"]
    lines += groups.map { blanks + "case " + $0.screens.joined(separator: ", ") + ": " + $0.literal }
    return lines + [blanks + "default: " + common.literal, blanks + "}"]
  }

  private mutating func literal(_ entry: ThemeEntry, _ type: ThemeSwiftType, _ dark: ThemeColor?) -> String {
    switch type {
    case .color:
      usesColor = true
      guard let color = entry.value.color else { return "nil" }
      guard let dark, dark != color else { return "color(\(ThemeSwiftSupport.hex(color)))" }
      usesDark = true
      return "color(\(ThemeSwiftSupport.hex(color)), dark: \(ThemeSwiftSupport.hex(dark)))"
    case .image:
      return "UIImage(named: \(SwiftLiteral.text(imagePrefix + (entry.value.string ?? ""))))"
    default: return type.literal(entry.value)
    }
  }
}
