import MPaaSSupport

/// An array that is filled once and then only read; large ones take room only where they are written.
final class WritableArray<Value: BitwiseCopyable> {
  let pointer: UnsafeMutablePointer<Value>
  let capacity: Int
  private(set) var count: Int
  private let memory: Bytes

  /// Room for `capacity` values, none of them there yet.
  convenience init(capacity: Int) {
    self.init(capacity, count: 0)
  }

  /// As many values whose bytes are all zero.
  convenience init(zeros count: Int) {
    self.init(count, count: count)
  }

  private init(_ capacity: Int, count: Int) {
    self.capacity = capacity
    self.count = count
    let size = capacity * MemoryLayout<Value>.stride
    if size > 1 << 16, let (bytes, memory) = Bytes.reserving(size), let base = memory.baseAddress {
      self.memory = bytes
      pointer = base.assumingMemoryBound(to: Value.self)
      return
    }
    var base: UnsafeMutableRawPointer?
    memory = Bytes(capacity: max(size, 16)) { buffer in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      base = buffer.baseAddress
      return buffer.count
    }
    pointer = (base ?? UnsafeMutableRawPointer(bitPattern: 16) ?? .allocate(byteCount: 16, alignment: 16))
      .assumingMemoryBound(to: Value.self)
  }

  @inline(__always) func append(_ value: Value) {
    precondition(count < capacity)
    pointer[count] = value
    count += 1
  }

  /// The filled bytes, sharing the memory.
  var bytes: Bytes { memory.slice(at: 0, size: UInt64(count * MemoryLayout<Value>.stride)) ?? .empty }
}

extension Bytes {
  /// Copies an array's memory.
  init<Value: BitwiseCopyable>(copying values: [Value]) {
    self = values.withUnsafeBytes { Bytes($0) }
  }
}
