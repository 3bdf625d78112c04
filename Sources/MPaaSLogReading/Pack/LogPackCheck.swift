package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSSupport

/// The findings of looking at every byte of a pack found: each file against the manifest, and those of ours block by
/// block.
package struct LogPackCheck: Sendable {
  package struct File: Sendable {
    /// The archive's path, and the file's in it.
    package let path: String
    package let format: LogFormat
    package let size: UInt64
    /// The check of a `.mplog` file; nil for others, of which the digest is all that can be checked.
    package let check: LogCheck?
    /// The reason why it is not what was packed.
    package let problem: LogError?

    package var isWhole: Bool { problem == nil && check?.isWhole != false }
  }

  package let path: String
  /// Those that are missing at the end.
  package private(set) var files: [File] = []
  /// The faults of the archive as such.
  package let faults: [LogError]

  package var isWhole: Bool { faults.isEmpty && files.allSatisfy(\.isWhole) }

  /// Tells whether a file is an archive, of logs or of anything.
  package static func isArchive(_ path: String) -> Bool { (try? ReadFile(path))?.isArchive == true }

  /// Checks a pack.
  ///
  /// - Returns: nil for an archive that was not asked for and is no pack.
  /// - Throws: `LogError` `log-pack-unreadable` also where there is no manifest to check by, `log-pack-too-large`.
  package init?(
    path: String, keys: LogKeys, temporary: TemporaryPlace, isNamed: Bool = true,
    limits: LogPackLimits = LogPackLimits()
  ) throws(LogError) {
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.mapping(path) } catch { throw LogError(error) }
    guard
      let pack = try LogPackContents(bytes, path: path, temporary: temporary, isNamed: isNamed, limits: limits)
    else { return nil }
    guard pack.manifest != nil else {
      throw LogError(.packUnreadable, ["path": path, "reason": LogPackManifest.name], at: .file(path))
    }
    self.path = path
    faults = pack.faults
    for file in pack.files { files.append(try Self.check(file, pack, keys)) }
    for entry in pack.missing {
      files.append(
        File(
          path: pack.name(of: entry.path), format: entry.format, size: entry.size, check: nil,
          problem: pack.problem(.packFileMissing, entry.path)))
    }
  }

  /// A pack that cannot be opened.
  package init(path: String, fault: LogError) {
    self.path = path
    faults = [fault]
  }

  private static func check(
    _ file: LogPackContents.File, _ pack: LogPackContents, _ keys: LogKeys
  ) throws(LogError) -> File {
    let name = pack.name(of: file.path)
    let content: Bytes
    do throws(FileError) { content = try file.bytes() } catch { throw LogError(error) }
    var problem = file.isUnchanged ? nil : pack.problem(.packDamaged, file.path)
    var check: LogCheck?
    if LogFile.isLogFile(content.buffer) {
      do throws(LogError) { check = try LogCheck(content, path: name, keys: keys) } catch { problem = problem ?? error }
    }
    content.release(content.count)
    let format = file.entry?.format ?? .text
    return File(path: name, format: format, size: file.size, check: check, problem: problem)
  }
}
