import MPaaSConfig
import MPaaSSupport

/// Writes a theme as an asset catalogue: colour sets with dark and iPad sides, image sets with the files of the theme.
package struct ThemeCatalog {
  private let theme: Theme
  private let dark: Theme?
  private let folder: String
  private var result = ThemeConversion()
  /// The groups that have their file already.
  private var groups: Set<String> = []

  /// The screens by kinds of devices, the one that stands for its kind last.
  private static let screens: [(ThemeDevice.Kind, [ThemeDevice.Screen])] = [
    (.iphone, [.phoneLow, .phone4, .phone5, .phone6, .phone6p]), (.ipad, [.padLow, .padRetina]),
  ]

  /// - Parameters:
  ///   - name: That of the catalogue, without `.xcassets`.
  ///   - version: The system that conditions are decided for.
  package static func conversion(
    of theme: Theme, dark: Theme? = nil, name: String, version: ThemeDevice.Version
  ) throws(ThemeError) -> ThemeConversion {
    var catalog = ThemeCatalog(theme: theme, dark: dark, folder: name + ".xcassets")
    try catalog.write(version)
    return catalog.result
  }

  private init(theme: Theme, dark: Theme?, folder: String) {
    self.theme = theme
    self.dark = dark
    self.folder = folder
  }

  private mutating func write(_ version: ThemeDevice.Version) throws(ThemeError) {
    add("Contents.json", AssetJSON.contents([]))
    let light = try Self.table(theme, version)
    var night: [[String]: [ThemeDevice.Screen: ThemeEntry]] = [:]
    if let dark { for row in try Self.table(dark, version) { night[row.path] = row.cells } }
    var left = 0
    for (path, first, cells) in light {
      let kinds = Set(cells.values.map(\.kind))
      if kinds == [.color] {
        addColor(path, first, cells, night[path])
      } else if kinds == [.image] {
        addImages(path, first, cells)
      } else {
        left += 1
      }
    }
    guard left > 0 else { return }
    result.findings.append(
      ConfigFinding(
        .warning,
        ThemeError(
          .convertLeft, ["count": "\(left)", "file": theme.document.file], at: .file(theme.document.file))))
  }

  private static func table(
    _ theme: Theme, _ version: ThemeDevice.Version
  ) throws(ThemeError) -> [(path: [String], first: ThemeEntry, cells: [ThemeDevice.Screen: ThemeEntry])] {
    var rows: [(path: [String], first: ThemeEntry, cells: [ThemeDevice.Screen: ThemeEntry])] = []
    var indexes: [[String]: Int] = [:]
    for screen in ThemeDevice.Screen.allCases {
      for entry in try theme.on(ThemeDevice(screen: screen, version: version)).entries() {
        let index = indexes[entry.path] ?? rows.count
        if index == rows.count { rows.append((entry.path, entry, [:])) }
        indexes[entry.path] = index
        rows[index].cells[screen] = entry
      }
    }
    return rows
  }

  /// The values for each kind of device; a finding where screens of one kind differ, which no catalog tells apart.
  private mutating func sides<Value: Equatable>(
    _ cells: [ThemeDevice.Screen: ThemeEntry], _ first: ThemeEntry, _ value: (ThemeEntry) -> Value?
  ) -> [ThemeDevice.Kind: Value] {
    var sides: [ThemeDevice.Kind: Value] = [:]
    for (kind, screens) in Self.screens {
      let values = screens.map { cells[$0].flatMap(value) }
      guard let chosen = values.last ?? nil else { continue }
      sides[kind] = chosen
      guard values.contains(where: { $0 != chosen }) else { continue }
      let named = ["path": first.name, "kind": kind.rawValue, "screen": screens.last?.rawValue ?? ""]
      result.findings.append(ConfigFinding(.warning, ThemeError(.convertScreens, named, at: first.place)))
    }
    return sides
  }

  private mutating func addColor(
    _ path: [String], _ first: ThemeEntry, _ cells: [ThemeDevice.Screen: ThemeEntry],
    _ night: [ThemeDevice.Screen: ThemeEntry]?
  ) {
    let light = sides(cells, first) { $0.value.color }
    let dark = night.map { sides($0, first) { $0.value.color } } ?? [:]
    guard let common = light[.iphone] ?? light[.ipad] else { return }
    var items = [AssetJSON.color(common, idiom: "universal", isDark: false)]
    let commonDark = dark[.iphone] ?? dark[.ipad]
    if let commonDark, commonDark != common {
      items.append(AssetJSON.color(commonDark, idiom: "universal", isDark: true))
    }
    if let pad = light[.ipad], pad != common || (dark[.ipad] ?? commonDark) != commonDark {
      items.append(AssetJSON.color(pad, idiom: "ipad", isDark: false))
      if let night = dark[.ipad] ?? commonDark, night != pad {
        items.append(AssetJSON.color(night, idiom: "ipad", isDark: true))
      }
    }
    add(place(path) + ".colorset/Contents.json", AssetJSON.contents([("colors", items)]))
  }

  private mutating func addImages(_ path: [String], _ first: ThemeEntry, _ cells: [ThemeDevice.Screen: ThemeEntry]) {
    let names = sides(cells, first) { $0.value.string }
    guard let folder = theme.folder, let common = names[.iphone] ?? names[.ipad] else { return }
    let set = place(path) + ".imageset/"
    var items: [String] = []
    var seen: Set<String> = []
    func add(_ name: String, idiom: String?) {
      for file in ThemeImageFile.all(of: name, in: folder) {
        let target = FileSystem.name(of: file.path)
        items.append(AssetJSON.image(target, idiom: idiom ?? file.kind?.rawValue ?? "universal", scale: file.scale))
        if seen.insert(target).inserted {
          result.files.append(.init(path: self.folder + "/" + set + target, content: .copy(file.path)))
        }
      }
    }
    add(common, idiom: nil)
    if let pad = names[.ipad], pad != common { add(pad, idiom: "ipad") }
    guard !items.isEmpty else { return }
    self.add(set + "Contents.json", AssetJSON.contents([("images", items)]))
  }

  /// The path of a set without its ending; its groups get their files.
  private mutating func place(_ path: [String]) -> String {
    let names = path.map(Self.fileName)
    for count in 1..<max(1, names.count) {
      let group = names.prefix(count).joined(separator: "/")
      guard groups.insert(group).inserted else { continue }
      add(group + "/Contents.json", AssetJSON.contents([], providesNamespace: true))
    }
    return names.joined(separator: "/")
  }

  /// A key as the name of a file.
  private static func fileName(_ key: String) -> String {
    let name = String(
      String.UnicodeScalarView(
        key.unicodeScalars.map {
          $0 == "/" || $0 == ":" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7f ? "_" : $0
        }))
    return name.isEmpty || name.hasPrefix(".") ? "_" + name : name
  }

  private mutating func add(_ path: String, _ text: String) {
    result.files.append(.init(path: folder + "/" + path, content: .text(text)))
  }
}
