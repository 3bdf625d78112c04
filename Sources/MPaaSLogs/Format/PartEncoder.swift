import MPaaSAge

/// Makes the chunks of one part: each with a number of its own, so that no nonce is used twice.
final class PartEncoder {
  let part: LogPart
  private let secret: LogSecret?
  private let blocks: BlockEncoder
  private var number: UInt64 = 0
  private var index: [(offset: Int, header: [UInt8])] = []
  /// Bytes of the part so far.
  private(set) var length = 0

  /// - Throws: `TrustError` where a recipient is none.
  init(
    _ type: LogType, lane: Int, boot: UInt64, created: Int64, recipients: [AgeRecipient], blocks: BlockEncoder
  ) throws(TrustError) {
    let key = recipients.isEmpty ? nil : try LogSecret.fresh(for: recipients)
    secret = key?.secret
    part = LogPart(
      id: .random(in: 1 ... .max), type: type, lane: lane, boot: boot, created: created, wrappedKey: key?.wrapped ?? [])
    self.blocks = blocks
  }

  /// The bytes that begin the part: its chunk, twice.
  var beginning: [UInt8] {
    let content = part.content
    var chunk = LogChunk(.part)
    chunk.storedSize = content.count
    chunk.plainSize = content.count
    chunk.checksum = content.withUnsafeBytes { $0.checksum }
    chunk.part = part.id
    chunk.leastTime = part.created
    chunk.greatestTime = part.created
    return chunk.encoded + content + chunk.encoded + content
  }

  private func next(_ kind: LogChunk.Kind, staging: UInt32) -> LogChunk {
    number += 1
    var chunk = LogChunk(kind)
    chunk.part = part.id
    chunk.number = number
    chunk.staging = staging
    return chunk
  }

  /// The block of staged records, not encrypted, valid until the next one; nil where a library fails.
  func block(_ records: UnsafeRawBufferPointer, staging: UInt32, generation: UInt64) -> UnsafeRawBufferPointer? {
    var chunk = next(.records, staging: staging)
    return blocks.encode(records, generation: generation, secret: secret, &chunk)
  }

  /// The block of what a killed process had staged, valid until the next one.
  func block(_ left: LeftSegment, _ summary: StagedSummary, staging: UInt32) -> UnsafeRawBufferPointer? {
    var chunk = next(.recovered, staging: staging)
    chunk.describe(summary)
    return blocks.encode(left, secret: secret, &chunk)
  }

  /// Takes note of what was written to the file.
  func wrote(_ bytes: UnsafeRawBufferPointer, isBlock: Bool) {
    if isBlock { index.append((length, Array(bytes.prefix(LogChunk.size)))) }
    length += bytes.count
  }

  /// The bytes that end the part.
  var ending: [UInt8]? {
    guard !index.isEmpty else { return nil }
    return LogIndex.encode(index, part: part.id, number: number + 1, length: length)
  }
}
