package import MPaaSSupport

/// Property lists on their way into another format.
package struct PropertyListConversion: Sendable {
  /// A file that was written.
  package struct Converted: Sendable, Equatable {
    package let file: String
    /// The format before.
    package let from: PropertyListFormat
    package let bytesBefore: Int
    package let bytes: Int
  }

  private let format: PropertyListFormat
  private let isTagged: Bool
  private let isInPlace: Bool
  private let output: String?
  private let files: FileClient

  /// - Parameters:
  ///   - isTagged: Marks in JSON the types that it lacks.
  ///   - isInPlace: Replaces each file; what came from standard input goes to `output` all the same.
  ///   - output: The file that a list goes to; nil or `-` for standard output.
  package init(
    to format: PropertyListFormat, isTagged: Bool, isInPlace: Bool, output: String?, files: FileClient = .live
  ) {
    self.format = format
    self.isTagged = isTagged
    self.isInPlace = isInPlace
    self.output = output
    self.files = files
  }

  /// Converts a list.
  ///
  /// - Parameters:
  ///   - path: The file that it was read from, `-` for standard input.
  ///   - output: Takes the bytes that go to standard output.
  /// - Returns: The file that was written; nil where the bytes went to standard output.
  /// - Throws: `plist-inexpressible`, `FileError`.
  package func convert(
    _ list: PropertyListFile, at path: String, output put: (UnsafeRawBufferPointer) -> Void
  ) throws -> Converted? {
    let bytes = try PropertyListFile.bytes(of: list.root, as: format, isTagged: isTagged, file: list.file)
    let target = isInPlace && path != "-" ? path : output ?? "-"
    guard target != "-" else {
      bytes.withUnsafeBytes(put)
      return nil
    }
    try files.replace(target, with: bytes)
    return Converted(file: target, from: list.format, bytesBefore: list.bytes.count, bytes: bytes.count)
  }
}
