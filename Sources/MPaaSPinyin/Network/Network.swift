import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The network's answers about characters of a text.
///
/// Long texts are read a sentence at a time; of a sentence without a character that is asked for, nothing is computed.
struct Network: Sendable {
  /// The network's answer about one character.
  struct Answer {
    /// Its most probable reading.
    let reading: Reading
    /// The logarithm of how probable that is; at most 0.
    let likelihood: Float
    fileprivate let weights: NetworkWeights
    fileprivate let classes: UnsafeBufferPointer<UInt16>
    /// Logarithms: nothing is more probable than `highest`.
    fileprivate let activations: UnsafeMutablePointer<Float>
    fileprivate let highest: Float

    /// The logarithm of a reading's probability over that of the most probable one; at most 0, at least `floor`.
    func advantage(of reading: Reading, floor: Float) -> Float {
      for index in 0..<classes.count where weights.reading(classes[index]) == reading {
        return Swift.max(activations[index] - highest, floor)
      }
      return floor
    }
  }

  /// Sentences are cut where they are longer than this.
  private static let longest = 240
  /// The number of neighbors that a piece of a cut sentence is read with.
  private static let margin = 20

  private static let section = PinyinData.Section("NETW")
  private static let builtIn = PinyinData.builtIn[section].flatMap(NetworkWeights.init)

  private let weights: NetworkWeights
  private let folding: FoldingTable
  private let readings: ReadingTable

  /// - Parameter data: nil where it has no network. All engines over the data in the program share one.
  init?(_ data: PinyinData) {
    guard let section = data[Self.section] else { return nil }
    let own = section.buffer.baseAddress == PinyinData.builtIn[Self.section]?.buffer.baseAddress
    guard let weights = own ? Self.builtIn : NetworkWeights(section) else { return nil }
    self.init(weights, data)
  }

  init(_ weights: NetworkWeights, _ data: PinyinData) {
    self.weights = weights
    folding = data.folding
    readings = data.readings
  }

  /// The network knows simplified characters.
  @inline(__always) private func index(_ scalar: UInt32) -> Int { weights.index(folding[scalar]) }

  /// Asks about the characters of a text that the network was trained to read.
  ///
  /// - Parameters:
  ///   - reads: Tells whether a sentence, or a piece of a long one, is of interest.
  ///   - isOpen: Tells whether a position is of interest.
  ///   - body: Called for each such position, in order.
  @inline(__always) func answers(
    _ scalars: UnsafeBufferPointer<UInt32>, in reads: (Range<Int>) -> Bool, where isOpen: (Int) -> Bool,
    _ body: (Int, Answer) -> Void
  ) {
    var start = 0
    while start < scalars.count {
      let (end, whole) = Self.piece(scalars, from: start)
      // The positions asked about, from the first to the last.
      var first = end
      var last = start
      for position in start..<end where weights.reads(index(scalars[position])) && isOpen(position) {
        if first == end { first = position }
        last = position
      }
      if first < end, reads(start..<end) {
        let before = start > 0 && !Self.endsSentence(scalars[start - 1]) ? Swift.min(Self.margin, start) : 0
        let after = whole ? 0 : Swift.min(Self.margin, scalars.count - end)
        read(scalars, start - before..<end + after, first...last, isOpen, body)
      }
      start = end
    }
  }

  @inline(__always) private func read(
    _ scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ wanted: ClosedRange<Int>, _ isOpen: (Int) -> Bool,
    _ body: (Int, Answer) -> Void
  ) {
    // A heading or a name is read as if a full stop stood behind it: the network has only seen whole sentences.
    let isUnfinished = range.upperBound == scalars.count && scalars[range.upperBound - 1] >= 0x3400
    let count = range.count + (isUnfinished ? 3 : 2)
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { indices in
      withUnsafeTemporaryAllocation(of: NetworkWeights.Vector.self, capacity: NetworkPass.room(count)) { room in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: NetworkWeights.mostClasses) { floats in
          guard let memory = room.baseAddress, let activations = floats.baseAddress else { return }
          indices[0] = UInt16(truncatingIfNeeded: weights.begin)
          for position in range {
            indices[position - range.lowerBound + 1] = UInt16(truncatingIfNeeded: index(scalars[position]))
          }
          if isUnfinished { indices[count - 2] = UInt16(truncatingIfNeeded: weights.index(0x3002)) }
          indices[count - 1] = UInt16(truncatingIfNeeded: weights.end)
          let shift = 1 - range.lowerBound
          let pass = NetworkPass(weights, room: memory)
          pass.run(UnsafeBufferPointer(indices), for: wanted.lowerBound + shift..<wanted.upperBound + shift + 1)
          for position in wanted {
            let classes = weights.classes(Int(indices[position + shift]))
            guard !classes.isEmpty, isOpen(position) else { continue }
            pass.activations(of: classes, at: position + shift, into: activations)
            if let answer = answer(for: scalars[position], classes, activations) { body(position, answer) }
          }
        }
      }
    }
  }

  /// The answer for a character; nil where none of the classes is a reading of it, traditional as it may be.
  @inline(__always) private func answer(
    for scalar: UInt32, _ classes: UnsafeBufferPointer<UInt16>, _ activations: UnsafeMutablePointer<Float>
  ) -> Answer? {
    let isFolded = folding[scalar] != scalar
    var best = -1
    for index in 0..<classes.count {
      if isFolded, !readings[scalar].contains(weights.reading(classes[index])) { activations[index] = -1000 }
      if activations[index] > (best < 0 ? -1000 : activations[best]) { best = index }
    }
    guard best >= 0 else { return nil }
    let highest = activations[best]
    var sum: Float = 0
    for index in 0..<classes.count { sum += NetworkPass.exponential(activations[index] - highest) }
    return Answer(
      reading: weights.reading(classes[best]), likelihood: -log(sum), weights: weights, classes: classes,
      activations: activations, highest: highest)
  }

  private static func endsSentence(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0A, 0x21, 0x3F, 0x3002, 0xFF01, 0xFF1F: true
    default: false
    }
  }

  /// The end of the piece that begins at `start`, and whether a sentence ends there.
  private static func piece(_ scalars: UnsafeBufferPointer<UInt32>, from start: Int) -> (end: Int, whole: Bool) {
    var comma = start
    let limit = Swift.min(scalars.count, start + longest)
    for position in start..<limit {
      let scalar = scalars[position]
      if endsSentence(scalar) { return (position + 1, true) }
      // ， ； 、 and a space
      if scalar == 0xFF0C || scalar == 0xFF1B || scalar == 0x3001 || scalar == 0x20 { comma = position + 1 }
    }
    if limit == scalars.count { return (limit, true) }
    return (comma - start > longest / 2 ? comma : limit, false)
  }
}
