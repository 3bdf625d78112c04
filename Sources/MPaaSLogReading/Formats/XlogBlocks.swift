import CLogScan
import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport

/// The secret that opens encrypted files of xlog: the private key of secp256k1, 32 bytes.
package struct XlogKey: Sendable, Equatable {
  package let bytes: [UInt8]

  /// Reads 64 hexadecimal digits.
  ///
  /// - Throws: `LogError` `log-xlog-key-malformed`.
  package init(_ text: String) throws(LogError) {
    let digits = text.filter { !$0.isWhitespace }
    guard let bytes = [UInt8](hexadecimal: digits), bytes.count == 32 else { throw LogError(.xlogKeyMalformed) }
    self.bytes = bytes
  }
}

/// A file of xlog: blocks of a header of 73 bytes (kind, sequence, hours, size, public key), content, and a 0.
///
/// Source: `log_crypt.cc` and `log_magic_num.h` of mars; the three oldest kinds have a key of 4 bytes.
struct XlogBlocks: TextProducer {
  private let file: ReadFile
  private let key: XlogKey?
  private var offset = 0
  /// The damage to tell once the lines before it are given.
  private var damage: LogError?
  /// The public key that the last block named, and what was agreed on with it.
  private var agreed: (with: [UInt8], key: [UInt32])?

  init(_ file: ReadFile, _ key: XlogKey?) {
    self.file = file
    self.key = key
  }

  mutating func next() throws(LogError) -> [UInt8]? {
    if let damage {
      self.damage = nil
      throw damage
    }
    while true {
      let head = file.bytes(offset..<offset + 73)
      guard !head.isEmpty else { return nil }
      // The rest of a mapping that was not filled.
      if head.allSatisfy({ $0 == 0 }) {
        offset += head.count
        continue
      }
      let start = offset
      guard let header = head.withUnsafeBytes({ XlogHeader($0) }) else {
        offset = nextBlock(behind: offset)
        throw damaged(start, "header")
      }
      let begin = offset + header.kind.headerSize
      let stored = file.bytes(begin..<begin + header.size + 1)
      guard stored.count == header.size + 1, stored.last == 0 else {
        offset = nextBlock(behind: offset)
        throw damaged(start, "end")
      }
      offset = begin + header.size + 1
      let text = try content(Array(stored.dropLast()), header, start)
      if !text.isEmpty { return text }
    }
  }

  private func nextBlock(behind start: Int) -> Int {
    var place = start + 1
    let size = file.size
    while place < size {
      let bytes = file.bytes(place..<place + (1 << 16))
      for index in bytes.indices where XlogHeader.Kind(rawValue: bytes[index]) != nil {
        guard let header = bytes[index...].withUnsafeBytes({ XlogHeader($0) }) else { continue }
        let end = place + index + header.kind.headerSize + header.size
        if file.bytes(end..<end + 1) == [0] { return place + index }
      }
      guard bytes.count > 73 else { break }
      place += bytes.count - 72
    }
    return size
  }

  private mutating func content(_ stored: [UInt8], _ header: XlogHeader, _ start: Int) throws(LogError) -> [UInt8] {
    var plain = stored
    if header.kind.isEncrypted, header.key.contains(where: { $0 != 0 }) {
      plain = Tea.decrypt(stored, try agreement(header.key, start))
    }
    switch header.kind {
    case .oldPlain, .sync, .syncPlain, .syncZstandard, .syncZstandardPlain: return plain
    case .oldDeflate, .deflate, .deflateEncrypted: return try decompressed(plain, .rawDeflate, start)
    case .zstandard, .zstandardEncrypted: return try decompressed(plain, .zstandard, start)
    case .oldChunks: return try decompressed(Self.joined(plain), .rawDeflate, start)
    }
  }

  private mutating func decompressed(
    _ stored: [UInt8], _ form: StreamDecompression.Form, _ start: Int
  ) throws(LogError) -> [UInt8] {
    let (text, isDamaged) = stored.withUnsafeBytes { StreamDecompression.all($0, form, limit: 1 << 28) }
    guard isDamaged else { return text }
    guard let end = text.lastIndex(of: 0x0a) else { throw damaged(start, "compression") }
    damage = damaged(start, "compression")
    return Array(text[...end])
  }

  /// The pieces of the oldest compressed kind, each behind its size in 16 bits.
  private static func joined(_ stored: [UInt8]) -> [UInt8] {
    var all: [UInt8] = []
    var place = 0
    while place + 2 <= stored.count {
      let size = Int(stored[place]) | Int(stored[place + 1]) << 8
      all += stored[(place + 2)..<min(stored.count, place + 2 + size)]
      place += 2 + size
    }
    return all
  }

  private mutating func agreement(_ point: [UInt8], _ start: Int) throws(LogError) -> [UInt32] {
    if let agreed, agreed.with == point { return agreed.key }
    guard let key else { throw LogError(.xlogKeyMissing, ["path": file.path], at: .file(file.path)) }
    var shared = [UInt8](repeating: 0, count: 32)
    switch mp_log_agree(point, key.bytes, &shared) {
    case 0: break
    case 1: throw LogError(.xlogNoLibrary, ["path": file.path], at: .file(file.path))
    default: throw damaged(start, "key")
    }
    let words = shared.withUnsafeBytes { bytes in (0..<4).map { bytes.number($0 * 4, UInt32.self) } }
    agreed = (point, words)
    return words
  }

  private func damaged(_ offset: Int, _ reason: String) -> LogError {
    LogError(
      .unitDamaged, ["path": file.path, "reason": reason], at: .bytes(file: file.path, offset: UInt64(offset)))
  }
}

/// The Tiny Encryption Algorithm with 16 rounds, each block of 8 bytes by itself, as xlog has it.
enum Tea {
  /// Decrypts whole blocks; what does not fill a block at the end is not encrypted.
  static func decrypt(_ bytes: [UInt8], _ key: [UInt32]) -> [UInt8] {
    guard key.count == 4 else { return bytes }
    var output = bytes
    output.withUnsafeMutableBytes { memory in
      for place in stride(from: 0, to: memory.count / 8 * 8, by: 8) {
        var a = UnsafeRawBufferPointer(memory).number(place, UInt32.self)
        var b = UnsafeRawBufferPointer(memory).number(place + 4, UInt32.self)
        var sum: UInt32 = 0x9e37_79b9 &* 16
        for _ in 0..<16 {
          b &-= ((a << 4) &+ key[2]) ^ (a &+ sum) ^ ((a >> 5) &+ key[3])
          a &-= ((b << 4) &+ key[0]) ^ (b &+ sum) ^ ((b >> 5) &+ key[1])
          sum &-= 0x9e37_79b9
        }
        memory.put(a, place)
        memory.put(b, place + 4)
      }
    }
    return output
  }
}
