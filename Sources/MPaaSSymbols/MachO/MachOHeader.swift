import MPaaSSupport

/// The header at the start of a Mach-O image.
///
/// Source: `mach-o/loader.h`, `mach_header` and `mach_header_64`.
package struct MachOHeader: Sendable {
  package let is64: Bool
  package let bigEndian: Bool
  package let architecture: MachOArchitecture
  package let fileType: UInt32
  /// `MH_PIE` and others.
  package let flags: UInt32
  let commandCount: UInt32
  let commandSize: UInt32

  /// Bytes of the header; the load commands follow.
  var size: Int { is64 ? 32 : 28 }
  package var addressSize: Int { is64 ? 8 : 4 }

  static let object: UInt32 = 1
  static let debugInfo: UInt32 = 10

  private static let magic32: UInt32 = 0xfeed_face
  private static let magic64: UInt32 = 0xfeed_facf

  /// Tells whether bytes begin as an image of either width and byte order does.
  static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4 else { return false }
    let value = bytes.loadUnaligned(as: UInt32.self)
    return [magic32, magic64].contains { $0 == value || $0.byteSwapped == value }
  }

  init(_ bytes: Bytes) throws(MachOError) {
    do throws(ByteError) {
      var cursor = ByteCursor(bytes.buffer)
      let magic = try cursor.u32()
      guard Self.matches(bytes.buffer) else { throw ByteError(code: .unsupportedSize, offset: 0) }
      is64 = magic == Self.magic64 || magic.byteSwapped == Self.magic64
      bigEndian = magic != Self.magic32 && magic != Self.magic64
      cursor = ByteCursor(bytes.buffer, at: 4, bigEndian: bigEndian)
      architecture = MachOArchitecture(type: try cursor.u32(), subtype: try cursor.u32())
      fileType = try cursor.u32()
      commandCount = try cursor.u32()
      commandSize = try cursor.u32()
      flags = try cursor.u32()
      if is64 { try cursor.skip(4) }
    } catch {
      if error.code == .unsupportedSize { throw MachOError(.badMagic, offset: 0) }
      throw MachOError(.truncated, offset: UInt64(error.offset), value: UInt64(bytes.count))
    }
  }
}
