import Crypto
import CryptoExtras
import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The secrets that open files of Logan: the key and the first vector of AES-128-CBC, the same for every unit of an
/// app.
package struct LoganKey: Sendable, Equatable {
  package let key: [UInt8]
  package let vector: [UInt8]

  /// - Throws: `LogError` `log-logan-key-malformed` where either has not 16 bytes.
  package init(key: [UInt8], vector: [UInt8]) throws(LogError) {
    guard key.count == 16, vector.count == 16 else { throw LogError(.loganKeyMalformed) }
    self.key = key
    self.vector = vector
  }

  /// Reads `KEY:IV`, or the two on lines: 16 characters each, or 32 hexadecimal digits.
  package init(_ text: String) throws(LogError) {
    let parts = text.split { $0 == ":" || $0.isNewline }.map { Self.bytes(String($0)) }
    guard parts.count == 2 else { throw LogError(.loganKeyMalformed) }
    try self.init(key: parts[0], vector: parts[1])
  }

  private static func bytes(_ text: String) -> [UInt8] {
    text.utf8.count == 32 ? [UInt8](hexadecimal: text) ?? [] : Array(text.utf8)
  }
}

/// A file of Logan: units of a 1, the size as a big-endian number of 32 bits, AES-128-CBC over a gzip stream, and a 0.
///
/// A unit that was being written when the process ended has neither the gzip stream's end nor the 0.
struct LoganUnits: TextProducer {
  private let file: ReadFile
  private let key: LoganKey?
  private var offset = 0
  /// The damage to tell once the lines before it are given.
  private var damage: LogError?

  init(_ file: ReadFile, _ key: LoganKey?) {
    self.file = file
    self.key = key
  }

  mutating func next() throws(LogError) -> [UInt8]? {
    if let damage {
      self.damage = nil
      throw damage
    }
    while true {
      let head = file.bytes(offset..<offset + 5)
      guard let first = head.first else { return nil }
      if first == 0 {
        offset += 1
        continue
      }
      let size = head.count == 5 && first == 1 ? head.withUnsafeBytes { LoganHead.size($0) } : nil
      guard let size else {
        let start = offset
        offset = nextUnit(behind: offset)
        throw damaged(start, "unit")
      }
      let start = offset
      let stored = file.bytes(offset + 5..<offset + 5 + size)
      offset += 5 + stored.count
      guard let key else { throw LogError(.loganKeyMissing, ["path": file.path], at: .file(file.path)) }
      guard let (text, isDamaged) = Self.text(stored, key) else { throw damaged(start, "gzip") }
      if isDamaged { damage = damaged(start, "gzip") }
      if !text.isEmpty { return text }
    }
  }

  /// The next place where a unit may begin.
  private func nextUnit(behind start: Int) -> Int {
    var place = start + 1
    while place < file.size {
      let bytes = file.bytes(place..<place + (1 << 16))
      guard bytes.count >= 21 else { break }
      for index in 0..<bytes.count - 5 where bytes[index] == 1 && index > 0 && bytes[index - 1] == 0 {
        let isUnit = bytes[index...].withUnsafeBytes { LoganHead.size($0) } != nil
        if isUnit { return place + index }
      }
      place += bytes.count - 5
    }
    return file.size
  }

  /// A unit's lines, as far as they are good; nil where there are none.
  private static func text(_ stored: [UInt8], _ key: LoganKey) -> (text: [UInt8], isDamaged: Bool)? {
    let whole = stored.prefix(stored.count / 16 * 16)
    guard let vector = try? AES._CBC.IV(ivBytes: key.vector),
      let plain = try? AES._CBC.decrypt(whole, using: SymmetricKey(data: key.key), iv: vector, noPadding: true)
    else { return nil }
    let (text, isDamaged) = plain.withUnsafeBytes {
      StreamDecompression.all($0, .gzip, limit: 1 << 28)
    }
    guard isDamaged || text.isEmpty else { return (text, false) }
    // Lines before the damage are good.
    guard let end = text.lastIndex(of: 0x0a) else { return nil }
    return (Array(text[...end]), isDamaged)
  }

  private func damaged(_ offset: Int, _ reason: String) -> LogError {
    LogError(
      .unitDamaged, ["path": file.path, "reason": reason], at: .bytes(file: file.path, offset: UInt64(offset)))
  }
}
