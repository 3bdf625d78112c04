/// The limits of one archive's content, so that a small file fills neither the disk nor the memory.
package struct ModuleArchiveLimits: Sendable, Equatable {
  /// Regular files.
  package var files = 100_000
  /// Files, links and folders, also such as are only parts of paths.
  package var entries = 200_000
  package var links = 10_000
  /// Bytes of all files.
  package var bytes: UInt64 = 16 << 30
  /// The factor by which an archive's content may exceed its size, where that is more than 64 MiB; nil where `bytes`
  /// alone counts.
  package var ratio: UInt64? = 200
  /// The depth of folders, with the file in them.
  package var depth = 32
  /// Bytes of a path, also of where a link leads: what macOS allows (1,024) less the place that a project gives it.
  package var path = 700
  /// Bytes of one part of a path.
  package var name = 255

  package init() {}

  /// Bytes that may come out of an archive of `size` bytes.
  func budget(archiveSize size: Int) -> UInt64 {
    guard let ratio else { return bytes }
    let (scaled, overflow) = UInt64(size).multipliedReportingOverflow(by: ratio)
    return min(bytes, max(overflow ? .max : scaled, 64 << 20))
  }
}
