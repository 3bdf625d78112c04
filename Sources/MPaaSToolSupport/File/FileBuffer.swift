import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that many small files are read into, one after another.
///
/// Mapping costs more than reading where files are small and many: page faults, and changes of the address space that
/// threads wait for.
package struct FileBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer

  package init(capacity: Int = 1 << 16) {
    memory = .allocate(byteCount: max(capacity, 1), alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// Reads a file whole and hands over its bytes, which are valid only inside `body`.
  ///
  /// - Throws: `FileError` naming the path; one of more than `limit` bytes is too large.
  package mutating func withFile<Value>(
    _ path: String, limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    let count = try fill(path, limit: limit)
    return try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Reads a file from the start of the memory, and says how many bytes it has.
  private mutating func fill(_ path: String, limit: Int) throws(FileError) -> Int {
    let file = try OpenFile(path)
    var count = 0
    while true {
      if count == memory.count { grow() }
      let taken = read(file.descriptor, memory.baseAddress.map { $0 + count }, memory.count - count)
      if taken == 0 { return count }
      guard taken > 0 else {
        guard errno == EINTR else { throw FileError.last(.read, path) }
        continue
      }
      count += taken
      guard count <= limit else { throw FileError(.read, path, .fileTooLarge) }
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(memory))
    memory.deallocate()
    memory = larger
  }
}
