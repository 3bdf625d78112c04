import MPaaSSupport

/// A file of lines that several processes append to at once; one of them changes first digits of lines.
///
/// `@unchecked Sendable`: `knownEnd` is used under the lock of its owner.
final class MonitorFile: @unchecked Sendable {
  private let file: OpenFile
  /// The end of the file after this process's last write: what comes behind is another one's.
  private var knownEnd: Int64 = -1

  /// Opens a file to append to, and makes it where it is missing.
  init(appending path: String) throws(FileError) {
    file = try OpenFile(path, .appending(0o600))
  }

  /// Opens a file to read, and to mark lines in.
  init(marking path: String) throws(FileError) {
    // Not for appending: Linux would write at the end whatever offset is asked for (pwrite(2), BUGS).
    file = try OpenFile(path, .writing)
  }

  var path: String { file.path }
  var size: Int { Int(file.status?.size ?? 0) }

  /// Tells whether the path still leads to this file.
  var isInPlace: Bool {
    file.status.map { $0.identity == FileStatus(path)?.identity } ?? false
  }

  /// Appends whole lines, or none of them.
  func append(_ bytes: [UInt8]) throws(FileError) {
    if case .impossible(let error) = file.lock(waits: true) { throw FileError(.write, path, error.code) }
    defer { file.unlock() }
    var end = Int64(size)
    if end != knownEnd, end > 0 { end = try mended(end) }
    do throws(FileError) {
      try file.append(bytes)
    } catch {
      try? file.resize(to: UInt64(end))
      throw error
    }
    knownEnd = end + Int64(bytes.count)
  }

  /// Takes away the beginning of a line whose writer was killed, which was never said to be safe.
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
    try file.resize(to: UInt64(start))
    return start
  }

  /// The bytes from `offset`, at most `size`; fewer at the end of the file.
  func read(at offset: Int, size: Int) -> [UInt8] {
    guard offset >= 0, size > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = file.fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  /// Sets the digit at the beginning of a line.
  func mark(at offset: Int, _ digit: UInt8) throws(FileError) {
    try file.write([digit], at: UInt64(offset))
  }

  /// Returns when what was written survives loss of power.
  func settle() throws(FileError) {
    try file.settle()
  }
}
