import MPaaSSupport

/// The links that `scripts/get` makes below a prefix, so that shells and `man` find the kit in `PREFIX/opt/mpaas`.
struct KitLinks {
  private static let places = ["bin", "share/man", "share/bash-completion", "share/fish", "share/zsh"]

  private let prefix: String
  /// The way to the version in use, as the links of the prefix have it.
  private let base: String

  /// Finds the prefix; nil where the kit was installed without links.
  init?(of folder: KitFolder) {
    prefix = FileSystem.folder(of: FileSystem.folder(of: folder.path))
    let ending = "/current/bin/mpaas"
    guard let target = try? FileSystem.target(ofLink: prefix + "/bin/mpaas"), target.hasSuffix(ending),
      FileSystem.resolved(String(target.dropLast(ending.count))) == FileSystem.resolved(folder.path)
    else { return nil }
    base = target.dropLast(ending.count) + "/current"
  }

  /// Makes links to files that a version added, and removes those to files that it no longer has.
  ///
  /// Files of others stay. What cannot be linked is no error: the kit runs without.
  func mend(_ files: KitFiles) {
    for place in Self.places { unlinkDead(in: prefix + "/" + place, files) }
    for place in Self.places { linkNew(in: place, files) }
  }

  private func unlinkDead(in path: String, _ files: KitFiles) {
    for name in (try? FileSystem.names(in: path)) ?? [] {
      let entry = path + "/" + name
      if FileStatus(ofLink: entry)?.kind == .folder {
        unlinkDead(in: entry, files)
      } else if let target = try? FileSystem.target(ofLink: entry), target.hasPrefix(base + "/"),
        FileStatus(entry) == nil
      {
        try? files.remove(entry)
      }
    }
  }

  private func linkNew(in place: String, _ files: KitFiles) {
    for (name, kind) in (try? FileSystem.entries(in: base + "/" + place)) ?? [] {
      let path = place + "/" + name
      if kind == .folder {
        linkNew(in: path, files)
      } else if FileStatus(ofLink: prefix + "/" + path) == nil {
        try? files.makeFolder(prefix + "/" + place)
        try? files.link(prefix + "/" + path, base + "/" + path)
      }
    }
  }
}
