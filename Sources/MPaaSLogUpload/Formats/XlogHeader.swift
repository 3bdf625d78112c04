import MPaaSSupport

/// The header of a block in a file of xlog.
package struct XlogHeader {
  package enum Kind: UInt8 {
    case oldPlain = 3
    case oldDeflate = 4
    case oldChunks = 5
    case sync = 6
    case deflateEncrypted = 7
    case syncPlain = 8
    case deflate = 9
    case syncZstandard = 10
    case syncZstandardPlain = 11
    case zstandardEncrypted = 12
    case zstandard = 13

    package var headerSize: Int { rawValue <= 5 ? 13 : 73 }
    package var isEncrypted: Bool { self == .deflateEncrypted || self == .zstandardEncrypted }
  }

  private static let largest = 1 << 24

  package let kind: Kind
  package let size: Int
  package let key: [UInt8]

  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first, let kind = Kind(rawValue: first), bytes.count >= kind.headerSize else {
      return nil
    }
    self.kind = kind
    size = Int(bytes.number(5, UInt32.self))
    key = kind.headerSize == 73 ? Array(bytes[9..<73]) : []
    // Minutes and hours: what is none begins no block.
    guard size <= Self.largest, bytes[3] < 24, bytes[4] < 24 else { return nil }
  }

  /// True where a file begins as one of xlog does.
  package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let header = XlogHeader(bytes) else { return false }
    let end = header.kind.headerSize + header.size
    return end >= bytes.count ? bytes.count >= 1 << 13 : bytes[end] == 0
  }
}
