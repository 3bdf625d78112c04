package import MPaaSSupport
package import MPaaSTime

/// An open file that a store keeps its log in: the system's, or a test's that loses what was not synced.
package protocol KeyValueFile: AnyObject, Sendable {
  /// Words that all processes see that have the file open; they outlive none of them.
  var live: LiveWords { get }
  func size() throws(FileError) -> UInt64
  /// Reads until the target is full or the file ends, and says how much came.
  func read(_ target: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError)
  func resize(to size: UInt64) throws(FileError)
  func sync() throws(FileError)
  /// Takes the lock of writers, and waits for it until `deadline`.
  func lock(until deadline: MonotonicInstant) throws(FileError) -> Bool
  func unlock()
  /// True while the path leads to this file.
  var hasName: Bool { get }
  /// Memory that is the file's bytes from `offset` on, with room on the disk; nil where files are only written.
  func window(at offset: UInt64, size: Int) -> FileWindow?
}

/// The folder that a store's file lies in: how it is opened, and how another takes its place.
package struct KeyValueFolder: Sendable {
  /// Opens the file, or makes it where `makes` says so; nil where it is missing.
  package let open: @Sendable (_ path: String, _ opening: KeyValueOpening) throws(FileError) -> (any KeyValueFile)?
  /// Makes a file beside the path that has no name of its own yet.
  package let make: @Sendable (_ beside: String) throws(FileError) -> NewKeyValueFile

  package init(
    open: @escaping @Sendable (_ path: String, _ opening: KeyValueOpening) throws(FileError) -> (any KeyValueFile)?,
    make: @escaping @Sendable (_ beside: String) throws(FileError) -> NewKeyValueFile
  ) {
    self.open = open
    self.make = make
  }
}

/// The ways in which a store opens its file.
package enum KeyValueOpening: Sendable { case reading, writing, making }

/// A file that is to take the place of another.
package struct NewKeyValueFile {
  package let file: any KeyValueFile
  /// Gives it its name and has that on the disk.
  package let place: () throws(FileError) -> Void
  /// Removes it.
  package let discard: () -> Void

  package init(
    file: any KeyValueFile, place: @escaping () throws(FileError) -> Void, discard: @escaping () -> Void
  ) {
    self.file = file
    self.place = place
    self.discard = discard
  }
}
