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
/// Reading into a small buffer that is used again counts for less memory than a mapping, and a file that is cut short
/// meanwhile ends no process. Only parts that a search looks through once are mapped, one by one.
final class ReadFile: Sendable {
  private enum Source: ~Copyable, Sendable {
    case file(OpenFile)
    case bytes(Bytes)
    /// A part of a file without a name.
    case part(UnnamedFile, Range<Int>)
  }

  let path: String
  private let source: Source
  /// Seconds since 1970.
  let modified: Int64

  init(_ path: String) throws(FileError) {
    self.path = path
    let file = try OpenFile(path)
    #if os(Linux)
      posix_fadvise(file.descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    #endif
    source = .file(file)
    modified = FileStatus(path)?.modified ?? 0
  }

  init(_ bytes: Bytes, path: String, modified: Int64) {
    self.path = path
    self.modified = modified
    source = .bytes(bytes)
  }

  /// The lines in a range of a file that others are in too.
  init(_ range: Range<Int>, of file: UnnamedFile, path: String, modified: Int64) {
    self.path = path
    self.modified = modified
    source = .part(file, range)
  }

  /// The file itself, whatever name it has: device and number on it; nil for bytes at hand.
  var identity: [UInt64]? {
    switch source {
    case .file(let file): file.status?.identity
    default: nil
    }
  }

  var bytes: Bytes? {
    switch source {
    case .bytes(let bytes): bytes
    default: nil
    }
  }

  /// The present size.
  var size: Int {
    switch source {
    case .file(let file): Int(clamping: file.status?.size ?? 0)
    case .bytes(let bytes): bytes.count
    case .part(_, let range): range.count
    }
  }

  /// Reads from `offset` until `target` is full or the file ends, and says how much came.
  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    switch source {
    case .file(let file): return file.fill(target, at: offset)
    case .bytes(let bytes):
      guard offset < bytes.count else { return 0 }
      let part = bytes.buffer[offset..<min(bytes.count, offset + target.count)]
      target.copyBytes(from: part)
      return part.count
    case .part(let file, let range):
      let wanted = min(target.count, range.count - offset)
      guard wanted > 0 else { return 0 }
      return file.read(UnsafeMutableRawBufferPointer(rebasing: target[..<wanted]), at: range.lowerBound + offset)
    }
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
    switch source {
    case .file(let file): return ShortenedFiles.areReadAsZeros ? Bytes.mapping(range, of: file.descriptor) : nil
    case .bytes(let bytes): return bytes.slice(at: UInt64(range.lowerBound), size: UInt64(range.count))
    case .part(let file, let part):
      return file.mapping(part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound)
    }
  }

  /// All of it, mapped where it is a file.
  func whole() throws(FileError) -> Bytes {
    switch source {
    case .file: return try Bytes.mapping(path)
    case .bytes(let bytes): return bytes
    case .part(let file, let range):
      return try file.mapping()[checked: UInt64(range.lowerBound)..<UInt64(range.upperBound)] ?? .empty
    }
  }
}
