import MPaaSArchive
import MPaaSLogs
import MPaaSSupport

/// Writes an archive of logs, by libarchive.
enum LogPackArchive {
  static func write(_ plan: LogPackPlan, to target: String, _ format: ArchiveWriter.Format) throws(LogError) {
    let file: PartialFile
    do throws(FileError) { file = try PartialFile(beside: target) } catch { throw LogError(error) }
    do throws(ArchiveWriter.Failure) {
      let writer = try ArchiveWriter(format, into: file)
      try writer.add(LogPackManifest.name, .file(isExecutable: false), [plan.manifestBytes])
      for content in plan.contents { try writer.add(content.path, .file(isExecutable: false), content.pieces) }
      try writer.finish()
    } catch {
      throw LogError(.packFailed, ["path": target, "reason": error.reason], at: .file(target))
    }
    do throws(FileError) { try file.finish(mode: 0o600) } catch { throw LogError(error) }
  }
}
