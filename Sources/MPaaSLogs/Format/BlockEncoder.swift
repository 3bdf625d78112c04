import CLibZstd
import CLogRing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes a block of staged records: columns, compressed and encrypted.
///
/// Its memory is used again for the next one. Not for several threads at a time.
final class BlockEncoder {
  private var columns: ColumnBuilder
  private var content: UnsafeMutableRawBufferPointer
  private var output: UnsafeMutableRawBufferPointer
  private let context = ZSTD_createCCtx()
  private let level: Int32

  /// - Parameters:
  ///   - capacity: Bytes of a usual segment.
  ///   - level: Of zstd.
  init(capacity: Int, level: Int32 = 1) {
    columns = ColumnBuilder()
    content = .allocate(byteCount: capacity * 2, alignment: 16)
    output = .allocate(byteCount: LogChunk.size + ZSTD_compressBound(capacity * 2) + LogChunk.tagSize, alignment: 16)
    self.level = level
  }

  deinit {
    columns.deallocate()
    content.deallocate()
    output.deallocate()
    ZSTD_freeCCtx(context)
  }

  /// The chunk that `records` become: header and content, valid until the next one; nil where a library fails.
  ///
  /// - Parameters:
  ///   - records: As they are staged, not encrypted.
  ///   - chunk: Names part, number and staging; the rest is filled in.
  func encode(
    _ records: UnsafeRawBufferPointer, generation: UInt64, secret: LogSecret?, _ chunk: inout LogChunk
  ) -> UnsafeRawBufferPointer? {
    columns.read(records, generation: generation, bits: secret?.tagBits ?? LogTagBits(), &chunk)
    let size = columns.contentSize
    guard size <= LogChunk.largestContent else { return nil }
    reserve(size)
    columns.write(to: content)
    chunk.generation = generation
    return finish(UnsafeRawBufferPointer(rebasing: content[..<size]), compresses: true, secret, &chunk)
  }

  /// The chunk of kind `recovered` that a segment of another process becomes.
  func encode(_ left: LeftSegment, secret: LogSecret?, _ chunk: inout LogChunk) -> UnsafeRawBufferPointer? {
    let content = left.content
    guard content.count <= LogChunk.largestContent else { return nil }
    reserve(content.count)
    chunk.generation = left.generation
    return content.withUnsafeBytes { finish($0, compresses: left.wrappedKey.isEmpty, secret, &chunk) }
  }

  private func reserve(_ size: Int) {
    if content.count < size {
      content.deallocate()
      content = .allocate(byteCount: size, alignment: 16)
    }
    let needed = LogChunk.size + ZSTD_compressBound(size) + LogChunk.tagSize
    if output.count < needed {
      output.deallocate()
      output = .allocate(byteCount: needed, alignment: 16)
    }
  }

  private func finish(
    _ content: UnsafeRawBufferPointer, compresses: Bool, _ secret: LogSecret?, _ chunk: inout LogChunk
  ) -> UnsafeRawBufferPointer? {
    let stored = UnsafeMutableRawBufferPointer(rebasing: output[LogChunk.size...])
    chunk.plainSize = content.count
    var size = content.count
    if compresses {
      let compressed = ZSTD_compressCCtx(
        context, stored.baseAddress, stored.count, content.baseAddress, content.count, level)
      if ZSTD_isError(compressed) == 0, compressed < content.count {
        chunk.flags.insert(.compressed)
        size = compressed
      }
    }
    if !chunk.flags.contains(.compressed) { stored.copyMemory(from: content) }
    if let secret {
      chunk.flags.insert(.encrypted)
      chunk.storedSize = size + LogChunk.tagSize
      guard let sealed = secret.seal(UnsafeRawBufferPointer(rebasing: stored[..<size]), chunk),
        sealed.count == chunk.storedSize
      else { return nil }
      sealed.withUnsafeBytes { stored.copyMemory(from: $0) }
    }
    chunk.storedSize = secret == nil ? size : size + LogChunk.tagSize
    chunk.checksum = UnsafeRawBufferPointer(rebasing: stored[..<chunk.storedSize]).checksum
    chunk.write(to: output)
    return UnsafeRawBufferPointer(rebasing: output[..<(LogChunk.size + chunk.storedSize)])
  }
}
