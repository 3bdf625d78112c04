import MPaaSSupport

extension KitFolder {
  /// Puts a whole version in use: killed at any moment, it or the one before is.
  ///
  /// The memory of the version before goes ahead of the link: what it tells counts only once the link leads there.
  func use(_ name: String, instead old: String, _ files: KitFiles) throws(FileError) {
    try files.makeFolder(path + "/before")
    try files.replace(beforeFile(name), old + "\n")
    try files.link(link, "versions/" + name)
  }

  /// Removes versions that are neither in use nor the one before, and what an update left unfinished.
  ///
  /// Parts of downloads stay, which the next update goes on with.
  func sweep(_ files: KitFiles) throws(FileError) {
    if FileStatus(ofLink: staging) != nil { try files.remove(staging) }
    guard let current else { return }
    let kept = [current, before(current)]
    for folder in ["versions", "before"] {
      let names = (try? FileSystem.names(in: path + "/" + folder)) ?? []
      for name in names where !kept.contains(name) { try files.remove("\(path)/\(folder)/\(name)") }
    }
  }

  /// Removes files of downloads, and parts of them, that no offer names any more.
  func sweepDownloads(keeping digests: Set<String>, _ files: KitFiles) throws(FileError) {
    for name in (try? FileSystem.names(in: downloads)) ?? [] where !digests.contains(String(name.prefix { $0 != "." }))
    {
      try files.remove(downloads + "/" + name)
    }
  }
}
