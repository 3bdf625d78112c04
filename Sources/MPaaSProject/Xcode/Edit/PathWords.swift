/// Paths as projects have them: parts between slashes, no file system asked.
enum PathWords {
  static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The part of a path before the last part; empty where there is nothing.
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path without `.`, doubled slashes and what `..` takes back.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  static func joined(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return plain(path) }
    return path.isEmpty ? plain(folder) : plain(folder + "/" + path)
  }

  /// The way from a folder to a path, both from the same place or both from the root; the path itself where it is
  /// unknown the way.
  static func relative(_ path: String, from folder: String) -> String { way(to: path, from: folder) ?? path }

  static func way(to path: String, from folder: String) -> String? {
    let (to, start) = (plain(path).split(separator: "/"), plain(folder).split(separator: "/"))
    guard path.hasPrefix("/") == folder.hasPrefix("/") else { return nil }
    let common = zip(to, start).prefix { $0 == $1 }.count
    let back = start.dropFirst(common)
    // The names of the folders above are not known.
    guard !back.contains("..") else { return nil }
    return (back.map { _ in ".." } + to.dropFirst(common)).joined(separator: "/")
  }
}
