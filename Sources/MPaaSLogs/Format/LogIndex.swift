import CLibZstd
import MPaaSSupport

/// The index of a part: the headers of its blocks, written behind them when the part ends.
///
/// Its last 8 bytes are its own size and `MPLX`, so that it is found from the end of the file.
struct LogIndex {
  struct Entry {
    let chunk: LogChunk
    let offset: Int
  }

  static let trailer = Array("MPLX".utf8)
  static let trailerSize = 8
  static let entrySize = 8 + LogChunk.size

  /// The beginning of the part.
  let start: Int
  /// The offset of the first block; where the index does where there is none.
  let firstBlock: Int
  let entries: [Entry]

  /// Reads the index that ends at `end`; nil where none does, or it is not whole.
  init?(_ bytes: UnsafeRawBufferPointer, endingAt end: Int) {
    guard end >= LogChunk.size + Self.trailerSize, end <= bytes.count,
      UnsafeRawBufferPointer(rebasing: bytes[(end - 4)..<end]).elementsEqual(Self.trailer)
    else { return nil }
    let size = Int(bytes.number(end - Self.trailerSize, UInt32.self))
    guard size <= end, size >= LogChunk.size + Self.trailerSize,
      let chunk = LogChunk(UnsafeRawBufferPointer(rebasing: bytes[(end - size)..<end])), chunk.kind == .index,
      chunk.storedSize == size - LogChunk.size, chunk.plainSize >= 8
    else { return nil }
    let stored = UnsafeRawBufferPointer(rebasing: bytes[(end - chunk.storedSize)..<end])
    guard stored.checksum == chunk.checksum else { return nil }
    let compressed = UnsafeRawBufferPointer(rebasing: stored.dropLast(Self.trailerSize))
    var content = [UInt8](repeating: 0, count: chunk.plainSize)
    let taken = content.withUnsafeMutableBytes {
      ZSTD_decompress($0.baseAddress, $0.count, compressed.baseAddress, compressed.count)
    }
    guard taken == content.count else { return nil }
    self.init(content, indexStart: end - size, part: chunk.part)
  }

  private init?(_ content: [UInt8], indexStart: Int, part: UInt64) {
    let read = content.withUnsafeBytes { content -> (Int, [Entry])? in
      guard let length = Int(exactly: content.number(0, UInt64.self)), length <= indexStart,
        (content.count - 8) % Self.entrySize == 0
      else { return nil }
      let start = indexStart - length
      var entries: [Entry] = []
      var end = start
      for place in stride(from: 8, to: content.count, by: Self.entrySize) {
        let header = UnsafeRawBufferPointer(rebasing: content[(place + 8)..<(place + Self.entrySize)])
        guard let offset = Int(exactly: content.number(place, UInt64.self)), offset <= length,
          let chunk = LogChunk(header), chunk.part == part, start + offset >= end,
          LogChunk.size + chunk.storedSize <= length - offset
        else { return nil }
        entries.append(Entry(chunk: chunk, offset: start + offset))
        end = start + offset + LogChunk.size + chunk.storedSize
      }
      return (start, entries)
    }
    guard let (start, entries) = read else { return nil }
    self.start = start
    self.entries = entries
    firstBlock = entries.first?.offset ?? indexStart
  }

  /// The chunk, header and all, that says where `blocks` are.
  ///
  /// - Parameter length: From the beginning of the part to the beginning of the index.
  static func encode(
    _ blocks: [(offset: Int, header: [UInt8])], part: UInt64, number: UInt64, length: Int
  ) -> [UInt8]? {
    var content: [UInt8] = []
    content.reserveCapacity(8 + blocks.count * entrySize)
    content.append(number: UInt64(length))
    for block in blocks {
      content.append(number: UInt64(block.offset))
      content += block.header
    }
    guard content.count <= LogChunk.largestContent / 2 else { return nil }
    var stored = [UInt8](repeating: 0, count: ZSTD_compressBound(content.count) + trailerSize)
    let size = stored.withUnsafeMutableBytes { target in
      content.withUnsafeBytes {
        ZSTD_compress(target.baseAddress, target.count - trailerSize, $0.baseAddress, $0.count, 1)
      }
    }
    guard ZSTD_isError(size) == 0 else { return nil }
    stored.removeLast(stored.count - size)
    stored.append(number: UInt32(LogChunk.size + size + trailerSize))
    stored += trailer
    var chunk = LogChunk(.index)
    chunk.flags = .compressed
    chunk.storedSize = stored.count
    chunk.plainSize = content.count
    chunk.checksum = stored.withUnsafeBytes { $0.checksum }
    chunk.part = part
    chunk.number = number
    return chunk.encoded + stored
  }
}
