/// Goes through an archive of the one form that bundles use, from the first header to the last zero.
struct UstarReader {
  /// Two blocks of zeros, and nothing behind them.
  static let end = 2 * UstarHeader.block

  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The next header; nil at the end of the archive, which is also the end of the bytes.
  mutating func next() throws(UstarError) -> UstarHeader? {
    guard bytes.count - offset >= UstarHeader.block else { throw error(.truncated) }
    let block = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + UstarHeader.block])
    if block[0] == 0, Self.isZero(block) {
      try checkEnd()
      return nil
    }
    let header = try UstarHeader(reading: block, at: offset)
    offset += UstarHeader.block
    return header
  }

  /// The bytes of the file that `header` stands before, as a range of the archive.
  mutating func contents(of header: UstarHeader) throws(UstarError) -> Range<Int> {
    guard header.paddedSize <= bytes.count - offset else { throw UstarError(code: .truncated, offset: bytes.count) }
    let contents = offset..<offset + header.size
    offset += header.paddedSize
    guard Self.isZero(UnsafeRawBufferPointer(rebasing: bytes[contents.upperBound..<offset])) else {
      throw UstarError(code: .notCanonical, offset: contents.upperBound)
    }
    return contents
  }

  private func checkEnd() throws(UstarError) {
    guard bytes.count - offset >= Self.end else { throw UstarError(code: .truncated, offset: bytes.count) }
    let second = offset + UstarHeader.block
    guard bytes.count - offset == Self.end,
      Self.isZero(UnsafeRawBufferPointer(rebasing: bytes[second..<offset + Self.end]))
    else { throw UstarError(code: .trailingBytes, offset: second) }
  }

  private func error(_ code: UstarError.Code) -> UstarError { UstarError(code: code, offset: bytes.count) }

  private static let zeros = [UInt8](repeating: 0, count: UstarHeader.block)

  /// Tells whether at most one block holds only zeros.
  private static func isZero(_ part: UnsafeRawBufferPointer) -> Bool {
    zeros.withUnsafeBytes { part.isSame(as: UnsafeRawBufferPointer(rebasing: $0[..<part.count])) }
  }
}

/// An archive of the one form that bundles use, while it is written.
struct UstarWriter {
  private(set) var bytes: [UInt8] = []

  /// Adds a file; says whether its path fits into a header.
  mutating func add(_ path: String, _ contents: some Collection<UInt8>) -> Bool {
    let header = UstarHeader(path: path, size: contents.count)
    guard let block = header.bytes else { return false }
    bytes.reserveCapacity(bytes.count + block.count + header.paddedSize + UstarReader.end)
    bytes += block
    bytes += contents
    bytes += repeatElement(0, count: header.paddedSize - header.size)
    return true
  }

  /// The archive with its end.
  consuming func finished() -> [UInt8] {
    bytes += repeatElement(0, count: UstarReader.end)
    return bytes
  }
}
