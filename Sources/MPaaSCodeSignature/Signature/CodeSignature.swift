package import MPaaSSupport

/// The code signature of an image: the parts that `LC_CODE_SIGNATURE` names, read but not yet judged.
///
/// - Source: Apple's Security framework, `cs_blobs.h`.
package struct CodeSignature: Sendable {
  /// The image, from its own first byte on.
  package let slice: Bytes
  /// The place of the signature, from the start of the slice.
  package let offset: UInt64
  /// All parts in the order of the index.
  package let blobs: [SignatureBlob]
  /// The CodeDirectories: that of slot 0 first, then those of further hash functions.
  package let directories: [CodeDirectory]

  package enum Slot {
    package static let directory: UInt32 = 0
    package static let infoPlist: UInt32 = 1
    package static let requirements: UInt32 = 2
    package static let resources: UInt32 = 3
    package static let entitlements: UInt32 = 5
    package static let entitlementsDER: UInt32 = 7
    package static let moreDirectories: ClosedRange<UInt32> = 0x1000...0x1004
    package static let signature: UInt32 = 0x10000
  }

  /// Reads the signature of an image.
  ///
  /// - Parameters:
  ///   - slice: The image: a thin file, or its part of a fat one.
  ///   - offset: The place that `LC_CODE_SIGNATURE` names, from the start of the slice.
  /// - Throws: `CodeSignatureError` with the offset in the slice of the first field that cannot be true.
  package init(slice: Bytes, offset: UInt64, size: UInt64) throws(CodeSignatureError) {
    guard let area = slice.slice(at: offset, size: size), area.count >= 12 else {
      throw CodeSignatureError(.truncated, offset: offset, value: size)
    }
    guard area.word(at: 0) == SignatureBlob.Magic.embedded else {
      throw CodeSignatureError(.badMagic, offset: offset, value: UInt64(area.word(at: 0)))
    }
    guard let holder = area.slice(at: 0, size: UInt64(area.word(at: 4))) else {
      throw CodeSignatureError(.truncated, offset: offset &+ 4, value: UInt64(area.word(at: 4)))
    }
    (self.slice, self.offset) = (slice, offset)
    blobs = try SignatureBlob.indexed(holder, base: offset)
    var directories: [CodeDirectory] = []
    for blob in blobs where blob.slot == Slot.directory || Slot.moreDirectories.contains(blob.slot) {
      directories.append(try CodeDirectory(blob, slice: slice))
    }
    directories.sort { $0.slot < $1.slot }
    // Each of them costs a pass over the code.
    guard Set(directories.map(\.slot)).count == directories.count else {
      throw CodeSignatureError(.tooMany, offset: offset &+ 8, value: UInt64(directories.count))
    }
    guard directories.first?.slot == Slot.directory else {
      throw CodeSignatureError(.noDirectory, offset: offset, value: UInt64(blobs.count))
    }
    self.directories = directories
  }

  /// The part in a slot; of several the first, as the system takes it.
  package func blob(_ slot: UInt32) -> SignatureBlob? { blobs.first { $0.slot == slot } }

  /// The CMS in its bytes; nil where the signature is ad hoc.
  package var signedData: Bytes? {
    guard let content = blob(Slot.signature)?.content, !content.isEmpty else { return nil }
    return content
  }

  /// The strongest CodeDirectory, by which the system knows the code.
  package var best: CodeDirectory? { directories.max { $0.hash.rank < $1.hash.rank } }
}
