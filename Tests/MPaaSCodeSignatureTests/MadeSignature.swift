import MPaaSCodeSignature
import MPaaSSupport

/// A slice with a signature that a test makes, as the format's description has it.
struct MadeSignature {
  var code: [UInt8]
  var hashes: [CodeHash] = [.sha256]
  /// Whole blobs by their slots.
  var parts: [UInt32: [UInt8]] = [:]
  /// Digested instead of the part of the slot, to make a seal that does not hold.
  var sealed: [UInt32: [UInt8]] = [:]

  var slice: Bytes { Bytes(code + signatureBytes) }

  var signature: CodeSignature {
    get throws { try CodeSignature(slice: slice, offset: UInt64(code.count), size: UInt64(signatureBytes.count)) }
  }

  private var signatureBytes: [UInt8] {
    var blobs: [(UInt32, [UInt8])] = hashes.enumerated().map { ($0 == 0 ? 0 : 0xfff + UInt32($0), directory($1)) }
    blobs += parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var (index, data): ([UInt8], [UInt8]) = ([], [])
    for (slot, blob) in blobs {
      index += Self.word(slot) + Self.word(UInt32(12 + 8 * blobs.count + data.count))
      data += blob
    }
    let length = 12 + index.count + data.count
    return Self.word(0xfade_0cc0) + Self.word(UInt32(length)) + Self.word(UInt32(blobs.count)) + index + data
  }

  private func directory(_ hash: CodeHash) -> [UInt8] {
    func digest(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.withUnsafeBytes { hash.digest($0) }.prefix(hash.size)) }
    let specials = (1...7).reversed().flatMap { slot in
      (sealed[slot] ?? parts[slot]).map(digest) ?? [UInt8](repeating: 0, count: hash.size)
    }
    let pages = stride(from: 0, to: code.count, by: 4_096).flatMap { place in
      digest(Array(code[place..<min(place + 4_096, code.count)]))
    }
    let names = Array("com.example.made\0TEAM123456\0".utf8)
    let start = 52 + names.count + specials.count
    let fields: [UInt32] = [
      0xfade_0c02, UInt32(start + pages.count), 0x20200, 0, UInt32(start), 52, 7,
      UInt32((code.count + 4_095) / 4_096), UInt32(code.count),
    ]
    let kind: [UInt8] = [UInt8(hash.size), hash.rawValue, 0, 12]
    return fields.flatMap(Self.word) + kind + Self.word(0) + Self.word(0) + Self.word(69) + names + specials + pages
  }

  static func blob(_ magic: UInt32, _ content: [UInt8]) -> [UInt8] {
    word(magic) + word(UInt32(content.count + 8)) + content
  }

  static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
