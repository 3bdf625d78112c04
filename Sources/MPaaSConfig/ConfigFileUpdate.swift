package import MPaaSSupport

/// A file and what an edit makes of it.
package struct ConfigFileUpdate: Sendable {
  package let file: String
  package let old: [UInt8]
  package let new: [UInt8]

  package init(_ file: String, old: [UInt8], new: [UInt8]) {
    self.file = file
    self.old = old
    self.new = new
  }

  package var isChanged: Bool { old != new }

  /// Writes the new bytes where they differ from the old ones.
  ///
  /// - Throws: `FileError`; nothing is changed then.
  package func write(by files: FileClient = .live) throws(FileError) {
    if isChanged { try files.replace(file, with: new) }
  }
}
