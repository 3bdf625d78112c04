import Foundation
import MPaaSCodeSignature
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// An image of a fixture with the place of its signature.
struct SignedImage {
  let slice: Bytes
  /// Bytes from the file's start.
  let start: Int
  let offset: UInt64
  let size: UInt64

  var signature: CodeSignature {
    get throws { try CodeSignature(slice: slice, offset: offset, size: size) }
  }

  /// The images of a file in its order, those without a signature as nil.
  static func all(in file: [UInt8]) throws -> [SignedImage?] {
    guard file.starts(with: [0xca, 0xfe, 0xba, 0xbe]) else { return [image(Bytes(file), start: 0)] }
    let all = Bytes(file)
    return try (0..<number(file, 4, bigEndian: true)).map { index in
      let entry = 8 + 20 * index
      let (start, size) = (number(file, entry + 8, bigEndian: true), number(file, entry + 12, bigEndian: true))
      return image(try #require(all.slice(at: UInt64(start), size: UInt64(size))), start: start)
    }
  }

  static func fixture(_ name: String) throws -> [UInt8] { Array(try Fixture.data("scan/" + name)) }

  /// The first signed image of a fixture.
  static func first(of name: String) throws -> SignedImage {
    try #require(try all(in: fixture(name)).compactMap { $0 }.first)
  }

  private static func image(_ slice: Bytes, start: Int) -> SignedImage? {
    let bytes = slice.array
    let is64 = bytes[0] == 0xcf
    var place = is64 ? 32 : 28
    for _ in 0..<number(bytes, 16) {
      if number(bytes, place) == 0x1d {
        return SignedImage(
          slice: slice, start: start, offset: UInt64(number(bytes, place + 8)),
          size: UInt64(number(bytes, place + 12)))
      }
      place += number(bytes, place + 4)
    }
    return nil
  }

  private static func number(_ bytes: [UInt8], _ place: Int, bigEndian: Bool = false) -> Int {
    let part = bytes[place..<place + 4]
    return (bigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  /// The same image with other bytes.
  func changed(_ change: (inout [UInt8]) -> Void) -> SignedImage {
    var bytes = slice.array
    change(&bytes)
    return SignedImage(slice: Bytes(bytes), start: start, offset: offset, size: size)
  }
}
