import Crypto
import MPaaSSupport
import Synchronization
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one state of a file from another: the file itself, its size and when it was changed.
struct FileMark: Sendable, Equatable {
  let size: UInt64
  let text: String

  /// nil where no file stands at the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = UInt64(max(status.st_size, 0))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    text = "\(status.st_ino).\(size).\(time.tv_sec).\(time.tv_nsec)"
  }
}

/// The SHA-256 of a file, computed from what passes by while it is sent.
final class FileDigest: Sendable {
  private struct State {
    var hash = SHA256()
    var position: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Takes bytes that stand at `offset`; what came before is passed over, and what leaves a gap too.
  func take(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
    state.withLock { state in
      guard offset <= state.position, offset + UInt64(bytes.count) > state.position else { return }
      let fresh = UnsafeRawBufferPointer(rebasing: bytes[Int(state.position - offset)...])
      state.hash.update(bufferPointer: fresh)
      state.position += UInt64(fresh.count)
    }
  }

  /// Reads the file from where it is up to `end`; nothing where that is done.
  func advance(_ path: String, to end: UInt64, isCancelled: () -> Bool = { false }) throws(FileError) {
    var position = state.withLock { $0.position }
    guard position < end else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.open, path) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while position < end, !isCancelled() {
      let count = pread(descriptor, buffer.baseAddress, Int(min(UInt64(buffer.count), end - position)), off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw count < 0 ? .last(.read, path) : FileError(.read, path, .ioError) }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
      position += UInt64(count)
    }
  }

  /// Bytes that are in it.
  var position: UInt64 { state.withLock { $0.position } }

  /// The digest of what is in it.
  var bytes: [UInt8] { state.withLock { Array($0.hash.finalize()) } }
  var hexadecimal: String { bytes.hexadecimal }

  /// Of a whole file.
  static func of(_ path: String, isCancelled: () -> Bool = { false }) throws(FileError) -> FileDigest {
    let digest = FileDigest()
    try digest.advance(path, to: FileMark(path)?.size ?? 0, isCancelled: isCancelled)
    return digest
  }
}

extension Sequence<UInt8> {
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
