import MPaaSLogs

/// The limits for the content of a pack, so that a small file cannot fill the disk or take hours.
package struct LogPackLimits: Sendable {
  /// The bytes that all files together may have at least.
  package var total: UInt64 = 2 << 30
  /// More is allowed where the archive is large: so many times its own size.
  package var ratio: UInt64 = 64
  package var entries = 100_000
  /// The bytes of `manifest.json`.
  package var manifest = 16 << 20
  /// The bytes of a name.
  package var path = 4096

  package init() {}

  func budget(archiveSize: Int) -> UInt64 {
    let (scaled, overflow) = UInt64(archiveSize).multipliedReportingOverflow(by: ratio)
    return max(total, overflow ? .max : scaled)
  }
}
