import MPaaSLogs
import MPaaSSupport
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file that is read at any place, by any thread; or bytes at hand.
///
/// What is read into a small memory that is used again counts for less memory than what is mapped, and a file that is cut
/// short meanwhile ends no process. Only what a search looks through once is mapped, part by part.
final class ReadFile: Sendable {
  let path: String
  private let descriptor: Int32
  let bytes: Bytes?
  /// Where it is a part of a file without a name.
  private let part: (file: UnnamedFile, range: Range<Int>)?
  /// Seconds since 1970.
  let modified: Int64

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.open, path) }
    bytes = nil
    part = nil
    modified = FileStatus(path)?.modified ?? 0
    #if os(Linux)
      posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    #endif
  }

  init(_ bytes: Bytes, path: String, modified: Int64) {
    self.path = path
    self.bytes = bytes
    self.modified = modified
    part = nil
    descriptor = -1
  }

  /// What stands in a range of a file that others are in too.
  init(_ range: Range<Int>, of file: UnnamedFile, path: String, modified: Int64) {
    self.path = path
    self.modified = modified
    bytes = nil
    part = (file, range)
    descriptor = -1
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The file itself, whatever name it has: device and number on it; nil for bytes at hand.
  var identity: [UInt64]? { descriptor >= 0 ? FileStatus(of: descriptor)?.identity : nil }

  /// How long it is now.
  var size: Int {
    if let bytes { return bytes.count }
    if let part { return part.range.count }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    return Int(status.st_size)
  }

  /// Reads from `offset` until `target` is full or the file ends, and says how much came.
  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    if let bytes {
      guard offset < bytes.count else { return 0 }
      let part = bytes.buffer[offset..<min(bytes.count, offset + target.count)]
      target.copyBytes(from: part)
      return part.count
    }
    if let part {
      let wanted = min(target.count, part.range.count - offset)
      guard wanted > 0 else { return 0 }
      return part.file.read(
        UnsafeMutableRawBufferPointer(rebasing: target[..<wanted]), at: part.range.lowerBound + offset)
    }
    return FileSystem.readAll(descriptor, target, at: offset)
  }

  /// Bytes of a range, as far as the file has them.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = read(UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
    }
  }

  /// A part to be looked through once, without a copy of it; nil where there is none to be had.
  ///
  /// A file that is cut short reads as zeros then, which its size tells afterwards.
  func mapped(_ range: Range<Int>) -> Bytes? {
    guard range.lowerBound >= 0, range.upperBound <= size else { return nil }
    if let bytes { return bytes.slice(at: UInt64(range.lowerBound), size: UInt64(range.count)) }
    if let part {
      let start = part.range.lowerBound
      return part.file.mapping(start + range.lowerBound..<start + range.upperBound)
    }
    return ShortenedFiles.areReadAsZeros ? Bytes.mapping(range, of: descriptor) : nil
  }

  /// All of it, mapped where it is a file.
  func whole() throws(FileError) -> Bytes {
    if let bytes { return bytes }
    guard let part else { return try Bytes.mapping(path) }
    let (low, high) = (UInt64(part.range.lowerBound), UInt64(part.range.upperBound))
    return try part.file.mapping()[checked: low..<high] ?? .empty
  }
}
