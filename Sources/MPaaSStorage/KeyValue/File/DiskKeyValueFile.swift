import MPaaSSupport
import MPaaSTime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system's file of a store.
final class DiskKeyValueFile: KeyValueFile {
  private let file: OpenFile
  let live: LiveWords

  /// - Throws: `FileError`; its code is `invalidArgument` where the file is too short to have a header.
  init(_ file: consuming OpenFile) throws(FileError) {
    guard let status = file.status, status.size >= UInt64(KeyValueHeader.size) else {
      throw FileError(.map, file.name, .invalidArgument)
    }
    live = LiveWords(file.descriptor)
    self.file = file
  }

  func size() throws(FileError) -> UInt64 {
    guard let status = file.status else { throw .last(.read, file.name) }
    return status.size
  }

  func read(_ target: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int { file.fill(target, at: Int(offset)) }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) { try file.write(bytes, at: offset) }

  func resize(to size: UInt64) throws(FileError) { try file.resize(to: size) }

  func sync() throws(FileError) { try file.settleContent() }

  func lock(until deadline: MonotonicInstant) throws(FileError) -> Bool {
    var pause: UInt32 = 20
    while true {
      switch file.lock() {
      case .taken: return true
      case .impossible(let error): throw error
      case .busy:
        if MonotonicInstant.now >= deadline { return false }
        usleep(pause)
        pause = min(pause * 2, 2000)
      }
    }
  }

  func unlock() { file.unlock() }

  var hasName: Bool { file.hasName }

  func window(at offset: UInt64, size: Int) -> FileWindow? {
    let end = offset + UInt64(size)
    guard reserve(offset..<end), let status = file.status, status.size >= end else { return nil }
    return FileWindow(file.descriptor, offset..<end)
  }

  /// Has room on the disk for a range at the end, so that no write to memory can fail for want of it.
  private func reserve(_ range: Range<UInt64>) -> Bool {
    #if canImport(Darwin)
      guard let status = file.status else { return false }
      guard status.size < range.upperBound else { return true }
      var room = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(range.upperBound - status.size), fst_bytesalloc: 0)
      return fcntl(file.descriptor, F_PREALLOCATE, &room) == 0
        && ftruncate(file.descriptor, off_t(range.upperBound)) == 0
    #else
      return posix_fallocate(file.descriptor, off_t(range.lowerBound), off_t(range.count)) == 0
    #endif
  }
}
