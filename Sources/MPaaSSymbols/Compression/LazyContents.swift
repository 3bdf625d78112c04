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
  /// The number of bytes that have come out, and from where on they can be read.
  private let filled = Atomic<Int>(0)
  private let readable = Atomic<Int>(0)
  private let filling = Mutex(())

  /// Bytes that are decompressed at once.
  private static let piece = 1 << 22
  /// The size of the buffer for bytes before the first that are asked for, which comes out here, again and again: it
  /// may never be read.
  private static let scratchSize = 1 << 18

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

  /// Tells whether everything can be read, or as much as the damaged stream has.
  var isWhole: Bool { isReadable(0, memory.count) }

  /// Makes sure that a range can be read; what is past the end of a damaged stream is zero.
  @inline(__always)
  func require(_ start: Int, _ end: Int) {
    if !isReadable(start, end) { fill(start, min(end, memory.count)) }
  }

  @inline(__always)
  private func isReadable(_ start: Int, _ end: Int) -> Bool {
    readable.load(ordering: .acquiring) <= start && filled.load(ordering: .acquiring) >= end
  }

  private func fill(_ start: Int, _ end: Int) {
    filling.withLock { _ in
      guard let output = memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      if filled.load(ordering: .relaxed) == 0 { skip(to: min(start, memory.count)) }
      if readable.load(ordering: .relaxed) > start { fillBeginning(output) }
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

  /// Passes over what stands before `start`.
  private func skip(to start: Int) {
    guard start > Self.scratchSize else { return }
    let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.scratchSize)
    defer { scratch.deallocate() }
    var made = 0
    while made < start {
      let wanted = min(made + Self.scratchSize, start)
      let before = made
      made = mpaas_inflater_pass(inflater, scratch, wanted - before)
      if before >> 22 != made >> 22 { compressed.release(mpaas_inflater_taken(inflater)) }
      if made < wanted { made = memory.count }
    }
    readable.store(start, ordering: .releasing)
    filled.store(made, ordering: .releasing)
  }

  /// Fills what was passed over, which somebody wants now.
  private func fillBeginning(_ output: UnsafeMutablePointer<UInt8>) {
    guard let input = compressed.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let again = mpaas_inflater_make(input, compressed.count)
    else { return }
    defer { mpaas_inflater_free(again) }
    let end = readable.load(ordering: .relaxed)
    var made = 0
    while made < end {
      let wanted = min(made + Self.piece, end)
      made = mpaas_inflater_fill(again, output, wanted)
      compressed.release(mpaas_inflater_taken(again))
      if made < wanted { break }
    }
    readable.store(0, ordering: .releasing)
  }
}
