import MPaaSSupport

/// An automaton that finds all of many words in one pass, whatever their case in ASCII.
///
/// - Source: A. Aho, M. Corasick, "Efficient string matching: an aid to bibliographic search", CACM 18 (1975).
package struct KeywordAutomaton: Sendable {
  /// For each state the next ones by class of byte, each as the place of its row.
  private let next: [UInt32]
  /// The class of each byte; letters of both cases have one.
  private let classes: [UInt8]
  /// Rows from here on are of states at which a word ends.
  private let firstEnd: UInt32
  private let width: Int
  /// For each state at which a word ends, by its row from `firstEnd` on, the numbers of these words.
  private let ends: [[Int]]

  /// Makes the automaton; words are found by their numbers.
  package init(_ words: [[UInt8]]) {
    let words = words.map { $0.map(Self.folded) }
    var classes = [UInt8](repeating: 0, count: 256)
    var count = 1
    for byte in Set(words.joined()).sorted() {
      // More than 255 bytes cannot be, since capitals are folded.
      classes[Int(byte)] = UInt8(count)
      if (0x61...0x7a).contains(byte) { classes[Int(byte) - 0x20] = UInt8(count) }
      count += 1
    }
    var trie = KeywordTrie(width: count)
    for (number, word) in words.enumerated() where !word.isEmpty {
      trie.add(word.map { Int(classes[Int($0)]) }, number: number)
    }
    trie.link()
    // States at which words end get the highest numbers, so that a comparison tells them.
    let order = (0..<trie.ends.count).filter { trie.ends[$0].isEmpty }
    let last = (0..<trie.ends.count).filter { !trie.ends[$0].isEmpty }
    var rows = [Int](repeating: 0, count: trie.ends.count)
    for (row, state) in (order + last).enumerated() { rows[state] = row }
    next = (order + last).flatMap { state in
      (0..<count).map { UInt32(rows[trie.next[state * count + $0]] * count) }
    }
    self.classes = classes
    firstEnd = UInt32(order.count * count)
    width = count
    ends = last.map { trie.ends[$0] }
  }

  static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte + 0x20 : byte }

  /// Goes through bytes, and gives the end of each word that is there with the numbers of the words that end there.
  ///
  /// - Parameter found: Returns false to stop.
  @inline(__always)
  package func scan(_ bytes: UnsafeRawBufferPointer, _ found: (_ end: Int, _ words: [Int]) -> Bool) {
    next.withUnsafeBufferPointer { next in
      classes.withUnsafeBufferPointer { classes in
        guard let next = next.baseAddress, let classes = classes.baseAddress, let base = bytes.baseAddress else {
          return
        }
        var state: UInt32 = 0
        for place in 0..<bytes.count {
          let byte = base.load(fromByteOffset: place, as: UInt8.self)
          state = next[Int(state &+ UInt32(classes[Int(byte)]))]
          if state >= firstEnd, !found(place + 1, ends[Int(state - firstEnd) / width]) { return }
        }
      }
    }
  }
}

/// Words by their beginnings, with the way back from each to the longest other beginning that ends it.
struct KeywordTrie {
  private let width: Int
  private(set) var next: [Int]
  private(set) var ends: [[Int]] = [[]]

  init(width: Int) {
    self.width = width
    next = [Int](repeating: 0, count: width)
  }

  mutating func add(_ word: [Int], number: Int) {
    var state = 0
    for letter in word {
      if next[state * width + letter] == 0 {
        next[state * width + letter] = ends.count
        next += [Int](repeating: 0, count: width)
        ends.append([])
      }
      state = next[state * width + letter]
    }
    ends[state].append(number)
  }

  /// Fills in where to go on when the next letter is none of the word's.
  mutating func link() {
    var back = [Int](repeating: 0, count: ends.count)
    var queue = (0..<width).map { next[$0] }.filter { $0 != 0 }
    var index = 0
    while index < queue.count {
      let state = queue[index]
      index += 1
      ends[state] += ends[back[state]]
      for letter in 0..<width {
        let child = next[state * width + letter]
        let other = next[back[state] * width + letter]
        if child == 0 {
          next[state * width + letter] = other
        } else {
          back[child] = other
          queue.append(child)
        }
      }
    }
  }
}
