/// The classes of scalars that an expression cannot tell apart.
struct Alphabet: Sendable {
  /// The class of each scalar of ASCII.
  private let ascii: [UInt16]
  /// The first scalars of runs of one class from U+0080 on, and their classes.
  private let starts: [UInt32]
  private let classes: [UInt16]
  /// The side that each class is, for assertions.
  let sides: [UInt8]

  var count: Int { sides.count }

  /// Creates the classes for some sets, and gives each set's classes.
  ///
  /// - Parameters:
  ///   - hasAssertions: Whether line feeds and words are classes of their own.
  ///   - members: Gets, for each class, a scalar of it.
  init(_ sets: [ScalarSet], hasAssertions: Bool, members: inout [UInt32]) {
    let sets = hasAssertions ? sets + [.words, .lineFeed] : sets
    var edges: Set<UInt32> = [0, 0x80]
    for set in sets {
      for range in set.ranges {
        edges.insert(range.lowerBound)
        if range.upperBound < ScalarSet.last { edges.insert(range.upperBound + 1) }
      }
    }
    var known: [[UInt64]: UInt16] = [:]
    var (ascii, starts, classes, sides): ([UInt16], [UInt32], [UInt16], [UInt8]) = ([], [], [], [])
    for edge in edges.sorted() {
      let signature = Self.signature(of: edge, sets)
      let number = known[signature] ?? UInt16(known.count)
      if known.updateValue(number, forKey: signature) == nil {
        members.append(edge)
        sides.append(UInt8(Surroundings.Side(edge).rawValue))
      }
      while ascii.count < min(Int(edge), 0x80), let last = ascii.last { ascii.append(last) }
      if edge < 0x80 { ascii.append(number) }
      if edge >= 0x80, classes.last != number {
        starts.append(edge)
        classes.append(number)
      }
    }
    (self.ascii, self.starts, self.classes, self.sides) = (ascii, starts, classes, sides)
  }

  private static func signature(of scalar: UInt32, _ sets: [ScalarSet]) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (sets.count + 63) / 64)
    for (index, set) in sets.enumerated() where set.contains(scalar) { words[index / 64] |= 1 << UInt64(index % 64) }
    return words
  }

  /// The class of the scalar at a place of UTF-8, which moves behind it; a byte that is no UTF-8 is U+FFFD.
  @inline(__always)
  func classify(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Int {
    let byte = bytes[place]
    if byte < 0x80 {
      place += 1
      return Int(ascii[Int(byte)])
    }
    return search(Self.scalar(bytes, &place))
  }

  private func search(_ scalar: UInt32) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= scalar { low = middle } else { high = middle }
    }
    return Int(classes[low])
  }

  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32 {
    let first = bytes[place]
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
    guard length > 1, bytes.count - place >= length else {
      place += 1
      return 0xfffd
    }
    var scalar = UInt32(first) & (0x7f >> UInt32(length))
    for index in 1..<length {
      guard bytes[place + index] & 0xc0 == 0x80 else {
        place += 1
        return 0xfffd
      }
      scalar = scalar << 6 | UInt32(bytes[place + index] & 0x3f)
    }
    place += length
    return scalar
  }
}
