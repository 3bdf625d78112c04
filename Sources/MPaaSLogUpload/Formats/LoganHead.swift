/// The beginning of a unit in a file of Logan: a 1, and the size as a big-endian number of 32 bits.
package enum LoganHead {
  private static let largest = 1 << 24

  /// True where a file begins as one of Logan does.
  package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 21, bytes[0] == 1, let size = size(bytes) else { return false }
    // Behind the unit stands its end, or another one, unless it is longer than what was read of the file.
    return 5 + size >= bytes.count || bytes[5 + size] <= 1
  }

  /// The size of the unit that begins; nil where none does.
  package static func size(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
    return size > 0 && size % 16 == 0 && size <= largest ? size : nil
  }
}
