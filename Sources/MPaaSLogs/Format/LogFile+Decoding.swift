import Crypto
import CryptoExtras
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogFile {
  /// Checks, decrypts and decompresses a block into `buffer`, whose `text` is there then; `makeViews` gives the records.
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

  /// Whether a block may hold records of a tag; says so wrongly now and then.
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

/// A staging segment of another process, as a block of kind `recovered` carries it.
struct LeftSegment {
  let wrappedKey: [UInt8]
  let boot: UInt64
  let generation: UInt64
  /// The records as they were staged.
  let bytes: [UInt8]

  init(wrappedKey: [UInt8], boot: UInt64, generation: UInt64, bytes: [UInt8]) {
    self.wrappedKey = wrappedKey
    self.boot = boot
    self.generation = generation
    self.bytes = bytes
  }

  init?(_ content: UnsafeRawBufferPointer) {
    var cursor = ByteCursor(content)
    guard let boot = try? cursor.u64(), let generation = try? cursor.u64(), let size = try? cursor.u32(),
      let key = try? cursor.bytes(Int(size))
    else { return nil }
    self.init(
      wrappedKey: Array(key), boot: boot, generation: generation, bytes: Array(content[cursor.offset...]))
  }

  var content: [UInt8] {
    var content: [UInt8] = []
    content.append(number: boot)
    content.append(number: generation)
    content.append(number: UInt32(wrappedKey.count))
    return content + wrappedKey + bytes
  }

  /// What the records were encrypted with; empty where they were not, nil where no key opens it.
  func keystream(_ keys: LogKeys) -> Data? {
    guard !wrappedKey.isEmpty else { return Data() }
    return keys.secret(wrappedKey)?.keystream(generation, size: bytes.count)
  }
}

extension LogBlockBuffer {
  /// Takes the records of a segment; false where no key opens it.
  func fill(_ segment: LeftSegment, _ type: LogType, keys: LogKeys) -> Bool {
    guard let keystream = segment.keystream(keys) else { return false }
    begin(type, boot: segment.boot)
    keystream.withUnsafeBytes { keystream in
      segment.bytes.withUnsafeBytes {
        fillStaged($0, generation: segment.generation, keystream: keystream.isEmpty ? nil : keystream)
      }
    }
    return true
  }
}

extension LogSecret {
  /// The AES-CTR keystream of a staging segment; nil where the library fails.
  ///
  /// The key is made anew at each start of a writer, and a generation is filled once: no keystream is used twice.
  func keystream(_ generation: UInt64, size: Int) -> Data? {
    let nonce = [0, 0, 0, 0] + withUnsafeBytes(of: generation.bigEndian) { Array($0) }
    guard let nonce = try? AES._CTR.Nonce(nonceBytes: nonce) else { return nil }
    return try? AES._CTR.encrypt([UInt8](repeating: 0, count: size), using: stagingKey, nonce: nonce)
  }
}
