import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Takes elements of DER (ITU-T X.690) one after another out of a buffer; enough for what wraps an encrypted key.
struct DERReader {
  enum Tag: UInt8 {
    case integer = 0x02
    case octets = 0x04
    case identifier = 0x06
    case sequence = 0x30
  }

  private var cursor: ByteCursor

  init(_ bytes: UnsafeRawBufferPointer) {
    cursor = ByteCursor(bytes, bigEndian: true)
  }

  var isAtEnd: Bool { cursor.isAtEnd }

  /// The contents of the next element, which must be of the kind `tag`; lengths above 65,535 are refused.
  mutating func contents(_ tag: Tag) throws(ByteError) -> UnsafeRawBufferPointer {
    let start = cursor.offset
    guard try cursor.u8() == tag.rawValue else { throw ByteError(code: .unsupportedSize, offset: start) }
    var count = Int(try cursor.u8())
    switch count {
    case ..<0x80: break
    case 0x81: count = Int(try cursor.u8())
    case 0x82: count = Int(try cursor.u16())
    default: throw ByteError(code: .overlongNumber, offset: start)
    }
    return try cursor.bytes(count)
  }

  mutating func sequence() throws(ByteError) -> DERReader { DERReader(try contents(.sequence)) }
  mutating func octets() throws(ByteError) -> Data { Data(try contents(.octets)) }

  /// An object identifier as its bytes in hex.
  mutating func identifier() throws(ByteError) -> String { Data(try contents(.identifier)).hexadecimal }

  /// A number from 0 up that fits into 32 bits.
  mutating func integer() throws(ByteError) -> Int {
    let start = cursor.offset
    let bytes = try contents(.integer)
    guard (1...5).contains(bytes.count), bytes[0] < 0x80 else { throw ByteError(code: .overlongNumber, offset: start) }
    let value = bytes.reduce(0) { $0 << 8 | Int($1) }
    guard value <= UInt32.max else { throw ByteError(code: .overlongNumber, offset: start) }
    return value
  }

  /// Whether the next element is of the kind `tag`.
  func isNext(_ tag: Tag) -> Bool {
    var copy = cursor
    return (try? copy.u8()) == tag.rawValue
  }

  /// An element; `contents` are at most 65,535 bytes.
  static func element(_ tag: Tag, _ contents: some Collection<UInt8>) -> Data {
    let count = contents.count
    let length: [UInt8] =
      count < 0x80 ? [UInt8(count)] : [0x82, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
    // DER wants the shortest form.
    let shortest = (0x80...0xff).contains(count) ? [0x81, UInt8(count)] : length
    return Data([tag.rawValue] + shortest) + Data(contents)
  }
}
