import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder that a client keeps its trusted metadata in: `root.json`, `timestamp.json` and so on, each byte for byte as
/// it came.
///
/// Only verified files are written, each beside its place and renamed, so that whoever ends the program at whatever
/// moment leaves files that are whole. Files that do not fit together are no harm: everything is verified again when it
/// is read, and what fails is fetched anew.
struct MetadataFolder: Sendable {
  let path: String
  /// No file of a greater size is read.
  let limit: Int

  private static let clockFile = "trusted-time"

  private func file(_ role: String) -> String { path + "/" + PercentEncoding.fileName(role) + ".json" }

  /// The file of a role; nil where there is none.
  func read(_ role: String) throws(TrustError) -> [UInt8]? {
    let file = file(role)
    guard let status = FileStatus(file) else { return nil }
    guard status.size <= UInt64(limit) else {
      throw TrustError(.metadataTooLarge, ["name": role, "limit": ByteCount(UInt64(limit)).description])
    }
    do throws(FileError) { return try Bytes.reading(file, limit: limit).array } catch { throw TrustError(error) }
  }

  func write(_ bytes: [UInt8], _ role: String) throws(TrustError) {
    try write(bytes, to: file(role))
  }

  private func write(_ bytes: [UInt8], to file: String) throws(TrustError) {
    do throws(FileError) { try Bytes(bytes).write(to: file) } catch { throw TrustError(error) }
  }

  func remove(_ role: String) throws(TrustError) {
    do throws(FileError) { try FileSystem.remove(file(role)) } catch { throw TrustError(error) }
  }

  // MARK: - The time of the last successful refresh

  var lastTime: Date? {
    guard let text = try? Bytes.reading(path + "/" + Self.clockFile, limit: 64) else { return nil }
    return MetadataTime.date(text.text.filter { !$0.isNewline })
  }

  func write(lastTime: Date) throws(TrustError) {
    try write(Array((MetadataTime.text(lastTime) + "\n").utf8), to: path + "/" + Self.clockFile)
    // It ends a refresh: what was trusted in it is not forgotten, and so nothing older taken, after a loss of power.
    FileSystem.settle(path)
  }

  // MARK: - The folder as a whole

  /// Makes the folder, and keeps other programs from it until the lock is let go.
  func lock() throws(TrustError) -> LockFile {
    do throws(FileError) {
      try Directories.create(path)
      let lock = try LockFile(path + "/.lock", .making(0o644))
      // A file system without locks: one program at a time has to do.
      let withoutLocks: [Errno] = [.noLocks, .notSupported, .notSupportedOnSocket]
      if case .impossible(let error) = lock.wait(), !withoutLocks.contains(error.code) { throw error }
      sweep()
      return lock
    } catch {
      throw TrustError(error)
    }
  }

  /// Takes away everything that was trusted.
  func clear() throws(TrustError) {
    do throws(FileError) {
      for name in try FileSystem.names(in: path) where name.hasSuffix(".json") || name == Self.clockFile {
        try FileSystem.remove(path + "/" + name)
      }
    } catch {
      throw TrustError(error)
    }
  }

  /// Removes files that a program left unfinished when it was ended: `root.json.aB3dEf`.
  private func sweep() {
    for name in (try? FileSystem.names(in: path)) ?? [] {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 2, parts[parts.count - 1].utf8.count == 6,
        parts[parts.count - 2] == "json" || parts[0] == Self.clockFile || parts[0] == "fetched"
      else { continue }
      try? FileSystem.remove(path + "/" + name)
    }
  }
}
