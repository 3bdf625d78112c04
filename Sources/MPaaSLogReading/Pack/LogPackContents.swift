package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSSupport

/// A pack that is open: what its manifest says, and its files, each to be read as if it stood in a folder.
///
/// The files stand in one file without a name, so that no memory is needed for them and nothing is left behind.
package struct LogPackContents: Sendable {
  package struct File: Sendable {
    /// In the archive.
    package let path: String
    /// The manifest's entry for it; nil where there is none.
    package let entry: LogPackManifest.Entry?
    package let size: UInt64
    /// Tells whether its size and its digest are those of the manifest.
    package let isUnchanged: Bool
    let file: ReadFile
  }

  /// The path of the archive itself.
  package let path: String
  /// nil where the archive has none: its logs are read as those of a folder.
  package let manifest: LogPackManifest?
  /// In the order of the archive.
  package let files: [File]
  /// The entries of the manifest that the archive does not have.
  package let missing: [LogPackManifest.Entry]
  /// The faults of the archive as such: it ends too early, has files that no manifest names.
  package let faults: [LogError]

  /// Opens an archive and unpacks it, damaged as it may be.
  ///
  /// - Parameters:
  ///   - bytes: The archive, mapped.
  ///   - temporary: The place with room for what is in it.
  ///   - isNamed: Whether somebody asked for it; else nil for an archive that has no manifest at its front.
  /// - Throws: `LogError` `log-pack-unreadable`, `log-pack-too-large`, and those of files.
  package init?(
    _ bytes: Bytes, path: String, temporary: TemporaryPlace, isNamed: Bool = true,
    limits: LogPackLimits = LogPackLimits()
  ) throws(LogError) {
    var reader = try LogPackReader(bytes, path: path, temporary: temporary, limits)
    guard try reader.run(isNamed: isNamed) else { return nil }
    let manifest = reader.manifest
    var wanted: [String: LogPackManifest.Entry] = [:]
    for entry in manifest?.entries ?? [] { wanted[entry.path] = entry }
    var faults = reader.faults
    var files: [File] = []
    for found in reader.found {
      let entry = wanted.removeValue(forKey: found.path)
      if manifest != nil, entry == nil {
        faults.append(LogError(.packFileUnlisted, ["path": path, "file": found.path], at: .file(path)))
        continue
      }
      guard manifest != nil || LogFiles.isLog(FileSystem.name(of: found.path)) else { continue }
      let isUnchanged = entry.map { $0.size == UInt64(found.range.count) && $0.sha256 == found.digest } ?? true
      let file = ReadFile(
        found.range, of: reader.room, path: path + "/" + found.path,
        modified: manifest.map { $0.created / 1_000_000_000 } ?? reader.modified)
      files.append(
        File(path: found.path, entry: entry, size: UInt64(found.range.count), isUnchanged: isUnchanged, file: file))
    }
    if manifest == nil, let fault = faults.first { throw fault }
    guard manifest != nil || !files.isEmpty else {
      throw LogError(.packUnreadable, ["path": path, "reason": LogPackManifest.name], at: .file(path))
    }
    self.path = path
    self.manifest = manifest
    self.files = files
    missing = (manifest?.entries ?? []).filter { wanted[$0.path] != nil }
    self.faults = faults
  }

  /// Everything that is not as the manifest says.
  package var problems: [LogError] {
    files.filter { !$0.isUnchanged }.map { problem(.packDamaged, $0.path) }
      + missing.map { problem(.packFileMissing, $0.path) } + faults
  }

  func problem(_ code: LogError.Code, _ file: String) -> LogError {
    LogError(code, ["path": path, "file": file], at: .file(name(of: file)))
  }

  package var isWhole: Bool { missing.isEmpty && faults.isEmpty && files.allSatisfy(\.isUnchanged) }

  /// The name of a file of it beside others: the archive is taken for a folder.
  package func name(of file: String) -> String { path + "/" + file }

  /// The same with the files only that lie at or below a place in the archive; nil for all of them.
  func inside(_ place: String?) -> [File] {
    guard let place else { return files }
    return files.filter { $0.path == place || $0.path.hasPrefix(place + "/") }
  }
}

extension LogPackContents.File {
  /// By the folder that it lies in, as for any file; else what the manifest says of it.
  var type: LogType? {
    if let type = LogFiles.type(ofFolders: path.split(separator: "/").dropLast().map(String.init)) { return type }
    guard let type = entry.map({ LogType(rawValue: $0.type) }), type != .diagnostic else { return nil }
    return type
  }

  /// The bytes of it, mapped.
  package func bytes() throws(FileError) -> Bytes { try file.whole() }
}
