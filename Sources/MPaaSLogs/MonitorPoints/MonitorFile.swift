import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file of lines that several processes append to at once; one of them changes first digits of lines.
///
/// `@unchecked Sendable`: the descriptor never changes, and `knownEnd` is used under the lock of its owner.
final class MonitorFile: @unchecked Sendable {
  let path: String
  private let descriptor: Int32
  /// Where the file ended when this process wrote to it last: what comes behind is another one's.
  private var knownEnd: Int64 = -1

  /// Opens a file to append to, and makes it where it is missing.
  init(appending path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last(.create, path) }
  }

  /// Opens a file to read, and to mark lines in.
  init(marking path: String) throws(FileError) {
    self.path = path
    // Without O_APPEND: Linux would write at the end whatever offset is asked for (pwrite(2), BUGS).
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.open, path) }
  }

  deinit { close(descriptor) }

  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether the path still leads to this file.
  var isInPlace: Bool {
    var mine = stat()
    var named = stat()
    return fstat(descriptor, &mine) == 0 && stat(path, &named) == 0 && mine.st_ino == named.st_ino
      && mine.st_dev == named.st_dev
  }

  /// Appends whole lines, or none of them.
  func append(_ bytes: [UInt8]) throws(FileError) {
    while flock(descriptor, LOCK_EX) != 0 { if errno != EINTR { throw .last(.write, path) } }
    defer { flock(descriptor, LOCK_UN) }
    var end = Int64(size)
    if end != knownEnd, end > 0 { end = try mended(end) }
    do throws(FileError) {
      try FileSystem.writeAll(descriptor, bytes, path)
    } catch {
      ftruncate(descriptor, off_t(end))
      throw error
    }
    knownEnd = end + Int64(bytes.count)
  }

  /// Takes away the beginning of a line whose writer was killed, which nobody was told to be safe.
  private func mended(_ end: Int64) throws(FileError) -> Int64 {
    var start = end
    var tail = read(at: Int(end) - 1, size: 1)
    guard tail != [0x0a] else { return end }
    while start > 0 {
      let size = min(Int(start), 4096)
      tail = read(at: Int(start) - size, size: size)
      if let newline = tail.lastIndex(of: 0x0a) {
        start += Int64(newline + 1 - size)
        break
      }
      start -= Int64(size)
    }
    guard ftruncate(descriptor, off_t(start)) == 0 else { throw .last(.write, path) }
    return start
  }

  /// The bytes from `offset`, at most `size`; fewer at the end of the file.
  func read(at offset: Int, size: Int) -> [UInt8] {
    guard offset >= 0, size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = pread(descriptor, buffer.baseAddress?.advanced(by: count), size - count, off_t(offset + count))
        if got == 0 || (got < 0 && errno != EINTR) { return }
        if got > 0 { count += got }
      }
    }
  }

  /// Sets the digit at the beginning of a line.
  func mark(at offset: Int, _ digit: UInt8) throws(FileError) {
    var digit = digit
    while pwrite(descriptor, &digit, 1, off_t(offset)) != 1 { if errno != EINTR { throw .last(.write, path) } }
  }

  /// Returns when what was written survives loss of power.
  func settle() throws(FileError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last(.write, path) }
  }
}
