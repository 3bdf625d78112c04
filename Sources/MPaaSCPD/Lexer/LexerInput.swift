import MPaaSSupport

/// The bytes of a source in memory that ends in zeros, used again for one source after another.
struct LexerInput: ~Copyable {
  /// Zeros behind the bytes, so that lexers look ahead without asking for the end.
  static let padding = 16

  private(set) var memory: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init() {
    capacity = 1 << 16
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: Self.padding)
  }

  init(_ bytes: some Collection<UInt8>) {
    self.init()
    reserve(bytes.count)
    for (index, byte) in bytes.enumerated() { memory[index] = byte }
    finish(bytes.count)
  }

  deinit { memory.deallocate() }

  /// Puts the bytes of a file in the place of those before.
  ///
  /// - Returns: False where the file is larger than `limit`.
  mutating func load(_ path: String, limit: Int) throws(FileError) -> Bool {
    let file = try OpenFile(path)
    guard let status = FileStatus(of: file.descriptor) else { throw FileError(.read, path, .ioError) }
    guard status.kind == .file, let size = Int(exactly: status.size), size <= limit else { return false }
    reserve(size)
    finish(file.fill(UnsafeMutableRawBufferPointer(start: memory, count: size), at: 0))
    return true
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  private mutating func reserve(_ size: Int) {
    guard size + Self.padding > capacity else { return }
    memory.deallocate()
    capacity = size + size / 4 + Self.padding
    memory = .allocate(capacity: capacity)
  }

  private mutating func finish(_ size: Int) {
    count = size
    (memory + size).initialize(repeating: 0, count: Self.padding)
  }
}
