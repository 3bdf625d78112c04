extension ModuleArchiveLimits {
  /// The limits by which no more comes out of an archive than a registry says.
  package init(of archive: ModuleArchiveFile) {
    self.init()
    files = min(files, max(archive.fileCount, 0))
    bytes = archive.unpackedSize
    ratio = nil
  }
}
