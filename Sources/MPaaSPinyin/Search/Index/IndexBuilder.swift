private import MPaaSSupport

/// Makes a segment of texts.
struct IndexBuilder {
  /// A pair's key for second symbol 0, and the distance to that of the next.
  private struct Slot {
    var key: UInt32
    var width: UInt32
  }

  /// With fewer characters, pairs take more time and memory than they save: such a segment is searched from end to end.
  static let fewestIndexed = 2048

  private let readings: SearchReadings
  private let folding: SearchFolding
  private let layout: KeyLayout
  private var classes = [IndexedCharacter(scalar: .max, literal: SearchFolding.nothing, list: 0, first: 0)]
  private var sortKeys: [UInt64] = [.max]
  private var lists: [UInt32] = []
  private var isPassedOver = [false]
  /// The slots of each class as the first of a pair, and their sum of symbols as a second one.
  private var slots: [Slot] = []
  private var slotStarts: [UInt32] = [0, 0]
  private var symbols: [UInt64] = [0]

  init(_ readings: SearchReadings, _ folding: SearchFolding, _ layout: KeyLayout) {
    self.readings = readings
    self.folding = folding
    self.layout = layout
  }

  /// - Parameters:
  ///   - texts: Together at most some two thousand million characters; what comes after is left out.
  ///   - groups: One for each text, or none at all.
  ///   - fewest: Fewer characters are not indexed.
  static func segment(
    of texts: some Collection<String>, groups: [UInt8], _ readings: SearchReadings, _ folding: SearchFolding,
    _ layout: KeyLayout, fewest: Int = fewestIndexed
  ) -> IndexSegment {
    var builder = IndexBuilder(readings, folding, layout)
    return builder.build(texts, groups, fewest)
  }

  private mutating func build(
    _ texts: some Collection<String>, _ groups: [UInt8], _ fewest: Int
  ) -> IndexSegment {
    let bytes = texts.reduce(0) { $0 + $1.utf8.count }
    let elements = WritableArray<UInt32>(capacity: min(bytes + texts.count, Int(Int32.max)))
    let starts = WritableArray<UInt32>(capacity: texts.count + 1)
    decode(texts, elements, starts)
    let bits = WritableArray<UInt64>(zeros: elements.count / 64 + 1)
    let ranks = WritableArray<UInt32>(zeros: elements.count / 64 + 1)
    markStarts(starts, bits, ranks)
    let (keys, postings, thirds) = pairs(elements, fewest)
    let byLiteral = classes.indices.dropFirst().map { UInt64(classes[$0].literal) << 32 | UInt64($0) }.sorted()
    return IndexSegment(
      [
        elements.bytes, starts.bytes, bits.bytes, ranks.bytes, Bytes(groups.contains { $0 != 0 } ? groups : []),
        Bytes(copying: classes), Bytes(copying: sortKeys), Bytes(copying: lists), Bytes(copying: byLiteral),
        keys, postings, thirds,
      ], layout: layout)
  }

  /// The beginnings of each pair's positions, the positions, and what comes third; nothing where that is not worth
  /// while, or where there are more than can be numbered.
  private func pairs(_ elements: WritableArray<UInt32>, _ fewest: Int) -> (keys: Bytes, postings: Bytes, thirds: Bytes)
  {
    guard elements.count >= fewest else { return (.empty, .empty, .empty) }
    let keys = WritableArray<UInt32>(zeros: layout.count + 1)
    eachPair(elements) { key, _, _ in keys.pointer[key] &+= 1 }
    let total = (0..<layout.count).reduce(0) { $0 + Int(keys.pointer[$1]) }
    guard total <= UInt32.max else { return (.empty, .empty, .empty) }
    let postings = WritableArray<UInt32>(zeros: total)
    let thirds = WritableArray<UInt8>(zeros: total)
    // From counts the keys become the ends, and while the pairs are filled from the back, the beginnings.
    var end: UInt32 = 0
    for key in 0...layout.count {
      end += keys.pointer[key]
      keys.pointer[key] = end
    }
    eachPair(elements) { key, position, third in
      let place = keys.pointer[key] &- 1
      keys.pointer[key] = place
      postings.pointer[Int(place)] = position
      thirds.pointer[Int(place)] = third
    }
    return (keys.bytes, postings.bytes, thirds.bytes)
  }

  /// Turns the texts into numbers of classes.
  private mutating func decode(
    _ texts: some Collection<String>, _ elements: WritableArray<UInt32>, _ starts: WritableArray<UInt32>
  ) {
    // Zeros that take room only where characters occur.
    let numbers = WritableArray<UInt32>(zeros: 0x110000)
    defer { withExtendedLifetime(numbers) {} }
    for var text in texts {
      let start = elements.count
      starts.append(UInt32(start))
      text.withUTF8 { utf8 in
        var offset = 0
        while offset < utf8.count, elements.count < elements.capacity {
          let scalar = Self.scalar(utf8, &offset)
          var number = numbers.pointer[Int(scalar)]
          if number == 0 {
            number = makeClass(Unicode.Scalar(scalar) ?? "\u{FFFD}")
            numbers.pointer[Int(scalar)] = number
          }
          elements.append(number)
        }
      }
      if elements.count == start, start < elements.capacity { elements.append(0) }
      if elements.count > start { elements.pointer[elements.count - 1] |= IndexSegment.Element.last }
    }
    starts.append(UInt32(elements.count))
  }

