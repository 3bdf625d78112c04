import CCompression

extension BodyDecoding {
  /// The first line of a body of which only the beginning has come; nil where its end has not come yet.
  ///
  /// Bodies in zstd and Brotli tell nothing before all is there: they count as lines that have not ended.
  ///
  /// - Parameter most: Bytes of the line.
  func firstLine(of begin: [UInt8], most: Int) -> [UInt8]? {
    let plain: [UInt8]
    switch self {
    case .identity: plain = begin
    case .gzip:
      guard let start = Self.deflateStart(ofGzip: begin) else { return nil }
      // The same deflate stream follows the header of gzip and that of zlib.
      plain = Self.inflated([0x78, 0x9c] + begin[start...], most: most)
    case .deflate: plain = Self.inflated(begin, most: most)
    case .zstd, .brotli: return nil
    }
    guard let end = plain.prefix(most).firstIndex(of: 0x0a) else { return nil }
    return Array(plain[..<end])
  }

  /// As much as comes out of a zlib stream that may be cut.
  private static func inflated(_ stream: [UInt8], most: Int) -> [UInt8] {
    stream.withUnsafeBufferPointer { input in
      guard let start = input.baseAddress, let inflater = mpaas_inflater_make(start, input.count) else { return [] }
      defer { mpaas_inflater_free(inflater) }
      return [UInt8](unsafeUninitializedCapacity: most) { output, count in
        count = output.baseAddress.map { min(mpaas_inflater_fill(inflater, $0, most), most) } ?? 0
      }
    }
  }

  /// The beginning of the compressed bytes behind a gzip header (RFC 1952, 2.3); nil where it is none, or is not all
  /// there.
  private static func deflateStart(ofGzip bytes: [UInt8]) -> Int? {
    guard bytes.count > 10, bytes[0] == 0x1f, bytes[1] == 0x8b, bytes[2] == 8 else { return nil }
    let flags = bytes[3]
    var place = 10
    if flags & 4 != 0 {
      guard bytes.count > place + 2 else { return nil }
      place += 2 + Int(bytes[place]) + Int(bytes[place + 1]) << 8
    }
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
      place = end + 1
    }
    if flags & 2 != 0 { place += 2 }
    return place < bytes.count ? place : nil
  }
}
