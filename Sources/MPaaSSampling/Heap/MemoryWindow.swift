import MPaaSCrash

/// Reads memory in large pieces, for walks from lower to higher addresses.
struct MemoryWindow {
  private let memory: any TargetMemory
  private var start: UInt64 = 0
  private var bytes: [UInt8] = []
  private static let size = 1 << 20

  init(_ memory: any TargetMemory) {
    self.memory = memory
  }

  /// A number of eight bytes; nil where it cannot be read.
  mutating func word(_ address: UInt64) -> UInt64? {
    if address < start || address - start > UInt64(max(bytes.count - 8, 0)) || bytes.isEmpty {
      start = address
      bytes = memory.bytes(at: address, count: Self.size)
    }
    guard bytes.count >= 8 else { return nil }
    let offset = Int(address - start)
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  }
}
