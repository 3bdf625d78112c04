import MPaaSLogUpload
import MPaaSLogs
package import MPaaSSupport

/// A look at every byte of logs: of files, of folders, and of packs with all that is in them.
package struct LogVerification: Sendable {
  /// Files of ours, and those in packs.
  package private(set) var files: [LogPackCheck.File] = []
  package private(set) var packs: [LogPackCheck] = []

  /// True where every byte is what was written.
  package var isWhole: Bool { files.allSatisfy(\.isWhole) && packs.allSatisfy(\.isWhole) }

  /// Looks at what was named.
  ///
  /// - Throws: `FileError` and `LogError` for a file that cannot be read, or is no log of ours and no pack.
  package init(_ paths: [String], keys: LogKeys, temporary: TemporaryPlace) throws {
    for path in paths {
      if FileStatus(path)?.kind == .folder {
        for file in LogFolder(path).files { try add(file.path, keys) }
        for pack in try LogFiles.packs(in: path) { addFound(pack, keys, temporary) }
      } else if LogPackCheck.isArchive(path) {
        if let pack = try LogPackCheck(path: path, keys: keys, temporary: temporary) { add(pack) }
      } else {
        try add(path, keys)
      }
    }
  }

  private mutating func add(_ path: String, _ keys: LogKeys) throws {
    let bytes = try Bytes.mapping(path)
    let check = try LogCheck(bytes, path: path, keys: keys)
    files.append(
      LogPackCheck.File(path: path, format: .mplog, size: UInt64(bytes.count), check: check, problem: nil))
  }

  /// Adds a pack of a folder; one that cannot be opened hides no other.
  private mutating func addFound(_ path: String, _ keys: LogKeys, _ temporary: TemporaryPlace) {
    do throws(LogError) {
      let pack = try LogPackCheck(path: path, keys: keys, temporary: temporary, isNamed: false)
      if let pack { add(pack) }
    } catch {
      add(LogPackCheck(path: path, fault: error))
    }
  }

  private mutating func add(_ pack: LogPackCheck) {
    packs.append(pack)
    files += pack.files
  }
}
