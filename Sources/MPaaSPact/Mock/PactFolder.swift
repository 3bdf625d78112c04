package import MPaaSSupport

/// A folder of contracts, one file for each pair of a consumer and a provider.
package struct PactFolder: Sendable {
  package let path: String
  /// The most bytes of a file that is added to.
  package static let largest = 64 << 20

  package init(_ path: String) {
    self.path = path
  }

  /// Makes the folder where it is missing.
  ///
  /// - Throws: `FileError` where that is impossible, and where something else has its name.
  package func make() throws(FileError) {
    try Directories.create(path)
    _ = try LockFile(path, .folder)
  }

  /// Adds the interactions of a contract to the file of its parties, or makes that file.
  ///
  /// Others that add at the same time wait for one another.
  ///
  /// - Returns: The path of the file.
  /// - Throws: `PactError` where an interaction is there already and differs, or the file is no contract; `FileError`
  ///   where it cannot be written. The file is as it was then.
  package func add(_ pact: Pact) throws -> String {
    let file = "\(path)/\(pact.fileName)"
    let lock = try LockFile(path, .folder)
    if case .impossible(let error) = lock.wait() { throw error }
    return try withExtendedLifetime(lock) {
      var made = pact
      if FileStatus(file) != nil {
        let bytes = try Bytes.reading(file, limit: Self.largest).array
        made = try Pact(reading: bytes, file: file).merged(with: pact)
      }
      try Bytes(Array(made.text().utf8)).write(to: file)
      return file
    }
  }
}
