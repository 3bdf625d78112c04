/// A regular expression of RE2's language that tells where it is found, and where its groups are.
///
/// Of several matches it is the leftmost one, and of those that begin there the one that Perl would find. The work for a
/// scalar is at most that for all steps of the expression once; `Pattern` tells faster whether there is a match at all.
package struct PatternSearch: Sendable {
  /// The most scalars of a match; nil where there is no end.
  package let longestMatch: Int?
  /// The number of groups, without the whole match.
  package let groupCount: Int
  private let steps: [SearchProgram.Step]
  private let alphabet: Alphabet
  private let surroundings: Surroundings
  /// For each set the classes that are in it.
  private let accepted: [Bool]
  private let required: RequiredBytes
  private let starts: StartBytes

  /// Reads an expression.
  ///
  /// - Throws: `PatternError` with the offset of what cannot be there.
  package init(_ text: String, ignoresCase: Bool = false) throws(PatternError) {
    guard text.utf8.count <= Pattern.longest else { throw PatternError(.tooLong, at: Pattern.longest) }
    var parser = PatternParser(text, ignoresCase: ignoresCase, keepsGroups: true)
    let node = try parser.parse()
    let program = try SearchProgram(node)
    var members: [UInt32] = []
    alphabet = Alphabet(program.sets, hasAssertions: program.hasAssertions, members: &members)
    accepted = program.sets.flatMap { set in members.map { set.contains($0) } }
    surroundings = Surroundings(program.hasAssertions ? .max : 0)
    steps = program.steps
    required = RequiredBytes(node)
    starts = StartBytes(node)
    (longestMatch, groupCount) = (node.longest, parser.groupCount)
  }

  /// Tells whether a text has bytes without which there is no match: a fast look before any other.
  package func mayMatch(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { required.isMet(by: bytes) }

  /// The first match at or behind a place: its bytes, then those of its groups, nil where one has no part in it.
  package func firstMatch(in bytes: UnsafeBufferPointer<UInt8>, from place: Int = 0) -> [Range<Int>?]? {
    guard (0...bytes.count).contains(place) else { return nil }
    var threads = Threads(steps: steps.count, slots: 2 * groupCount + 2)
    var next = threads
    var (place, found) = (place, [Int]?.none)
    var before = side(before: place, bytes)
    while true {
      if threads.isEmpty, found == nil, let start = starts.first(in: bytes, from: place) {
        if start > place { (place, before) = (start, side(before: start, bytes)) }
      }
      var end = place
      let number = place < bytes.count ? alphabet.classify(bytes, &end) : nil
      let behind = number.map { Int(alphabet.sides[$0]) } ?? Surroundings.Side.edge.rawValue
      // A match that begins further to the right is none while there is one.
      if found == nil { threads.begin(steps, at: place, surroundings.kinds[surroundings.kind(before, behind)]) }
      guard !threads.isEmpty || found == nil else { break }
      next.clear()
      let match = threads.advance(into: &next, steps, at: end, bits(after: behind, at: end, bytes)) { set in
        number.map { accepted[set * alphabet.count + $0] } ?? false
      }
      if let match { found = match }
      guard number != nil else { break }
      swap(&threads, &next)
      (place, before) = (end, behind)
    }
    return found.map { slots in
      (0...groupCount).map { slots[2 * $0] >= 0 && slots[2 * $0 + 1] >= 0 ? slots[2 * $0]..<slots[2 * $0 + 1] : nil }
    }
  }

  private func side(before place: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    // Continuation bytes are no words, as all scalars outside ASCII.
    place == 0 ? Surroundings.Side.edge.rawValue : Surroundings.Side(UInt32(bytes[place - 1])).rawValue
  }

  private func bits(after side: Int, at place: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
    var end = place
    let behind =
      place < bytes.count
      ? Int(alphabet.sides[alphabet.classify(bytes, &end)]) : Surroundings.Side.edge.rawValue
    return surroundings.kinds[surroundings.kind(side, behind)]
  }
}
