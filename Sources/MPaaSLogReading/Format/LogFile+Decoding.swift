package import MPaaSLogs
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogFile {
  /// Checks, decrypts and decompresses a block into `buffer`, whose `text` is there then; `makeViews` gives the
  /// records.
  ///
  /// - Throws: `LogError` `log-block-damaged`, `log-key-missing`.
  package func decode(_ block: LogBlock, keys: LogKeys, into buffer: LogBlockBuffer) throws(LogError) {
    defer { withExtendedLifetime(bytes) {} }
    guard block.range.upperBound <= bytes.count else { throw damaged(block, "truncated") }
    let stored = UnsafeRawBufferPointer(rebasing: bytes.buffer[block.content])
    guard stored.checksum == block.chunk.checksum else { throw damaged(block, "checksum") }
    guard let index = block.part, parts.indices.contains(index) else { throw damaged(block, "part") }
    let part = parts[index]
    buffer.begin(part)
    var whole: Bool
    if block.chunk.flags.contains(.encrypted) {
      guard let secret = keys.secret(part.wrappedKey) else { throw keyMissing(block) }
      guard let plain = secret.open(stored, block.chunk) else { throw damaged(block, "authentication") }
      whole = plain.withUnsafeBytes { buffer.fill($0, block.chunk) }
    } else {
      whole = buffer.fill(stored, block.chunk)
    }
    if whole, block.chunk.kind == .recovered {
      guard let segment = LeftSegment(buffer.bytes) else { throw damaged(block, "content") }
      guard buffer.fill(segment, part.type, keys: keys) else { throw keyMissing(block) }
      whole = buffer.views.count == block.chunk.recordCount
    } else if whole {
      whole = buffer.openColumns(block.chunk)
    }
    guard whole else { throw damaged(block, "content") }
  }

  /// The records of a block as values.
  ///
  /// - Throws: `LogError` `log-block-damaged`, `log-key-missing`.
  package func records(of block: LogBlock, keys: LogKeys) throws(LogError) -> [LogRecord] {
    let buffer = LogBlockBuffer()
    try decode(block, keys: keys, into: buffer)
    try buffer.makeViews()
    return buffer.views.map(buffer.record)
  }

  /// Tells whether a block may hold records of a tag; says so wrongly now and then.
  ///
  /// Always true where the block is encrypted and no key opens it.
  package func mayHold(tag: String, in block: LogBlock, keys: LogKeys) -> Bool {
    guard let index = block.part else { return true }
    var bits = LogTagBits()
    if parts[index].isEncrypted {
      guard let secret = keys.secret(parts[index].wrappedKey) else { return true }
      bits = secret.tagBits
    }
    return block.chunk.tags & bits.bit(tag) != 0
  }

  private func damaged(_ block: LogBlock, _ reason: String) -> LogError {
    LogError(
      .blockDamaged, ["path": path, "number": String(block.chunk.number), "reason": reason],
      at: .bytes(file: path, offset: UInt64(block.offset)))
  }

  private func keyMissing(_ block: LogBlock) -> LogError {
    LogError(.keyMissing, ["path": path], at: .bytes(file: path, offset: UInt64(block.offset)))
  }
}
