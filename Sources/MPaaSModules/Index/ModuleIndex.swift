/// All versions of one module that a registry offers: the contents of `sdk/NAME/index.json`.
package struct ModuleIndex: Sendable, Equatable {
  package var name: String
  package var summary: LocalizedText
  /// Newest first.
  package var releases: [ModuleRelease]

  package init(name: String, summary: LocalizedText = LocalizedText(), releases: [ModuleRelease] = []) {
    self.name = name
    self.summary = summary
    self.releases = releases
  }

  package func release(_ version: ModuleVersion) -> ModuleRelease? { releases.first { $0.version == version } }

  /// The newest release that is neither withdrawn nor a pre-release; where there are none but such, the newest.
  package var newest: ModuleRelease? {
    releases.first { $0.yanked == nil && !$0.version.isPrerelease } ?? releases.first { $0.yanked == nil }
      ?? releases.first
  }
}

/// One version of a module as a registry offers it.
package struct ModuleRelease: Sendable, Equatable {
  package var manifest: ModuleManifest
  package var archive: ModuleArchiveFile
  /// Seconds since 1970.
  package var released: Int64
  /// The reason against using it, empty where the publisher gave no reason; nil where nothing is wrong.
  ///
  /// Projects that have it in their lock may go on using it.
  package var yanked: String?

  package var version: ModuleVersion { manifest.version }

  package init(manifest: ModuleManifest, archive: ModuleArchiveFile, released: Int64, yanked: String? = nil) {
    self.manifest = manifest
    self.archive = archive
    self.released = released
    self.yanked = yanked
  }
}

/// The archive of a release.
package struct ModuleArchiveFile: Sendable, Hashable {
  /// Its name beside the index: `APLog-3.0.2.tar.zst`.
  package var name: String
  /// Bytes.
  package var size: UInt64
  /// 64 lower-case hexadecimal digits.
  package var sha256: String
  /// Bytes of all files that come out of it.
  package var unpackedSize: UInt64
  /// The number of files that come out of it.
  package var fileCount: Int

  package init(name: String, size: UInt64, sha256: String, unpackedSize: UInt64, fileCount: Int) {
    self.name = name
    self.size = size
    self.sha256 = sha256
    self.unpackedSize = unpackedSize
    self.fileCount = fileCount
  }
}
