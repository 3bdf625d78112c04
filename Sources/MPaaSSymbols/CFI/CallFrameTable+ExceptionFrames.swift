import MPaaSSupport

extension CallFrameTable {
  /// A table in the form of `.eh_frame`, which readers of exception frames understand.
  package struct ExceptionFrames: Sendable {
    /// The entries, one after another.
    package var bytes: [UInt8] = []
    /// Each function's first address in the image, and where its entry begins in `bytes`; in order of the addresses.
    package var functions: [(start: UInt64, offset: Int)] = []
  }

  /// The same functions as exception frames of a 64-bit little-endian image.
  ///
  /// Addresses are written as they are, in 8 bytes, each moved by `slide`; instructions are copied. Entries of more than
  /// 64 MiB together are left out.
  ///
  /// - Source: LSB Core 5.0, 10.6.1 "The .eh_frame section".
  package func exceptionFrames(movedBy slide: UInt64) -> ExceptionFrames {
    var result = ExceptionFrames()
    guard !section.isBigEndian, section.addressSize == 8 else { return result }
    defer { withExtendedLifetime(section.bytes) {} }
    var places: [Int: Int] = [:]
    for entry in entries {
      guard result.bytes.count < 64 << 20 else { break }
      let common = commons[entry.common]
      // Version 1 of the description has one byte for the register.
      guard common.addressSize == 8, common.segmentSize == 0, common.returnAddress < 256 else { continue }
      let place = places[entry.common] ?? append(common, to: &result.bytes)
      places[entry.common] = place
      let offset = result.bytes.count
      append(entry, of: place, movedBy: slide, to: &result.bytes)
      result.functions.append((entry.addresses.lowerBound, offset))
    }
    return result
  }

  /// - Returns: Where the description begins.
  private func append(_ common: CallFrameCommon, to bytes: inout [UInt8]) -> Int {
    let start = bytes.count
    var body: [UInt8] = [0, 0, 0, 0, 1]
    body += Array(common.isSignalFrame ? "zRS".utf8 : "zR".utf8) + [0]
    body += Self.uleb(common.codeAlignment) + Self.sleb(common.dataAlignment)
    // One byte of augmentation data: pointers are absolute.
    body += [UInt8(truncatingIfNeeded: common.returnAddress), 1, 0]
    body += section.bytes.buffer[common.program]
    Self.appendEntry(body, to: &bytes)
    return start
  }

  private func append(_ entry: Entry, of common: Int, movedBy slide: UInt64, to bytes: inout [UInt8]) {
    var body = Self.littleEndian(UInt32(truncatingIfNeeded: bytes.count + 4 - common))
    body += Self.littleEndian(entry.addresses.lowerBound &+ slide)
    body += Self.littleEndian(entry.addresses.upperBound - entry.addresses.lowerBound)
    body.append(0)
    body += section.bytes.buffer[entry.program]
    Self.appendEntry(body, to: &bytes)
  }

  /// Writes the length before an entry, and fills it up with instructions that do nothing.
  private static func appendEntry(_ body: [UInt8], to bytes: inout [UInt8]) {
    let filling = (8 - (body.count + 4) % 8) % 8
    bytes += littleEndian(UInt32(truncatingIfNeeded: body.count + filling)) + body
    bytes += [UInt8](repeating: 0, count: filling)
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func uleb(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    repeat {
      bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
      rest >>= 7
    } while rest != 0
    return bytes
  }

  private static func sleb(_ value: Int64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while true {
      let byte = UInt8(truncatingIfNeeded: rest & 0x7f)
      rest >>= 7
      if (rest == 0 && byte & 0x40 == 0) || (rest == -1 && byte & 0x40 != 0) { return bytes + [byte] }
      bytes.append(byte | 0x80)
    }
  }
}
