/// UTF-8 to pinyin in UTF-8, in pieces of any size: how the text was cut does not show in the output.
///
/// A sentence is converted when it is whole; what has no end is divided after some thousand characters.
package struct PinyinTextStream: ~Copyable {
  private var output = OutputBytes()
  private var reader: SentenceReader
  private var writer: PinyinWriter
  private let isLossy: Bool
  /// A character whose bytes have not all come yet, in the lowest bytes.
  private var partial: (bytes: UInt32, count: Int) = (0, 0)
  /// The number of bytes of the input that were understood.
  private var offset = 0

  /// - Parameter isLossy: Whether bytes that are no UTF-8 become U+FFFD; otherwise they are an error.
  package init(
    _ options: PinyinOptions, data: PinyinData = .builtIn, engine: (any ReadingEngine)? = nil, isLossy: Bool = false
  ) {
    reader = SentenceReader(data, options, engine: engine)
    writer = PinyinWriter(options, data)
    self.isLossy = isLossy
  }

  /// Takes a piece of the input and hands on what is whole with it.
  ///
  /// - Throws: `invalidUTF8`, after what stood before the place was handed on.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws(PinyinError) {
    defer { output.flush(write) }
    guard let raw = bytes.baseAddress else { return }
    let start = raw.assumingMemoryBound(to: UInt8.self)
    let taken = partial.count == 0 ? 0 : try completePartial(start, bytes.count)
    guard partial.count == 0 else { return }
    try decode(start + taken, bytes.count - taken)
  }

  /// Converts the rest and gets ready for another text.
  package mutating func finish(_ write: (UnsafeRawBufferPointer) -> Void) throws(PinyinError) {
    defer { output.flush(write) }
    if partial.count > 0 {
      let lead = UInt8(truncatingIfNeeded: partial.bytes)
      partial = (0, 0)
      try refuse(lead, length: 0)
    }
    while reader.count > 0 { convert(reader.stretchEnd(from: 0)) }
    restart()
  }

  /// Forgets what came and is not converted yet.
  package mutating func restart() {
    reader.count = 0
    partial = (0, 0)
    offset = 0
    writer.restart()
  }

  private mutating func decode(_ start: UnsafePointer<UInt8>, _ count: Int) throws(PinyinError) {
    var place = 0
    while place < count {
      // Most of Chinese text: three bytes, U+4000 to U+9FFF.
      if place + 3 <= count, start[place] & 0xFC == 0xE4 || start[place] & 0xFE == 0xE8 {
        let second = start[place + 1], third = start[place + 2]
        if (second & 0xC0) == 0x80, (third & 0xC0) == 0x80 {
          add(UInt32(start[place] & 0xF) << 12 | UInt32(second & 0x3F) << 6 | UInt32(third & 0x3F), mayEnd: false)
          place &+= 3
          continue
        }
      }
      switch UTF8Step.at(start + place, available: count - place) {
      case .scalar(let scalar, let length):
        place &+= length
        add(scalar, mayEnd: true)
      case .invalid(let length):
        offset += place
        try refuse(start[place], length: 0)
        offset -= place
        place += length
      case .cut:
        offset += place
        partial = (0, count - place)
        for index in 0..<partial.count { partial.bytes |= UInt32(start[place + index]) << UInt32(8 * index) }
        return
      }
    }
    offset += count
  }

  /// Takes bytes until the character that was cut is whole or known to be none.
  private mutating func completePartial(_ start: UnsafePointer<UInt8>, _ count: Int) throws(PinyinError) -> Int {
    var taken = 0
    while partial.count > 0, taken < count {
      partial.bytes |= UInt32(start[taken]) << UInt32(8 * partial.count)
      partial.count += 1
      taken += 1
      let step = withUnsafeBytes(of: partial.bytes.littleEndian) { bytes in
        bytes.withMemoryRebound(to: UInt8.self) { bytes -> UTF8Step in
          bytes.baseAddress.map { UTF8Step.at($0, available: partial.count) } ?? .cut
        }
      }
      switch step {
      case .cut: continue
      case .scalar(let scalar, let length):
        partial = (0, 0)
        offset += length
        add(scalar, mayEnd: true)
      case .invalid(let length):
        let lead = UInt8(truncatingIfNeeded: partial.bytes)
        // The byte that came last is the one that does not belong.
        partial = (0, 0)
        taken -= 1
        try refuse(lead, length: length)
      }
    }
    return taken
  }

  private mutating func refuse(_ byte: UInt8, length: Int) throws(PinyinError) {
    guard isLossy else {
      let error = PinyinError.invalidUTF8(byte, at: offset)
      while reader.count > 0 { convert(reader.stretchEnd(from: 0)) }
      restart()
      throw error
    }
    offset += length
    add(0xFFFD, mayEnd: true)
  }

  @inline(__always) private mutating func add(_ scalar: UInt32, mayEnd: Bool) {
    reader.append(scalar)
    if reader.count == Stretch.limit {
      convert(reader.stretchEnd(from: 0))
    } else if mayEnd, Stretch.isEnd(scalar) {
      convert(reader.count)
    }
  }

  /// Converts the first characters of those that are there.
  @inline(never) private mutating func convert(_ count: Int) {
    reader.read(0..<count)
    writer.write(
      UnsafeBufferPointer(start: reader.scalars, count: count),
      UnsafeMutableBufferPointer(start: reader.choices, count: count), into: &output)
    reader.removeFirst(count)
  }
}
