import CUnwind

/// The memory of a live process, read without ever faulting.
final class ProcessMemory {
  private let process: UnsafeMutablePointer<mp_process_memory>

  init(of id: Int32) {
    process = .allocate(capacity: 1)
    mp_process_memory_open(process, id)
  }

  deinit {
    mp_process_memory_close(process)
    process.deallocate()
  }

  var reader: mp_memory { mp_process_memory_reader(process) }

  /// Copies what is readable into `target`; how many bytes.
  func read(_ address: UInt64, into target: UnsafeMutableRawBufferPointer) -> Int {
    let reader = reader
    return min(reader.read.map { $0(reader.context, address, target.baseAddress, target.count) } ?? 0, target.count)
  }

  /// A word in the machine's byte order; nil where it cannot be read.
  func word(at address: UInt64) -> UInt64? {
    var value: UInt64 = 0
    return withUnsafeMutableBytes(of: &value) { read(address, into: $0) } == 8 ? value : nil
  }
}
