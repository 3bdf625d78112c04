package import MPaaSLogs
import MPaaSSupport

/// The files of logs in folders, in the order of their names, which is that of their time.
package enum LogFiles {
  package struct File: Sendable, Equatable {
    package var path: String
    /// Below the folder that was asked for; the name alone where the file itself was.
    package var relativePath: String
    package var size: UInt64
    /// Seconds since 1970.
    package var modified: Int64
    /// By the folder that it lies in: `TYPE/YYYY-MM-DD/HH.mplog`.
    package var type: LogType?
    /// Tells whether it was named itself, so that one that is no log is an error.
    package var isNamed: Bool
    /// The place in the archive, where a path leads on into one: `logs.zip/diagnostic`.
    package var inside: String?
    /// Device and number of the file itself; empty where it is not known.
    package var identity: [UInt64] = []

    package init(
      path: String, relativePath: String, size: UInt64, modified: Int64, type: LogType? = nil, isNamed: Bool,
      inside: String? = nil, identity: [UInt64] = []
    ) {
      self.path = path
      self.relativePath = relativePath
      self.size = size
      self.modified = modified
      self.type = type
      self.isNamed = isNamed
      self.inside = inside
      self.identity = identity
    }
  }

  /// The endings of files in a folder of logs.
  static let suffixes = [
    "mplog", "mpring", "log", "txt", "xlog", "logan", "json", "jsonl", "ndjson", "gz", "zst", "zip",
  ]
  private static let deepest = 8

  /// - Throws: `LogError` where a path is not there or a folder cannot be read.
  package static func files(in sources: [String]) throws(LogError) -> [File] {
    var all: [File] = []
    for source in sources {
      guard let status = FileStatus(source) else {
        if let file = archive(source) {
          all.append(file)
          continue
        }
        throw LogError(FileError(.open, source, .noSuchFileOrDirectory))
      }
      guard status.kind == .folder else {
        all.append(
          File(
            path: source, relativePath: FileSystem.name(of: source), size: status.size, modified: status.modified,
            type: type(ofFolders: source.split(separator: "/").dropLast().map(String.init)), isNamed: true,
            identity: status.identity))
        continue
      }
      do throws(FileError) { try walk(source, [], into: &all) } catch { throw LogError(error) }
    }
    return all
  }

  private static func walk(_ folder: String, _ below: [String], into all: inout [File]) throws(FileError) {
    for entry in try FileSystem.entries(in: folder) where !entry.name.hasPrefix(".") {
      let path = folder + "/" + entry.name
      if entry.kind == .folder, below.count < deepest {
        try walk(path, below + [entry.name], into: &all)
      } else if entry.kind == .file, isLog(entry.name), let status = FileStatus(path) {
        let above = below.isEmpty ? folder.split(separator: "/").map(String.init) : below
        all.append(
          File(
            path: path, relativePath: (below + [entry.name]).joined(separator: "/"), size: status.size,
            modified: status.modified, type: type(ofFolders: above), isNamed: false, identity: status.identity))
      }
    }
  }

  /// The files in a folder that may be packs.
  package static func packs(in folder: String) throws(LogError) -> [String] {
    try files(in: [folder]).map(\.path).filter(isPack)
  }

  /// Tells whether a file of that name, found in a folder, is looked at as an archive.
  package static func isPack(_ name: String) -> Bool { name.hasSuffix(".zip") || name.hasSuffix(".tar.zst") }

  /// The archive that a path leads into; nil where it leads through no file.
  private static func archive(_ path: String) -> File? {
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
      let outer = String(path[..<slash])
      if let status = FileStatus(outer) {
        let inside = String(path[path.index(after: slash)...])
        guard status.kind == .file, !inside.isEmpty else { return nil }
        return File(
          path: outer, relativePath: FileSystem.name(of: outer), size: status.size, modified: status.modified,
          isNamed: true, inside: inside)
      }
      end = slash
    }
    return nil
  }

  /// Names of formats whose files are no text, whatever they begin with.
  private static let binarySuffixes: Set = ["mplog", "mpring", "xlog", "logan", "gz", "zst", "zip", "tar"]

  /// Tells whether a name leaves it open that a file is text.
  package static func isText(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    let isDay = name.utf8.count == 13 && name.utf8.allSatisfy(\.isDigit)
    return !isDay && !binarySuffixes.contains(name.split(separator: ".").last.map(String.init) ?? "")
  }

  package static func isLog(_ name: String) -> Bool {
    if let suffix = name.split(separator: ".").last, suffixes.contains(String(suffix)) { return true }
    // Rotated: `app.log.1`; Logan's files have a day in milliseconds for a name.
    if name.has(".log.") { return true }
    return name.utf8.count == 13 && name.utf8.allSatisfy(\.isDigit)
  }

  /// The folder above that of the day.
  package static func type(ofFolders folders: [String]) -> LogType? {
    guard let day = folders.last, day.utf8.count == 10, day.utf8.dropFirst(4).first == UInt8(ascii: "-"),
      let name = folders.dropLast().last
    else { return nil }
    return LogType(rawValue: name)
  }
}
