import CLibZ
package import MPaaSSupport

/// The content of an entry of a zip, decompressed a piece at a time and never beyond what its directory says.
package struct EntryContent {
  package let stored: Bytes
  package let entry: ZipDirectory.Entry

  package init(stored: Bytes, entry: ZipDirectory.Entry) { (self.stored, self.entry) = (stored, entry) }

  package enum Failure: Error, Equatable { case damaged, tooLarge, unknownMethod }

  /// The first bytes, fewer where the entry is shorter or damaged.
  package func head(_ count: Int) -> [UInt8] {
    if entry.method == 0 { return Array(stored.buffer.prefix(count)) }
    guard entry.method == 8 else { return [] }
    var output = [UInt8](repeating: 0, count: count)
    let made = output.withUnsafeMutableBytes { inflate(into: $0).count }
    return Array(output.prefix(made))
  }

  /// The whole content, as a part of the zip where it was stored.
  ///
  /// - Throws: `tooLarge` where more comes out than the directory says.
  package func body() throws(Failure) -> Bytes {
    switch entry.method {
    case 0:
      guard stored.count == entry.size else { throw .damaged }
      return stored
    case 8:
      guard let size = Int(exactly: entry.size), size < 1 << 40 else { throw .tooLarge }
      var outcome: Outcome = (0, false)
      // A byte more than was said, to see whether more comes.
      let bytes = Bytes(capacity: size + 1) { target in
        outcome = inflate(into: target)
        return outcome.count
      }
      guard outcome.count <= size else { throw .tooLarge }
      guard outcome.isComplete, outcome.count == size else { throw .damaged }
      guard bytes.crc32OfContent == entry.checksum else { throw .damaged }
      return bytes
    default: throw .unknownMethod
    }
  }

  private typealias Outcome = (count: Int, isComplete: Bool)

  private func inflate(into target: UnsafeMutableRawBufferPointer) -> Outcome {
    var stream = z_stream()
    // Negative: no header of zlib's, as zips have it.
    guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      return (0, false)
    }
    defer { inflateEnd(&stream) }
    var taken = 0
    var made = 0
    while true {
      let input = min(stored.count - taken, 1 << 30)
      let room = min(target.count - made, 1 << 30)
      guard let source = stored.buffer.baseAddress, let output = target.baseAddress, room > 0 else {
        return (made, false)
      }
      stream.next_in = UnsafeMutablePointer(
        mutating: (source + taken).assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(input)
      stream.next_out = (output + made).assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(room)
      let status = CLibZ.inflate(&stream, Z_NO_FLUSH)
      let step = (input - Int(stream.avail_in), room - Int(stream.avail_out))
      taken += step.0
      made += step.1
      if status == Z_STREAM_END { return (made, true) }
      guard status == Z_OK, step != (0, 0) else { return (made, false) }
    }
  }
}

extension Bytes {
  fileprivate var crc32OfContent: UInt32 {
    var sum = CLibZ.crc32(0, nil, 0)
    var place = 0
    while place < count {
      let piece = min(count - place, 1 << 30)
      let start = buffer.baseAddress.map { ($0 + place).assumingMemoryBound(to: UInt8.self) }
      sum = CLibZ.crc32(sum, start, UInt32(piece))
      place += piece
    }
    return UInt32(truncatingIfNeeded: sum)
  }
}
