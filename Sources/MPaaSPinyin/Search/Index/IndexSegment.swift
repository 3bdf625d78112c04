import MPaaSSupport

/// The facts of an index about one character that occurs in its texts.
struct IndexedCharacter {
  /// The character itself.
  var scalar: UInt32
  /// The value that it is compared as when it stands for itself.
  var literal: UInt32
  /// The place of its readings in the segment's list (24 bits), and how many there are (8 bits, the lowest).
  var list: UInt32
  /// The first reading, so that most characters need not look at the list.
  var first: UInt32

  @inline(__always) var count: Int { Int(list & 0xFF) }
  @inline(__always) var start: Int { Int(list >> 8) }
}

/// Texts that were indexed together; never changed once made, in memory or in a mapped file.
///
/// `@unchecked Sendable`: the memory that the pointers lead to is never written after the value is made, and `parts`
/// keeps it.
final class IndexSegment: @unchecked Sendable {
  /// One array of a segment, in the order of the file.
  enum Part: Int, CaseIterable {
    case elements, starts, startBits, startRanks, groups, classes, sortKeys, readings, byLiteral, keys, postings,
      thirds

    /// Bytes of an entry.
    var stride: Int {
      switch self {
      case .elements, .starts, .startRanks, .readings, .keys, .postings: 4
      case .startBits, .sortKeys, .byLiteral: 8
      case .groups, .thirds: 1
      case .classes: 16
      }
    }
  }

  /// The flags of an element besides the number of its class.
  enum Element {
    static let last: UInt32 = 1 << 31
    static let passedOver: UInt32 = 1 << 30
    static let classes: UInt32 = (1 << 21) - 1
  }

  /// The characters of all texts one after another: the number of the class and two marks.
  let elements: UnsafeBufferPointer<UInt32>
  /// The beginning of each text, and the end; a text without characters has one of class 0.
  let starts: UnsafeBufferPointer<UInt32>
  /// A bit for each element that begins a text, and how many there are before each 64.
  let startBits: UnsafeBufferPointer<UInt64>
  let startRanks: UnsafeBufferPointer<UInt32>
  /// The group of each text; nothing where all are in the first.
  let groups: UnsafeBufferPointer<UInt8>
  let classes: UnsafeBufferPointer<IndexedCharacter>
  /// The keys that order each class by its pinyin.
  let sortKeys: UnsafeBufferPointer<UInt64>
  let readings: UnsafeBufferPointer<UInt32>
  /// The classes by what they are compared as: that in the upper half, the class in the lower.
  let byLiteral: UnsafeBufferPointer<UInt64>
  /// The beginning of each pair's positions, and the end.
  let keys: UnsafeBufferPointer<UInt32>
  let postings: UnsafeBufferPointer<UInt32>
  /// For each of them the symbol that comes third, where it is one only; else `anyThird`.
  let thirds: UnsafeBufferPointer<UInt8>
  let parts: [Bytes]
  let layout: KeyLayout

  static let anyThird: UInt8 = 64

  var textCount: Int { starts.count - 1 }
  var spellings: Spellings { layout.spellings }

  init(_ parts: [Bytes], layout: KeyLayout) {
    self.parts = parts
    self.layout = layout
    func view<Value>(_ part: Part, _: Value.Type) -> UnsafeBufferPointer<Value> {
      parts[part.rawValue].buffer.bindMemory(to: Value.self)
    }
    elements = view(.elements, UInt32.self)
    starts = view(.starts, UInt32.self)
    startBits = view(.startBits, UInt64.self)
    startRanks = view(.startRanks, UInt32.self)
    groups = view(.groups, UInt8.self)
    classes = view(.classes, IndexedCharacter.self)
    sortKeys = view(.sortKeys, UInt64.self)
    readings = view(.readings, UInt32.self)
    byLiteral = view(.byLiteral, UInt64.self)
    keys = view(.keys, UInt32.self)
    postings = view(.postings, UInt32.self)
    thirds = view(.thirds, UInt8.self)
  }

