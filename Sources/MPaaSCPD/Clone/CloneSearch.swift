import MPaaSSupport

/// A search for clones in sources that were read.
struct CloneSearch {
  let read: ReadSources
  let options: CloneOptions
  /// The start of each source's tokens in the stream, and the source, in their order.
  private let starts: [(token: Int, source: Int)]

  init(_ read: ReadSources, _ options: CloneOptions) {
    (self.read, self.options) = (read, options)
    starts = read.sources.enumerated().filter { $1.original == nil }.map { ($1.start, $0) }
  }

  func clones() -> [CodeClone] {
    var ranges = CloneRanges()
    let minimum = options.minimumTokens
    let wantsGaps = options.types.contains(.gapped)
    var exact: [TokenRepeat] = []
    if wantsGaps || options.types.contains(.exact) || options.types.contains(.renamed) {
      let window = wantsGaps ? Self.seed(minimum) : minimum
      exact = RepeatFinder.repeats(in: read.stream, window: window, renames: false)
    }
    if options.types.contains(.renamed) {
      let filter = RenamedFilter(read.stream, part: Self.seed(minimum))
      for found in RepeatFinder.repeats(in: read.stream, window: minimum, renames: true) {
        if let rest = filter.kept(found) { ranges.add(.renamed, rest) }
      }
    }
    if wantsGaps {
      for chain in GapChains(read.stream, starts, options).chains(of: exact) where !ranges.covers(chain.places) {
        ranges.add(chain)
      }
    }
    if options.types.contains(.exact) {
      for found in exact where found.length >= minimum { ranges.add(.exact, found) }
    }
    return copies() + ranges.kept().map(clone)
  }

  /// The least length of a part of a clone with gaps.
  static func seed(_ minimum: Int) -> Int { max(min(minimum, 10), minimum / 2) }

  /// Sources that are wholly the same: each is told once as a clone.
  private func copies() -> [CodeClone] {
    guard options.types.contains(.exact) else { return [] }
    var groups: [Int: [Int]] = [:]
    for (index, source) in read.sources.enumerated() {
      if let original = source.original { groups[original, default: [original]].append(index) }
    }
    return groups.sorted { $0.key < $1.key }.compactMap { original, members in
      let source = read.sources[original]
      guard source.tokens >= options.minimumTokens else { return nil }
      return CodeClone(
        type: .exact, tokens: source.tokens, similarity: 1,
        places: members.map { ClonePlace(source: $0, tokens: 0..<source.length) },
        parts: [ClonePlace(source: original, tokens: 0..<source.length)],
        key: key(.exact, [source.start..<source.start + source.length]))
    }
  }

  private func clone(_ found: CloneRanges.Found) -> CodeClone {
    CodeClone(
      type: found.type, tokens: found.tokens, similarity: found.similarity, places: found.places.map(place),
      parts: found.parts.map(place), key: key(found.type, found.parts))
  }

  /// The name of code by its tokens alone, wherever it stands: names that may be exchanged count by their order.
  private func key(_ type: CloneType, _ parts: [Range<Int>]) -> String {
    var low = UInt64(type.rawValue)
    var high: UInt64 = 0x9e37_79b9_7f4a_7c15
    var names: [UInt32: UInt64] = [:]
    for token in parts.joined().lazy.map({ read.stream.tokens[$0] }) where token < TokenStream.firstEnd {
      var value = read.stream.hashes[Int(token)]
      if type == .renamed {
        switch read.stream.kinds[Int(token)] {
        case .word:
          value = names[token] ?? UInt64(names.count)
          names[token] = value
        case .string: value = 1 << 40
        case .number: value = 1 << 41
        default: break
        }
      }
      low = TokenHash.mix(low ^ value)
      high = TokenHash.mix(high &+ value &* 0x9ddf_ea08_eb38_2d69)
    }
    return withUnsafeBytes(of: (low.bigEndian, high.bigEndian)) { Array($0).hexadecimal }
  }

  private func place(_ range: Range<Int>) -> ClonePlace {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].token <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    let (token, source) = starts[max(low - 1, 0)]
    return ClonePlace(source: source, tokens: range.lowerBound - token..<range.upperBound - token)
  }
}
