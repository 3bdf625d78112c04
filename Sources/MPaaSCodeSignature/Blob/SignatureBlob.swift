package import MPaaSSupport

/// A part of a code signature: its magic number, and its bytes with the header of eight bytes.
///
/// Source: Apple's Security framework, `cs_blobs.h`; all numbers are big-endian.
package struct SignatureBlob: Sendable {
  package enum Magic {
    package static let embedded: UInt32 = 0xfade_0cc0
    package static let directory: UInt32 = 0xfade_0c02
    package static let requirement: UInt32 = 0xfade_0c00
    package static let requirements: UInt32 = 0xfade_0c01
    package static let entitlements: UInt32 = 0xfade_7171
    package static let entitlementsDER: UInt32 = 0xfade_7172
    package static let wrapper: UInt32 = 0xfade_0b01
  }

  /// The kind of place in the SuperBlob, or of requirement.
  package let slot: UInt32
  package let magic: UInt32
  /// Bytes from the start of the slice.
  package let offset: UInt64
  /// The whole blob, its header included.
  package let bytes: Bytes

  /// The bytes behind the header.
  package var content: Bytes { bytes.slice(at: 8, size: UInt64(max(bytes.count - 8, 0))) ?? .empty }

  /// Reads the blob at a place of what holds it.
  ///
  /// - Parameter base: The offset of `holder` from the start of the slice.
  init(_ holder: Bytes, at place: UInt64, base: UInt64, slot: UInt32) throws(CodeSignatureError) {
    guard let header = holder.slice(at: place, size: 8) else {
      throw CodeSignatureError(.truncated, offset: base, value: place)
    }
    let length = UInt64(header.word(at: 4))
    guard length >= 8, let bytes = holder.slice(at: place, size: length) else {
      throw CodeSignatureError(.truncated, offset: base &+ place &+ 4, value: length)
    }
    self.slot = slot
    magic = header.word(at: 0)
    offset = base &+ place
    self.bytes = bytes
  }

  /// The most blobs of an index.
  private static let most = 64

  /// The blobs that an index names: a SuperBlob, or a set of requirements.
  static func indexed(_ holder: Bytes, base: UInt64) throws(CodeSignatureError) -> [SignatureBlob] {
    guard holder.count >= 12 else {
      throw CodeSignatureError(.truncated, offset: base, value: UInt64(holder.count))
    }
    let count = Int(holder.word(at: 8))
    guard count <= most else { throw CodeSignatureError(.tooMany, offset: base &+ 8, value: UInt64(count)) }
    guard holder.count >= 12 + 8 * count else {
      throw CodeSignatureError(.truncated, offset: base &+ 8, value: UInt64(count))
    }
    var blobs: [SignatureBlob] = []
    for index in 0..<count {
      let entry = 12 + 8 * index
      let place = UInt64(holder.word(at: entry + 4))
      guard place >= UInt64(12 + 8 * count) else {
        throw CodeSignatureError(.truncated, offset: base &+ UInt64(entry) &+ 4, value: place)
      }
      blobs.append(try SignatureBlob(holder, at: place, base: base, slot: holder.word(at: entry)))
    }
    return blobs
  }
}

extension Bytes {
  /// The big-endian word at a place that the caller has checked; 0 outside.
  func word(at place: Int) -> UInt32 {
    guard place >= 0, place <= count - 4 else { return 0 }
    return withExtendedLifetime(self) {
      UInt32(bigEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
  }

  /// The big-endian long word at a place that the caller has checked; 0 outside.
  func longWord(at place: Int) -> UInt64 { UInt64(word(at: place)) << 32 | UInt64(word(at: place + 4)) }
}
