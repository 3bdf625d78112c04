#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why a file could not be opened, read or written.
package struct FileError: Error, Sendable, Equatable {
  package enum Operation: String, Sendable { case open, read, write, map, create, rename, remove, list }
  package let operation: Operation
  package let path: String
  package let code: Errno

  package init(_ operation: Operation, _ path: String, _ code: Errno) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The error that the C library reported last.
  package static func last(_ operation: Operation, _ path: String) -> FileError {
    FileError(operation, path, Errno(rawValue: errno))
  }
}

extension FileError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let values = ["path": path, "reason": code.description]
    if path.hasPrefix(Directories.nowhere) { return Diagnostic("home-unknown", exit: .badConfiguration) }
    switch (operation, code) {
    case (.open, .noSuchFileOrDirectory), (.list, .noSuchFileOrDirectory), (.open, .notDirectory):
      return Diagnostic("file-missing", values, at: .file(path), exit: .inputMissing)
    case (_, .permissionDenied), (_, .notPermitted), (_, .readOnlyFileSystem):
      return Diagnostic("file-not-permitted", values, at: .file(path), exit: .notPermitted)
    case (_, .noSpace), (_, .diskQuotaExceeded):
      return Diagnostic("disk-full", values, at: .file(path), exit: .inputOutput)
    case (.create, _), (.rename, _):
      return Diagnostic("file-not-created", values, at: .file(path), exit: .cannotCreate)
    default:
      return Diagnostic("file-io", values, at: .file(path), exit: .inputOutput)
    }
  }
}

extension Bytes {
  /// Maps a file read-only; an empty file gives empty bytes.
  ///
  /// - Parameter sparsely: Whether little of it will be read: the system then brings in small pages only.
  /// - Throws: `FileError` naming the path: not there, not permitted, a directory.
  package static func mapping(_ path: String, sparsely: Bool = false) throws(FileError) -> Bytes {
    let file = try OpenFile(path)
    return try mapping(of: file.descriptor, path, sparsely: sparsely)
  }

  /// Maps what an open file has now; the file may be closed then.
  package static func mapping(
    of descriptor: Int32, _ path: String, sparsely: Bool = false
  ) throws(FileError) -> Bytes {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last(.read, path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(.open, path, .isDirectory) }
    guard status.st_mode & S_IFMT == S_IFREG else { return try reading(descriptor, path) }
    guard status.st_size > 0 else { return .empty }
    guard let size = Int(exactly: status.st_size) else { throw FileError(.map, path, .fileTooLarge) }
    if sparsely, let bytes = sparseMapping(descriptor, size) { return bytes }
    let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address, address != MAP_FAILED else { throw .last(.map, path) }
    return Bytes(
      owner: Mapping(address: address, size: size), buffer: UnsafeRawBufferPointer(start: address, count: size))
  }

  /// Maps a part of an open file, for whoever reads it once; the file may be closed then.
  ///
  /// - Returns: nil where the system cannot map it, or the part is empty.
  package static func mapping(_ range: Range<Int>, of descriptor: Int32) -> Bytes? {
    guard !range.isEmpty, range.lowerBound >= 0 else { return nil }
    let front = range.lowerBound % Int(getpagesize())
    let size = range.count + front
    let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, off_t(range.lowerBound - front))
    guard let address, address != MAP_FAILED else { return nil }
    return Bytes(
      owner: Mapping(address: address, size: size),
      buffer: UnsafeRawBufferPointer(start: address + front, count: range.count))
  }

  /// Maps a file where no huge page can begin: one of 2 MB for each address looked at would be far too much.
  private static func sparseMapping(_ descriptor: Int32, _ size: Int) -> Bytes? {
    #if os(Linux)
      let huge = 1 << 21
      let whole = size + 2 * huge
      guard size < Int.max - 2 * huge,
        let base = mmap(nil, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE), -1, 0),
        base != MAP_FAILED
      else { return nil }
      let owner = Mapping(address: base, size: whole)
      let aligned = (UInt(bitPattern: base) + UInt(huge) - 1) & ~UInt(huge - 1)
      let wanted = UnsafeMutableRawPointer(bitPattern: aligned + UInt(getpagesize()))
      let address = mmap(wanted, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0)
      guard let address, address != MAP_FAILED else { return nil }
      return Bytes(owner: owner, buffer: UnsafeRawBufferPointer(start: address, count: size))
    #else
      return nil
    #endif
  }

  /// Reads a file to its end, also one of the kernel's that has no size until it is read.
  ///
  /// - Parameter limit: Nothing more is read once so many bytes are there.
  /// - Throws: `FileError` naming the path.
  package static func reading(_ path: String, limit: Int = .max) throws(FileError) -> Bytes {
    let file = try OpenFile(path)
    return try reading(file.descriptor, path, limit: limit)
  }

  /// Reads a pipe, a device or a file without a size to its end.
  private static func reading(_ descriptor: Int32, _ path: String, limit: Int = .max) throws(FileError) -> Bytes {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while all.count < limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return Bytes(all) }
      if count > 0 {
        all += chunk[..<count]
      } else if errno != EINTR {
        throw .last(.read, path)
      }
    }
    return Bytes(all)
  }
}

extension Bytes {
  /// Says that the first `count` bytes will not be read soon; where they are mapped, their memory is given back.
  package func release(_ count: Int) {
    guard owner is Mapping, let start = buffer.baseAddress, count > 0 else { return }
    let page = UInt(getpagesize())
    let low = (UInt(bitPattern: start) + page - 1) & ~(page - 1)
    let high = UInt(bitPattern: start + min(count, buffer.count)) & ~(page - 1)
    guard high > low, let first = UnsafeMutableRawPointer(bitPattern: low) else { return }
    // Only pages of the file that were never written: they come again when they are read.
    madvise(first, Int(high - low), MADV_DONTNEED)
  }

  /// Memory of zeros that takes room only where it is written.
  ///
  /// - Returns: The bytes, and the same memory to write to; nil where the system has no such room.
  package static func reserving(_ size: Int) -> (bytes: Bytes, memory: UnsafeMutableRawBufferPointer)? {
    #if os(Linux)
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE)
    #else
      let flags = MAP_PRIVATE | MAP_ANON
    #endif
    guard size > 0, let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), address != MAP_FAILED else {
      return nil
    }
    let memory = UnsafeMutableRawBufferPointer(start: address, count: size)
    return (Bytes(owner: Mapping(address: address, size: size), buffer: UnsafeRawBufferPointer(memory)), memory)
  }
}

/// A mapped range, given back to the system when it is not used any more.
private final class Mapping {
  private let address: UnsafeMutableRawPointer
  private let size: Int

  init(address: UnsafeMutableRawPointer, size: Int) {
    self.address = address
    self.size = size
  }

  deinit {
    munmap(address, size)
  }
}
