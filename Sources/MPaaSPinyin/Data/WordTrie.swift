import MPaaSSupport

/// Words, what each costs where text is divided into them, and how they are read: the sections WORD, NAME, GIVN, PERS
/// and PLAC of the data file.
///
/// UInt32 numbers of nodes, roots, inner nodes, patterns and long numbers, and 0; then columns, each filled up to 8
/// bytes: the character of each node (UInt16), its cost (UInt8; 0 where no word ends), the number of its pattern
/// (UInt8; 255: among the long numbers); a bit for each node with children (UInt64), how many such nodes stand before
/// each 64 (UInt32), where the children of each inner node begin (UInt32, one more at the end); patterns (UInt64); the
/// nodes with long numbers (UInt32), the numbers (UInt16). Nodes lie level by level, children in the order of their
/// characters.
struct WordTrie: Sendable {
  static let empty = WordTrie()
  /// The most characters that a word has.
  static let longest = 12

  private let owner: Bytes
  private let rootCount: Int
  private let labels: DataColumn<UInt16>
  private let costs: DataColumn<UInt8>
  private let codes: DataColumn<UInt8>
  private let inner: DataColumn<UInt64>
  private let ranks: DataColumn<UInt32>
  private let starts: DataColumn<UInt32>
  private let patterns: DataColumn<UInt64>
  private let longNodes: DataColumn<UInt32>
  private let longNumbers: DataColumn<UInt16>

  private init() {
    owner = .empty
    rootCount = 0
    labels = .empty
    costs = .empty
    codes = .empty
    inner = .empty
    ranks = .empty
    starts = .empty
    patterns = .empty
    longNodes = .empty
    longNumbers = .empty
  }

  init?(_ bytes: Bytes) {
    var cursor = ByteCursor(bytes.buffer)
    func number() -> Int? { (try? cursor.u32()).map(Int.init) }
    guard let nodes = number(), let roots = number(), let innerCount = number(), let patternCount = number(),
      let longCount = number(), number() != nil,
      let labels = DataColumn<UInt16>(&cursor, count: nodes), let costs = DataColumn<UInt8>(&cursor, count: nodes),
      let codes = DataColumn<UInt8>(&cursor, count: nodes),
      let inner = DataColumn<UInt64>(&cursor, count: (nodes + 63) / 64),
      let ranks = DataColumn<UInt32>(&cursor, count: (nodes + 63) / 64),
      let starts = DataColumn<UInt32>(&cursor, count: innerCount + 1),
      let patterns = DataColumn<UInt64>(&cursor, count: patternCount),
      let longNodes = DataColumn<UInt32>(&cursor, count: longCount),
      let longNumbers = DataColumn<UInt16>(&cursor, count: longCount), roots <= nodes
    else { return nil }
    owner = bytes
    rootCount = roots
    self.labels = labels
    self.costs = costs
    self.codes = codes
    self.inner = inner
    self.ranks = ranks
    self.starts = starts
    self.patterns = patterns
    self.longNodes = longNodes
    self.longNumbers = longNumbers
  }

  /// The node of a character among those from `low` to `high`, -1 where there is none.
  @inline(__always) private func find(_ label: UInt16, _ low: Int, _ high: Int) -> Int {
    var low = low
    var size = high - low
    while size > 1 {
      let half = size >> 1
      low = labels[low + half] <= label ? low + half : low
      size -= half
    }
    return size == 1 && labels[low] == label ? low : -1
  }

  /// The node where a word begins with a character, -1 where none does.
  func root(_ label: UInt16) -> Int { find(label, 0, rootCount) }

  /// The node that follows another with a character, -1 where no word goes on so.
  @inline(__always) func child(of node: Int, _ label: UInt16) -> Int {
    let bits = inner[node >> 6]
    let bit = UInt64(1) << UInt64(node & 63)
    guard bits & bit != 0 else { return -1 }
    let rank = Int(ranks[node >> 6]) + (bits & (bit - 1)).nonzeroBitCount
    return find(label, Int(starts[rank]), min(Int(starts[rank + 1]), labels.count))
  }

  /// The cost of the word that ends at a node, in twelfths of a nat; 0 where none ends.
  @inline(__always) func cost(_ node: Int) -> Int32 { Int32(costs[node]) }

  /// The pattern of the word that ends at a node.
  @inline(__always) func pattern(_ node: Int) -> ReadingPattern {
    let code = Int(codes[node])
    return ReadingPattern(bits: patterns[code < 255 ? code : long(node)])
  }

  private func long(_ node: Int) -> Int {
    var low = 0
    var high = longNodes.count
    while low < high {
      let middle = (low + high) / 2
      if Int(longNodes[middle]) < node { low = middle + 1 } else { high = middle }
    }
    return Int(longNumbers[low])
  }

  /// The pattern of a whole word, nil where there is none.
  func pattern(of word: UnsafeBufferPointer<UInt16>) -> ReadingPattern? {
    guard let first = word.first, word.count <= Self.longest else { return nil }
    var node = root(first)
    for label in word.dropFirst() where node >= 0 { node = child(of: node, label) }
    return node >= 0 && cost(node) != 0 ? pattern(node) : nil
  }
}

/// The readings of the characters of a word, four bits each, the first lowest.
///
/// They are which of the character's readings (0...6), 8 more for the same without its tone, 15 where the word does not
/// say. The highest four are 0 where nothing beside the word counts.
struct ReadingPattern {
  let bits: UInt64

  /// Tells whether the word's readings hold whatever stands around it.
  var holds: Bool { bits >> 60 == 0 }

  @inline(__always) func code(_ position: Int) -> Int { Int(bits >> UInt64(min(position, 14) * 4) & 15) }

  /// The reading of a character at a position; `.none` where the word does not say.
  func reading(_ position: Int, of readings: ReadingTable.List) -> Reading {
    let code = code(position)
    guard code != 15, code & 7 < readings.count else { return .none }
    let reading = readings[code & 7]
    return code & 8 == 0 ? reading : Reading(rawValue: reading.rawValue & ~7 | 5)
  }
}
