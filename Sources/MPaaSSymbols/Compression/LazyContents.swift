import CCompression
package import MPaaSSupport
import Synchronization

/// The contents of a section that are decompressed as far as somebody reads.
///
/// `@unchecked Sendable`: what was filled is never written again, and filling goes on under a lock.
package final class LazyContents: @unchecked Sendable {
  /// Memory of the whole size; only what was required holds the contents, the rest is zero.
  package let bytes: Bytes
  private let memory: UnsafeMutableRawBufferPointer
  private let compressed: Bytes
  private let inflater: OpaquePointer
  /// How many bytes can be read.
  private let filled = Atomic<Int>(0)
  private let filling = Mutex(())

  /// Bytes that are decompressed at once.
  private static let piece = 1 << 22

  /// - Parameters:
  ///   - compressed: A zlib stream.
  ///   - size: How many bytes it announces.
  init?(_ compressed: Bytes, size: Int) {
    guard let input = compressed.buffer.baseAddress, let (bytes, memory) = Bytes.reserving(size),
      let inflater = mpaas_inflater_make(input.assumingMemoryBound(to: UInt8.self), compressed.count)
    else { return nil }
    self.bytes = bytes
    self.memory = memory
    self.compressed = compressed
    self.inflater = inflater
  }

  deinit {
    mpaas_inflater_free(inflater)
  }

  /// Whether everything was filled, or as much as the damaged stream has.
  var isWhole: Bool { filled.load(ordering: .acquiring) >= memory.count }

  /// Makes sure that the bytes before `end` can be read; past the end of a damaged stream they are zero.
  @inline(__always)
  func require(_ end: Int) {
    if filled.load(ordering: .acquiring) < end { fill(end) }
  }

  private func fill(_ end: Int) {
    filling.withLock { _ in
      guard let output = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      let end = min(end, memory.count)
      var made = filled.load(ordering: .relaxed)
      while made < end {
        let wanted = min(made + Self.piece, memory.count)
        made = mpaas_inflater_fill(inflater, output, wanted)
        // The mapped input would otherwise stay in memory beside its contents.
        compressed.release(mpaas_inflater_taken(inflater))
        if made < wanted { made = memory.count }
        filled.store(made, ordering: .releasing)
      }
    }
  }
}
