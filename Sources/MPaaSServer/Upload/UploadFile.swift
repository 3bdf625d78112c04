import Crypto
import MPaaSSupport
import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes of an unfinished upload in a file, with the SHA-256 of them all and the checksum of the present request.
///
/// Whoever holds the upload's claim uses it, one call after another; its functions block.
final class UploadFile: @unchecked Sendable {
  /// The digest of the first so many bytes.
  struct Hashed: Sendable {
    var count: Int64 = 0
    var hash = SHA256()
  }

  let path: String
  private let descriptor: Int32
  /// Where the next byte goes.
  private(set) var offset: Int64
  private(set) var hashed: Hashed
  var checksum: UploadChecksum?

  /// Opens the file, makes it where it is missing, and takes away what is behind `offset`.
  ///
  /// - Throws: `FileError`; `server-upload-lost` where bytes are missing.
  init(_ path: String, offset: Int64, hashed: Hashed?) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileError.last(.create, path) }
    self.path = path
    self.offset = offset
    // Digests of more than is there now are of a piece that was taken back.
    self.hashed = hashed.flatMap { $0.count <= offset ? $0 : nil } ?? Hashed()
    // All is set: `deinit` closes the file where this throws.
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= offset else { throw Refusal(.uploadLost) }
    if size > offset { try truncate(to: offset) }
  }

  deinit { close(descriptor) }

  /// Writes pieces behind what is there.
  ///
  /// - Throws: `FileError`; the bytes of whole writes before it stay.
  func append(_ pieces: [ByteBuffer]) throws {
    for piece in pieces {
      try piece.withUnsafeReadableBytes { bytes in
        try write(bytes)
        checksum?.update(bytes)
        if hashed.count == offset {
          hashed.hash.update(bufferPointer: bytes)
          hashed.count += Int64(bytes.count)
        }
        offset += Int64(bytes.count)
      }
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      if count > 0 { done += count } else if errno != EINTR { throw FileError.last(.write, path) }
    }
  }

  /// Takes away what is behind `size`.
  func truncate(to size: Int64) throws {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileError.last(.write, path) }
    offset = size
    if hashed.count > size { hashed = Hashed() }
  }

  /// Has all bytes on the disk.
  func settle() throws {
    #if canImport(Darwin)
      let status = fsync(descriptor)
    #else
      let status = fdatasync(descriptor)
    #endif
    guard status == 0 || errno == EINVAL else { throw FileError.last(.write, path) }
  }

  /// The SHA-256 of all bytes; those that no earlier call saw are read again.
  func digest() throws -> String {
    try readAgain(from: hashed.count) { bytes in
      hashed.hash.update(bufferPointer: bytes)
      hashed.count += Int64(bytes.count)
    }
    return hashed.hash.finalize().hexadecimal
  }

  /// The checksum of the bytes behind `start`, which are read again.
  func checksum(_ algorithm: String, from start: Int64) throws -> [UInt8]? {
    guard var checksum = UploadChecksum(algorithm) else { return nil }
    try readAgain(from: start) { checksum.update($0) }
    return checksum.digest
  }

  /// Hands over the bytes behind `start`, piece by piece.
  private func readAgain(from start: Int64, _ take: (UnsafeRawBufferPointer) -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: start == offset ? 0 : 1 << 20)
    var place = start
    while place < offset {
      let count = pread(descriptor, &buffer, Int(min(Int64(buffer.count), offset - place)), off_t(place))
      guard count > 0 else { throw FileError.last(.read, path) }
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      place += Int64(count)
    }
  }

  /// Appends all of another file.
  func append(contentsOf path: String) throws {
    let other = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard other >= 0 else { throw FileError.last(.open, path) }
    defer { close(other) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(other, &buffer, buffer.count)
      guard count >= 0 else { throw FileError.last(.read, path) }
      if count == 0 { return }
      try append([ByteBuffer(bytes: buffer.prefix(count))])
    }
  }
}
