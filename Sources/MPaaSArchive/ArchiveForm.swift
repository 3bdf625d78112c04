/// A kind of archive by the bytes that it begins with.
package enum ArchiveForm: Sendable {
  case zip
  case tar
  /// gzip, bzip2, xz or zstd around a tar or a single file.
  case compressed
  case sevenZip

  private static let signatures: [(form: Self, bytes: [UInt8])] = [
    (.zip, [0x50, 0x4b, 0x03, 0x04]), (.zip, [0x50, 0x4b, 0x05, 0x06]), (.compressed, [0x1f, 0x8b, 0x08]),
    (.compressed, [0x42, 0x5a, 0x68]), (.compressed, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
    (.compressed, [0x28, 0xb5, 0x2f, 0xfd]), (.sevenZip, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  ]
  /// The number of bytes from a file's start that `init` looks at.
  package static let headSize = 512

  /// - Returns: nil where bytes begin as no archive and no compressed file does.
  package init?(_ head: UnsafeRawBufferPointer) {
    let known = Self.signatures.first { head.starts(with: $0.bytes) }?.form
    // A tar begins with the name of a file, which may be any of the others' signatures that are characters.
    let isTar = known != .zip && head.count > 262 && head[257..<262].elementsEqual("ustar".utf8)
    guard let form = isTar ? .tar : known else { return nil }
    self = form
  }
}
