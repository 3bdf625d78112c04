package import MPaaSSupport

/// A property list with another value, on its way to a file.
package struct PropertyListUpdate: Sendable {
  package let old: PropertyListFile
  package let new: PropertyListFile
  /// The file that is written; `-` is standard output.
  package let target: String
  private let isInPlace: Bool

  /// Changes a property list; nothing is written yet.
  ///
  /// - Parameters:
  ///   - path: The file that it was read from, `-` for standard input.
  ///   - output: The file that it goes to; nil for the one that it was read from.
  ///   - change: Makes the new root.
  /// - Throws: Errors of `change`; `plist-edit`.
  package init(
    _ old: PropertyListFile, at path: String, output: String?,
    change: (PropertyListFile) throws -> PropertyListValue
  ) throws {
    self.old = old
    new = try old.revised(to: try change(old))
    target = output ?? path
    isInPlace = target == path
  }

  package var isChanged: Bool { old.bytes != new.bytes }

  /// Writes the new bytes: into a file where they differ from what it has, else wherever they are to go.
  ///
  /// - Parameter output: Takes the bytes that go to standard output.
  package func write(by files: FileClient = .live, output: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
    if target == "-" {
      new.bytes.withUnsafeBytes(output)
    } else if isChanged || !isInPlace {
      try files.replace(target, with: new.bytes)
    }
  }
}
