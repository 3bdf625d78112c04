/// A text with the reading of each of its characters and where each stands.
struct TextAnalysis: ~Copyable {
  /// A character that was read, with the 儿 that closes it.
  struct Found {
    var scalar: UInt32
    var reading: Reading
    var hasErhua: Bool
    var confidence: UInt8
    /// The number of its word, from 0.
    var word: Int
    var startsWord: Bool
    var utf8: Range<Int>
    var graphemes: ClosedRange<Int>
    var utf16: Range<Int>
  }

  private var reader: SentenceReader
  /// The starts of graphemes; empty where all do.
  private var starts: [Bool] = []

  init(_ data: PinyinData, _ options: PinyinOptions, engine: (any ReadingEngine)?) {
    reader = SentenceReader(data, options, engine: engine, capacity: 256)
  }

  /// Reads a text.
  ///
  /// - Returns: The offset of the first byte that is no UTF-8, where there is one; the text is not read then.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Int? {
    reader.count = 0
    reader.shrink(above: 1 << 20)
    starts.removeAll(keepingCapacity: true)
    var isSimple = true
    if let wrong = decode(bytes, &isSimple) { return wrong }
    if !isSimple { findGraphemes(bytes) }
    var start = 0
    while start < reader.count {
      let end = reader.stretchEnd(from: start)
      reader.read(start..<end)
      start = end
    }
    return nil
  }

  /// - Parameter isSimple: Whether every character is a grapheme by itself, as far as that is easily told.
  private mutating func decode(_ bytes: UnsafeRawBufferPointer, _ isSimple: inout Bool) -> Int? {
    guard let raw = bytes.baseAddress else { return nil }
    let start = raw.assumingMemoryBound(to: UInt8.self)
    var place = 0
    while place < bytes.count {
      switch UTF8Step.at(start + place, available: bytes.count - place) {
      case .scalar(let scalar, let length):
        reader.append(scalar)
        isSimple = isSimple && Self.standsAlone(scalar)
        place += length
      case .invalid, .cut:
        reader.count = 0
        return place
      }
    }
    return nil
  }

  /// Characters that never share a grapheme with others of their kind (Unicode 15, annex 29: Other and Control).
  private static func standsAlone(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3400...0x9FFF, 0x20...0x7E, 0x3001...0x3029, 0x3041...0x3096, 0x30A0...0x30FF, 0xFF01...0xFF9D: true
    case 0x00...0x0C, 0x0E...0x1F, 0xA1...0xA8, 0xB0...0x2FF, 0x2010...0x2027, 0x20000...0x323AF: true
    default: false
    }
  }

  private mutating func findGraphemes(_ bytes: UnsafeRawBufferPointer) {
    starts.reserveCapacity(reader.count)
    for character in String(decoding: bytes, as: UTF8.self) {
      starts.append(true)
      for _ in character.unicodeScalars.dropFirst() { starts.append(false) }
    }
  }

  /// The progress of a walk over the text, in every way of counting.
  struct Cursor {
    fileprivate var place = 0
    fileprivate var utf8 = 0
    fileprivate var utf16 = 0
    fileprivate var grapheme = 0
    fileprivate var word = -1
    fileprivate var isInWord = false
  }

  /// The next character that has a reading, or is a Chinese one that has none.
  func next(_ cursor: inout Cursor) -> Found? {
    while cursor.place < reader.count {
      let before = cursor
      guard let found = passGrapheme(&cursor) else {
        cursor.isInWord = false
        continue
      }
      let choice = reader.choices[found]
      let startsWord = choice.startsWord || !cursor.isInWord
      if startsWord { cursor.word += 1 }
      cursor.isInWord = true
      let hasErhua = cursor.place < reader.count && reader.choices[cursor.place].reading == .erhua
      if hasErhua { _ = passGrapheme(&cursor) }
      return Found(
        scalar: reader.scalars[found], reading: choice.reading, hasErhua: hasErhua, confidence: choice.confidence,
        word: cursor.word, startsWord: startsWord, utf8: before.utf8..<cursor.utf8,
        graphemes: before.grapheme...cursor.grapheme - 1, utf16: before.utf16..<cursor.utf16)
    }
    return nil
  }

  /// Steps over a grapheme.
  ///
  /// - Returns: Where its Chinese character is, if it has one.
  @inline(__always) private func passGrapheme(_ cursor: inout Cursor) -> Int? {
    let end = graphemeEnd(cursor.place)
    var found: Int?
    while cursor.place < end {
      let scalar = reader.scalars[cursor.place]
      if found == nil, reader.choices[cursor.place].reading != .none || CharacterClass.isHan(scalar) {
        found = cursor.place
      }
      cursor.utf8 += Self.utf8Width(scalar)
      cursor.utf16 += scalar < 0x10000 ? 1 : 2
      cursor.place += 1
    }
    cursor.grapheme += 1
    return found
  }

  @inline(__always) private func graphemeEnd(_ place: Int) -> Int {
    guard !starts.isEmpty else { return place + 1 }
    var end = place + 1
    while end < starts.count, !starts[end] { end += 1 }
    return end
  }

  @inline(__always) private static func utf8Width(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }
}
