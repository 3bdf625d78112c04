import MPaaSDigests
import MPaaSSupport
import NIOCore

/// The bytes of an unfinished upload in a file, with the SHA-256 of them all and the checksum of the present request.
///
/// Only the holder of the upload's claim uses it, one call after another; its functions block.
final class UploadFile: @unchecked Sendable {
  private let file: OpenFile
  /// The offset of the next byte.
  private(set) var offset: Int64
  /// The digest of the first bytes, as many as it has seen.
  private(set) var hashed: RunningDigest
  var checksum: UploadChecksum?

  /// Opens the file, makes it where it is missing, and takes away what is behind `offset`.
  ///
  /// - Throws: `FileError`; `server-upload-lost` where bytes are missing.
  init(_ path: String, offset: Int64, hashed: RunningDigest?) throws {
    file = try OpenFile(path, .making(0o600), followsLinks: false)
    self.offset = offset
    // Digests of more than is there now are of a piece that was taken back.
    self.hashed = hashed.flatMap { $0.count <= UInt64(offset) ? $0 : nil } ?? RunningDigest()
    let size = Int64(clamping: file.status?.size ?? 0)
    guard size >= offset else { throw Refusal(.uploadLost) }
    if size > offset { try truncate(to: offset) }
  }

  var path: String { file.path }

  /// Writes pieces behind what is there.
  ///
  /// - Throws: `FileError`; the bytes of whole writes before it stay.
  func append(_ pieces: [ByteBuffer]) throws {
    for piece in pieces {
      try piece.withUnsafeReadableBytes { bytes in
        try file.write(bytes, at: UInt64(offset))
        checksum?.update(bytes)
        if hashed.count == UInt64(offset) { hashed.update(bytes) }
        offset += Int64(bytes.count)
      }
    }
  }

  /// Takes away what is behind `size`.
  func truncate(to size: Int64) throws {
    try file.resize(to: UInt64(size))
    offset = size
    if hashed.count > UInt64(size) { hashed = RunningDigest() }
  }

  /// Has all bytes on the disk.
  func settle() throws { try file.settleContent() }

  /// The SHA-256 of all bytes; those that no earlier call saw are read again.
  func digest() throws -> String {
    try file.pass(hashed.count..<UInt64(offset)) { hashed.update($0) }
    return hashed.value.hexadecimal
  }

  /// The checksum of the bytes behind `start`, which are read again.
  func checksum(_ algorithm: String, from start: Int64) throws -> [UInt8]? {
    guard var checksum = UploadChecksum(algorithm) else { return nil }
    try file.pass(UInt64(min(start, offset))..<UInt64(offset)) { checksum.update($0) }
    return checksum.digest
  }

  /// Appends all of another file.
  func append(contentsOf path: String) throws {
    let other = try OpenFile(path, followsLinks: false)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var place: UInt64 = 0
    while true {
      let count = try other.read(buffer, at: place)
      if count == 0 { return }
      try append([ByteBuffer(bytes: buffer.prefix(count))])
      place += UInt64(count)
    }
  }
}
