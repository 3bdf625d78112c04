package import MPaaSArchive
package import MPaaSLogs
import MPaaSSupport

/// Logs of a window of time in one archive: blocks as they are, still encrypted, and a manifest with digests.
package enum LogPack {
  package typealias Format = ArchiveWriter.Format

  /// Packs what a request asks for; the archive appears at `target` when it is whole.
  ///
  /// - Parameters:
  ///   - created: Nanoseconds since 1970, by the caller's clock.
  ///   - allowsNothing: Whether an archive without files is made too, rather than `log-pack-empty`.
  /// - Throws: `LogError` `log-pack-empty`, `log-pack-failed`, and those of files.
  @discardableResult
  package static func pack(
    _ request: LogPackRequest, to target: String, format: Format = .zip, created: Int64, allowsNothing: Bool = false
  ) throws(LogError) -> LogPackManifest {
    let plan = try LogPackPlan(request, created: created)
    guard allowsNothing || !plan.manifest.entries.isEmpty else {
      throw LogError(.packEmpty, ["count": String(plan.manifest.leftOut.count)])
    }
    try LogPackArchive.write(plan, to: target, format)
    return plan.manifest
  }
}