  /// The text of the element at `position`.
  @inline(__always) func text(at position: Int) -> Int {
    let word = position >> 6
    let below = startBits[word] & (UInt64.max >> UInt64(63 - position & 63))
    return Int(startRanks[word]) + below.nonzeroBitCount - 1
  }

  @inline(__always) func range(of text: Int) -> Range<Int> { Int(starts[text])..<Int(starts[text + 1]) }

  @inline(__always) func characterClass(_ element: UInt32) -> IndexedCharacter {
    classes[Int(element & Element.classes)]
  }

  func group(of text: Int) -> UInt8 { groups.isEmpty ? 0 : groups[text] }

  /// The scalars of a text.
  func scalars(of text: Int) -> [Unicode.Scalar] {
    range(of: text).compactMap { position in
      let number = elements[position] & Element.classes
      return number == 0 ? nil : Unicode.Scalar(classes[Int(number)].scalar)
    }
  }

  /// A text as it was given.
  func string(of text: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars(of: text))
    return String(view)
  }

  /// The classes that are compared as `literal`.
  func classes(comparedAs literal: UInt32) -> ArraySlice<Int> {
    var (low, high) = (0, byLiteral.count)
    while low < high {
      let middle = (low + high) / 2
      if byLiteral[middle] >> 32 < UInt64(literal) { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < byLiteral.count, byLiteral[low] >> 32 == UInt64(literal) {
      found.append(Int(byLiteral[low] & 0xFFFF_FFFF))
      low += 1
    }
    return found[...]
  }

  /// The order of two texts by pinyin, the second perhaps in another segment.
  func precedes(_ text: Int, _ other: Int, in segment: IndexSegment) -> Bool? {
    let left = range(of: text)
    let right = segment.range(of: other)
    var (i, j) = (left.lowerBound, right.lowerBound)
    while i < left.upperBound, j < right.upperBound {
      let first = sortKeys[Int(elements[i] & Element.classes)]
      let second = segment.sortKeys[Int(segment.elements[j] & Element.classes)]
      if first != second { return first < second }
      i += 1
      j += 1
    }
    return left.count == right.count ? nil : left.count < right.count
  }
}

/// The places of the positions of each pair of neighbors: by the first one's symbol, then the second one's, then by
/// what the first one is read as.
struct KeyLayout: Sendable {
  let spellings: Spellings
  /// The first key of each symbol, and the end.
  let bases: [Int]
  /// The number of slots of a symbol for each second one: one for characters without readings, one for each spelling.
  let widths: [Int]
  /// The key of each spelling with second symbol 0, and that of its symbol's next one.
  let spellingKeys: [Int]

  var count: Int { bases[64] }

  init(_ spellings: Spellings) {
    self.spellings = spellings
    let widths = (0..<64).map { 1 + spellings.starts[$0 + 1] - spellings.starts[$0] }
    let bases = widths.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1 * 64) }
    self.widths = widths
    self.bases = bases
    spellingKeys = spellings.symbols.enumerated().map { number, symbol in
      bases[Int(symbol)] + 1 + number - spellings.starts[Int(symbol)]
    }
  }

  /// The symbol under which a class surely stands as a second one.
  func symbol(of character: IndexedCharacter) -> Int {
    guard character.count > 0 else { return SearchSymbol.of(character.literal) }
    return Int(spellings.symbols[SearchReadings.Entry(rawValue: character.first).spelling])
  }

  /// All the symbols under which a class stands as a second one.
  func symbols(of character: IndexedCharacter, _ segment: IndexSegment) -> UInt64 {
    guard character.count > 0 else { return 1 << UInt64(SearchSymbol.of(character.literal)) }
    return (character.start..<character.start + character.count).reduce(0) {
      $0 | 1 << UInt64(spellings.symbols[SearchReadings.Entry(rawValue: segment.readings[$1]).spelling])
    }
  }
}