  /// The scalar that begins at an offset of well-formed UTF-8.
  @inline(__always) private static func scalar(_ utf8: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> UInt32 {
    let first = UInt32(utf8[offset])
    if first < 0x80 {
      offset += 1
      return first
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    var scalar = first & (0x7F >> UInt32(length))
    for next in offset + 1..<min(offset + length, utf8.count) { scalar = scalar << 6 | UInt32(utf8[next] & 0x3F) }
    offset += length
    return scalar
  }

  /// Takes a character in that was not seen before; returns its number with its marks.
  private mutating func makeClass(_ scalar: Unicode.Scalar) -> UInt32 {
    let number = classes.count
    var entries: [UInt32] = []
    readings.forEach(of: scalar.value) { entries.append($0.rawValue) }
    if entries.count > 255 { entries.removeLast(entries.count - 255) }
    let literal = folding.folded(scalar)
    let character = IndexedCharacter(
      scalar: scalar.value, literal: literal, list: UInt32(lists.count) << 8 | UInt32(entries.count),
      first: entries.first ?? 0)
    lists += entries
    classes.append(character)
    sortKeys.append(sortKey(character))
    var under: [Int] = []
    var symbols: UInt64 = 0
    for entry in entries {
      let spelling = SearchReadings.Entry(rawValue: entry).spelling
      guard !under.contains(spelling) else { continue }
      under.append(spelling)
      let symbol = Int(layout.spellings.symbols[spelling])
      symbols |= 1 << UInt64(symbol)
      slots.append(Slot(key: UInt32(layout.spellingKeys[spelling]), width: UInt32(layout.widths[symbol])))
    }
    if entries.isEmpty {
      let symbol = SearchSymbol.of(literal)
      symbols = 1 << UInt64(symbol)
      slots.append(Slot(key: UInt32(layout.bases[symbol]), width: UInt32(layout.widths[symbol])))
    }
    self.symbols.append(symbols)
    slotStarts.append(UInt32(slots.count))
    return UInt32(number) | (folding.isPassedOver(scalar) ? IndexSegment.Element.passedOver : 0)
  }

  /// Spelling and tone as one number, after it all that is not read.
  private func sortKey(_ character: IndexedCharacter) -> UInt64 {
    guard character.count > 0 else {
      let literal = UInt64(character.literal)
      return literal < 0x80 ? literal << 56 : 0xFF << 56 | literal
    }
    let entry = SearchReadings.Entry(rawValue: character.first)
    let letters = layout.spellings.names[entry.spelling].prefix(7)
    let packed = letters.reduce(UInt64(0)) { $0 << 8 | UInt64(min($1, 0xFE)) } << UInt64(8 * (8 - letters.count))
    return packed | UInt64(entry.tone)
  }

  private func markStarts(
    _ starts: WritableArray<UInt32>, _ bits: WritableArray<UInt64>, _ ranks: WritableArray<UInt32>
  ) {
    for index in 0..<starts.count - 1 {
      let start = Int(starts.pointer[index])
      bits.pointer[start >> 6] |= 1 << UInt64(start & 63)
    }
    var rank: UInt32 = 0
    for word in 0..<bits.count {
      ranks.pointer[word] = rank
      rank += UInt32(bits.pointer[word].nonzeroBitCount)
    }
  }

  /// Calls `body` with every pair's key, the position of its first character and what comes third, the last position
  /// first.
  @inline(__always)
  private func eachPair(_ elements: WritableArray<UInt32>, _ body: (Int, UInt32, UInt8) -> Void) {
    slots.withUnsafeBufferPointer { slots in
      slotStarts.withUnsafeBufferPointer { slotStarts in
        symbols.withUnsafeBufferPointer { symbols in
          // The symbols that may come next: those of the following character, and of those after it where it may be
          // passed over.
          var following: UInt64 = 0
          var third = IndexSegment.anyThird
          var position = elements.count
          while position > 0 {
            position -= 1
            let element = elements.pointer[position]
            let number = Int(element & IndexSegment.Element.classes)
            if element & IndexSegment.Element.last != 0 { following = 1 << UInt64(SearchSymbol.end) }
            for index in Int(slotStarts[number])..<Int(slotStarts[number + 1]) {
              let slot = slots[index]
              var rest = following
              while rest != 0 {
                body(Int(slot.key) + rest.trailingZeroBitCount * Int(slot.width), UInt32(position), third)
                rest &= rest &- 1
              }
            }
            let isPassedOver = element & IndexSegment.Element.passedOver != 0
            third =
              !isPassedOver && following.nonzeroBitCount == 1
              ? UInt8(following.trailingZeroBitCount) : IndexSegment.anyThird
            following = symbols[number] | (isPassedOver ? following : 0)
          }
        }
      }
    }
  }
}
