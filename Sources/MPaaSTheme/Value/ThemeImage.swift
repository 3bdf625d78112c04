import MPaaSSupport

/// An image of a theme: its name there, and the file in the theme's folder that fits the device best.
public struct ThemeImage: Sendable, Hashable {
  /// The name of the image in the theme.
  public let name: String
  /// Nil where no file has the name.
  public let path: String?

  init(_ name: String, folder: String?, device: ThemeDevice) {
    self.name = name
    path = folder.flatMap { folder in
      let scale = device.screen?.scale ?? 2
      let order = [scale] + [3, 2, 1].filter { $0 != scale }
      let files = ThemeImageFile.all(of: name, in: folder)
      let fitting = files.filter { $0.kind == nil || $0.kind == device.kind }
      let best = order.lazy.compactMap { scale in
        fitting.filter { $0.scale == scale }.max { $0.kind == nil && $1.kind != nil }
      }.first
      return best?.path ?? files.first?.path
    }
  }
}

/// A file of an image: names have `@2x` for the scale and `~ipad` for the kind of device.
package struct ThemeImageFile: Sendable, Hashable {
  package let path: String
  package let scale: Int
  package let kind: ThemeDevice.Kind?

  /// The files that are there for an image that a theme names, with its extension or without.
  package static func all(of name: String, in folder: String) -> [ThemeImageFile] {
    let (stem, suffix) = split(name)
    let suffixes = suffix.isEmpty ? [".png", ".jpg", ".jpeg", ".pdf", ".gif", ""] : [suffix]
    for suffix in suffixes {
      let files = [1, 2, 3].flatMap { scale in
        ([nil] + ThemeDevice.Kind.allCases).compactMap { kind -> ThemeImageFile? in
          let middle = (scale == 1 ? "" : "@\(scale)x") + (kind.map { "~" + $0.rawValue } ?? "")
          let path = folder + "/" + stem + middle + suffix
          return FileStatus(path)?.kind == .file ? ThemeImageFile(path: path, scale: scale, kind: kind) : nil
        }
      }
      if !files.isEmpty { return files }
    }
    // `icon@2x.png` names one file, whatever the device.
    let path = folder + "/" + name
    return FileStatus(path)?.kind == .file ? [ThemeImageFile(path: path, scale: 1, kind: nil)] : []
  }

  private static func split(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/"), dot != name.startIndex else {
      return (name, "")
    }
    return (String(name[..<dot]), String(name[dot...]))
  }

  /// Tells whether a text looks like the name of an image.
  package static func isNamed(by text: String) -> Bool {
    let suffix = split(text).suffix.lowercased()
    return [".png", ".jpg", ".jpeg", ".gif", ".pdf", ".webp", ".svg"].contains(suffix)
  }
}
