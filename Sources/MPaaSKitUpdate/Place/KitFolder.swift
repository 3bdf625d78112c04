import MPaaSSupport

/// The folder of a kit that updates itself: versions side by side, and a link to the one that is in use.
///
/// ```
/// current -> versions/0.3.0       the only thing that an update changes for programs
/// versions/0.3.0/bin/mpaas …      a kit as its archive holds it
/// before/0.3.0                    the version that was in use before this one
/// trust/                          the channel's signed metadata
/// channel                         the channel that is followed
/// work/                           whatever is unfinished
/// ```
package struct KitFolder: Sendable, Equatable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The folder that a program was installed in; nil where it lies elsewhere.
  ///
  /// - Parameter executable: The program's path with links resolved: `FOLDER/versions/NAME/bin/mpaas`.
  package init?(containing executable: String) {
    let version = FileSystem.folder(of: FileSystem.folder(of: executable))
    let versions = FileSystem.folder(of: version)
    guard FileSystem.name(of: versions) == "versions", FileSystem.name(of: FileSystem.folder(of: executable)) == "bin"
    else { return nil }
    self.init(path: FileSystem.folder(of: versions))
    guard current != nil else { return nil }
  }

  package var link: String { path + "/current" }
  package var trust: String { path + "/trust" }
  var lock: String { path + "/lock" }
  var work: String { path + "/work" }
  var staging: String { work + "/kit" }
  var downloads: String { work + "/downloads" }
  var channelFile: String { path + "/channel" }

  package func version(_ name: String) -> String { path + "/versions/" + name }
  func beforeFile(_ name: String) -> String { path + "/before/" + name }

  /// The name of the version that is in use; nil where the link is missing or leads elsewhere.
  package var current: String? {
    guard let target = try? FileSystem.target(ofLink: link) else { return nil }
    let parts = target.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard parts.count == 2, parts[0] == "versions", isWhole(parts[1]) else { return nil }
    return parts[1]
  }

  /// The name of the version that was in use before one; nil where that is gone.
  package func before(_ name: String) -> String? {
    guard let before = Self.line(of: beforeFile(name)) else { return nil }
    return before != name && isWhole(before) ? before : nil
  }

  private func isWhole(_ name: String) -> Bool {
    PortablePath.rule(brokenByPart: Substring(name)) == nil && !name.isEmpty && !name.utf8.contains(0x2f)
      && FileStatus(version(name) + "/bin/mpaas")?.kind == .file
  }

  /// The channel that was asked for last; nil where none was.
  package var channel: String? { Self.line(of: channelFile) }

  /// The line that a small file of the folder holds; nil where it is empty, too large or cannot be read.
  private static func line(of file: String) -> String? {
    guard let bytes = try? Bytes.reading(file, limit: 256) else { return nil }
    let line = bytes.text.filter { !$0.isNewline }
    return line.isEmpty ? nil : line
  }

  /// A name for a new version that no folder has yet, such as `0.3.0` or `0.3.0-2`.
  func freeName(for version: String) -> String {
    var name = version
    var number = 2
    while FileStatus(ofLink: self.version(name)) != nil {
      name = "\(version)-\(number)"
      number += 1
    }
    return name
  }

  /// The version that a folder's name tells.
  package static func version(named name: String) -> String { String(name.prefix { $0 != "-" }) }
}
