package import CUnwind

/// The memory of a process that is looked at: a live one's, or what a core kept of it.
package protocol TargetMemory: AnyObject {
  /// Reads without ever faulting; valid while this object is alive.
  var reader: mp_memory { get }
}

extension TargetMemory {
  /// Copies what is readable of `count` bytes; fewer where the memory ends before.
  package func bytes(at address: UInt64, count: Int) -> [UInt8] {
    let reader = reader
    return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { target, filled in
      filled = reader.read.map { min($0(reader.context, address, target.baseAddress, target.count), target.count) } ?? 0
    }
  }

  /// A number in the machine's byte order; nil where it cannot be read.
  package func number<Value: FixedWidthInteger>(at address: UInt64, as: Value.Type = Value.self) -> Value? {
    let size = MemoryLayout<Value>.size
    let bytes = bytes(at: address, count: size)
    return bytes.count == size ? bytes.withUnsafeBytes { $0.loadUnaligned(as: Value.self) } : nil
  }

  /// A NUL-terminated string of at most `limit` bytes; nil where it cannot be read.
  package func string(at address: UInt64, limit: Int = 4096) -> String? {
    let bytes = bytes(at: address, count: limit)
    return bytes.isEmpty ? nil : String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// A live process' memory.
package final class LiveMemory: TargetMemory {
  private let process: UnsafeMutablePointer<mp_process_memory>

  package init(process id: Int32) {
    process = .allocate(capacity: 1)
    mp_process_memory_open(process, id)
  }

  deinit {
    mp_process_memory_close(process)
    process.deallocate()
  }

  package var reader: mp_memory { mp_process_memory_reader(process) }

  /// Forgets what was read, because the process ran in between.
  package func flush() { mp_process_memory_flush(process) }
}
