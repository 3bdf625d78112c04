import MPaaSConfig
import MPaaSSupport

extension ThemeLint {
  /// A value by itself: colours, fonts and images are known by how they look, and by their keys.
  mutating func checkLeaf(_ value: PropertyListValue, at path: [String]) {
    let place = theme.document.placeInside(value)
    let (key, text) = (path.last, value.string)
    let isConstant = path.first == "Constants"
    if let text, text.hasPrefix("#") || (ThemeEntry.isColorKey(key) && !isConstant) {
      if ThemeColor(text) == nil { failColor(text, at: place) }
    } else if ThemeEntry.isColorKey(key), text == nil, !isConstant {
      failColor(Self.text(value), at: place)
    } else if let key, key.hasSuffix("Font"), !isConstant {
      fail(.fontSize, ["key": key, "value": Self.text(value)], at: place)
    } else if let text, ThemeImageFile.isNamed(by: text) || (ThemeEntry.isImageKey(key) && !text.isEmpty) {
      checkImage(text, at: place)
    }
  }

  private mutating func failColor(_ text: String, at place: Place) {
    var values = ["value": text]
    values["suggestion"] = Self.mended(text)
    fail(.colorMalformed, values, at: place)
  }

  /// A colour that was probably meant: `#abc`, `aabbcc` and `0xaabbcc` are what people write.
  private static func mended(_ text: String) -> String? {
    var digits = Substring(text.lowercased())
    for prefix in ["#", "0x"] where digits.hasPrefix(prefix) { digits = digits.dropFirst(prefix.count) }
    let word =
      digits.utf8.count == 3 || digits.utf8.count == 4 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
    return ThemeColor("#" + word) == nil ? nil : "#" + word
  }

  /// A font has a `Size` that is a number, and may be `Bold`.
  mutating func checkFont(_ group: ThemeGroup, at path: [String]) {
    checkKeys(group, at: path)
    let key = path.last ?? ""
    if group["Size"] == nil {
      fail(.fontSize, ["key": key, "value": ""], at: theme.document.place(of: group.value))
    }
    for (member, node) in zip(group.keys, group.nodes) {
      switch member.key {
      case "Size": checkMember(node, of: key, .fontSize) { ($0.double ?? 0) > 0 && $0.double?.isFinite == true }
      case "Bold": checkMember(node, of: key, .fontBold) { $0.bool != nil }
      default:
        var values = ["key": member.key, "font": key]
        values["suggestion"] = closestMatch(to: member.key, among: ThemeEntry.fontKeys.sorted())
        warn(.fontMember, values, at: theme.document.place(of: member))
      }
    }
  }

  private mutating func checkMember(
    _ node: ThemeNode, of key: String, _ code: ThemeError.Code, _ isRight: (ThemeValue) -> Bool
  ) {
    markConstants(in: node)
    for leaf in leaves(of: node) where !isRight(ThemeValue(leaf)) {
      fail(code, ["key": key, "value": Self.text(leaf)], at: theme.document.placeInside(leaf))
    }
  }

  /// Looks at the conditions and constants of a font's member.
  private mutating func markConstants(in node: ThemeNode) {
    switch node {
    case .constant(let name, let value): checkConstant(name, value, at: [])
    case .choice(let choice):
      checkKeys(choice.group, at: [])
      check(choice)
      for branch in choice.branches { markConstants(in: branch.node) }
      if let standard = choice.standard { markConstants(in: standard) }
    case .group, .leaf: break
    }
  }

  /// An image is a file in the theme's folder.
  private mutating func checkImage(_ name: String, at place: Place) {
    guard let folder = theme.folder, ThemeImageFile.all(of: name, in: folder).isEmpty else { return }
    let names = imageNames ?? Self.images(in: folder)
    imageNames = names
    var values = ["image": name, "folder": folder]
    values["suggestion"] = closestMatch(to: name, among: names)
    fail(.imageMissing, values, at: place)
  }

  /// The images in a folder and the folders in it, by what a theme would call them; a few levels, and not for ever.
  private static func images(in folder: String) -> [String] {
    var names: [String] = []
    var waiting: [(path: String, depth: Int)] = [("", 0)]
    while let (prefix, depth) = waiting.popLast(), names.count < 10_000 {
      for (name, kind) in (try? FileSystem.entries(in: folder + "/" + prefix)) ?? [] where !name.hasPrefix(".") {
        if kind == .folder, depth < 3 {
          waiting.append((prefix + name + "/", depth + 1))
        } else if kind == .file, ThemeImageFile.isNamed(by: name) {
          names.append(prefix + name.replacing(all: "@2x", with: "").replacing(all: "@3x", with: ""))
        }
      }
    }
    return Set(names).sorted()
  }
}
