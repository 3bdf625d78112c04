extension ModuleArchiveLimits {
  /// What a registry says that comes out of an archive, and no more.
  package init(of archive: ModuleArchiveFile) {
    self.init()
    files = min(files, max(archive.fileCount, 0))
    bytes = archive.unpackedSize
    ratio = nil
  }
}
