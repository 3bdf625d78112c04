package import MPaaSSupport

/// A table of the hashes of an image's pages and of what belongs to it.
///
/// Source: Apple's Security framework, `cs_blobs.h`, `CS_CodeDirectory`.
package struct CodeDirectory: Sendable {
  /// Statements of the signer about the code.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let adHoc = Flags(rawValue: 0x2)
    package static let hard = Flags(rawValue: 0x100)
    package static let kill = Flags(rawValue: 0x200)
    package static let restrict = Flags(rawValue: 0x800)
    package static let libraryValidation = Flags(rawValue: 0x2000)
    package static let hardenedRuntime = Flags(rawValue: 0x10000)
    package static let linkerSigned = Flags(rawValue: 0x20000)
  }

  package let slot: UInt32
  /// Bytes from the start of the slice to the blob.
  package let offset: UInt64
  package let bytes: Bytes
  package let version: UInt32
  package let flags: Flags
  package let hash: CodeHash
  package let identifier: String
  package let team: String?
  package let platform: UInt8
  /// Bytes of a page; nil where all is hashed at once.
  package let pageSize: Int?
  /// The bytes of the slice that are hashed, from its start.
  package let codeLimit: UInt64
  package let pageCount: Int
  package let specialCount: Int
  /// The version of the hardened runtime's rules, as `0x000d0300`; nil where it is not told.
  package let runtimeVersion: UInt32?
  private let hashOffset: Int

  /// Bytes of the fields that every version has.
  private static let fieldsSize = 44
  private static let largestPageExponent: UInt8 = 24

  init(_ blob: SignatureBlob, slice: Bytes) throws(CodeSignatureError) {
    let bytes = blob.bytes
    guard blob.magic == SignatureBlob.Magic.directory else {
      throw CodeSignatureError(.badMagic, offset: blob.offset, value: UInt64(blob.magic))
    }
    guard bytes.count >= Self.fieldsSize else {
      throw CodeSignatureError(.truncated, offset: blob.offset, value: UInt64(bytes.count))
    }
    (slot, offset, self.bytes) = (blob.slot, blob.offset, bytes)
    version = bytes.word(at: 8)
    flags = Flags(rawValue: bytes.word(at: 12))
    hashOffset = Int(bytes.word(at: 16))
    specialCount = Int(bytes.word(at: 24))
    pageCount = Int(bytes.word(at: 28))
    platform = bytes.buffer[38]
    hash = try Self.hash(bytes, blob.offset)
    pageSize = try Self.pageSize(bytes, blob.offset)
    codeLimit = Self.codeLimit(bytes, version)
    identifier = try Self.string(bytes, field: 20, blob.offset) ?? ""
    team = version >= 0x20200 ? try Self.string(bytes, field: 48, blob.offset) : nil
    runtimeVersion = version >= 0x20500 && bytes.count >= 92 ? bytes.word(at: 88) : nil
    try check(slice)
  }

  private static func hash(_ bytes: Bytes, _ offset: UInt64) throws(CodeSignatureError) -> CodeHash {
    guard let hash = CodeHash(rawValue: bytes.buffer[37]), hash.size == Int(bytes.buffer[36]) else {
      throw CodeSignatureError(.badHash, offset: offset &+ 37, value: UInt64(bytes.buffer[37]))
    }
    return hash
  }

  private static func pageSize(_ bytes: Bytes, _ offset: UInt64) throws(CodeSignatureError) -> Int? {
    let exponent = bytes.buffer[39]
    guard exponent <= largestPageExponent else {
      throw CodeSignatureError(.badPageSize, offset: offset &+ 39, value: UInt64(exponent))
    }
    return exponent == 0 ? nil : 1 << Int(exponent)
  }

  private static func codeLimit(_ bytes: Bytes, _ version: UInt32) -> UInt64 {
    let wide = version >= 0x20300 && bytes.count >= 64 ? bytes.longWord(at: 56) : 0
    return wide > 0 ? wide : UInt64(bytes.word(at: 32))
  }

  /// The NUL-terminated text whose place a field holds; nil where it is 0 or the blob ends before.
  private static func string(
    _ bytes: Bytes, field: Int, _ offset: UInt64
  ) throws(CodeSignatureError) -> String? {
    let place = Int(bytes.word(at: field))
    guard place > 0 else { return nil }
    do throws(ByteError) {
      var cursor = ByteCursor(bytes.buffer, at: place)
      return String(utf8: try cursor.cString())
    } catch {
      throw CodeSignatureError(.truncated, offset: offset &+ UInt64(field), value: UInt64(place))
    }
  }

  private func check(_ slice: Bytes) throws(CodeSignatureError) {
    let before = specialCount.multipliedReportingOverflow(by: hash.size)
    let behind = pageCount.multipliedReportingOverflow(by: hash.size)
    guard !before.overflow, before.partialValue <= hashOffset else {
      throw CodeSignatureError(.truncated, offset: offset &+ 24, value: UInt64(specialCount))
    }
    guard !behind.overflow, hashOffset <= bytes.count, behind.partialValue <= bytes.count - hashOffset else {
      throw CodeSignatureError(.truncated, offset: offset &+ 28, value: UInt64(pageCount))
    }
    guard codeLimit <= UInt64(slice.count), codeLimit <= offset else {
      throw CodeSignatureError(.codeLimit, offset: offset &+ 32, value: codeLimit)
    }
    let page = UInt64(pageSize ?? max(Int(codeLimit), 1))
    guard (codeLimit + page - 1) / page == UInt64(pageCount) else {
      throw CodeSignatureError(.codeLimit, offset: offset &+ 28, value: UInt64(pageCount))
    }
  }

  /// The first 20 bytes of the digest of the directory itself, by which the system knows the code.
  package var cdhash: [UInt8] { Array(digest.prefix(20)) }

  /// The whole digest of the directory.
  package var digest: [UInt8] { withExtendedLifetime(bytes) { hash.digest(bytes.buffer) } }

  /// The digest that slot `-number` keeps of a part outside the pages; nil where there is none or it is all zeros.
  package func special(_ number: UInt32) -> [UInt8]? {
    guard number >= 1, number <= specialCount else { return nil }
    let start = hashOffset - Int(number) * hash.size
    let value = Array(bytes.array[start..<start + hash.size])
    return value.contains { $0 != 0 } ? value : nil
  }

  /// The digest that is kept of a page.
  func pageDigest(_ page: Int) -> UnsafeRawBufferPointer {
    let start = hashOffset + page * hash.size
    return UnsafeRawBufferPointer(rebasing: bytes.buffer[start..<start + hash.size])
  }
}
