package import MPaaSSupport

extension Sequence<LanguageFileChange> {
  /// Writes the files that have changed, into folders that are made.
  package func write(by files: FileClient = .live) throws(FileError) {
    for change in self where change.isChanged {
      try files.makeFolder(FileSystem.folder(of: change.path))
      try files.write(change.new, to: change.path)
    }
  }
}
