/// Repeats that follow one another at two places, with other code between them.
struct GapChains {
  private let stream: TokenStream
  private let starts: [(token: Int, source: Int)]
  private let options: CloneOptions
  /// The part of a clone that must be alike.
  private static let leastSimilarity = 0.7

  init(_ stream: TokenStream, _ starts: [(token: Int, source: Int)], _ options: CloneOptions) {
    (self.stream, self.starts, self.options) = (stream, starts, options)
  }

  /// The same tokens at two places of the stream.
  private struct Pair {
    var left: Int
    var right: Int
    var length: Int
    /// The ends of the sources that they lie in.
    var sources: (left: Int, right: Int)
  }

  private struct Chain {
    var pairs: [Pair]
    var matched: Int { pairs.reduce(0) { $0 + $1.length } }
    var largest: Int { pairs.map(\.length).max() ?? 0 }
    var left: Range<Int> { pairs[0].left..<pairs[pairs.count - 1].left + pairs[pairs.count - 1].length }
    var right: Range<Int> { pairs[0].right..<pairs[pairs.count - 1].right + pairs[pairs.count - 1].length }
    var similarity: Double { Double(matched) / Double(max(left.count, right.count)) }
  }

  func chains(of repeats: [TokenRepeat]) -> [CloneRanges.Found] {
    let pairs = repeats.flatMap(pairs).sorted {
      if $0.sources.left != $1.sources.left { return $0.sources.left < $1.sources.left }
      if $0.sources.right != $1.sources.right { return $0.sources.right < $1.sources.right }
      return $0.left != $1.left ? $0.left < $1.left : $0.right < $1.right
    }
    var used = [Bool](repeating: false, count: pairs.count)
    var chains: [Chain] = []
    for first in pairs.indices where !used[first] {
      var chain = Chain(pairs: [pairs[first]])
      var last = first
      while let (next, trimmed) = follower(of: chain, after: last, in: pairs, used) {
        used[next] = true
        chain.pairs.append(trimmed)
        last = next
      }
      if chain.pairs.count > 1, isClone(chain) { chains.append(chain) }
    }
    return united(chains)
  }

  private func isClone(_ chain: Chain) -> Bool {
    chain.matched >= options.minimumTokens && chain.similarity >= Self.leastSimilarity
      && chain.matched - chain.largest >= CloneSearch.seed(options.minimumTokens) / 2
      && (chain.left.upperBound <= chain.right.lowerBound || chain.right.upperBound <= chain.left.lowerBound)
  }

  private func pairs(_ found: TokenRepeat) -> [Pair] {
    let places = found.places
    var pairs: [Pair] = []
    for (index, left) in places.enumerated() {
      // All pairs of a few; of many, neighbors.
      let last = places.count <= 6 ? places.count - 1 : min(index + 1, places.count - 1)
      guard index < last else { break }
      for right in places[(index + 1)...last] {
        pairs.append(Pair(left: left, right: right, length: found.length, sources: (source(left), source(right))))
      }
    }
    return pairs
  }

  /// The nearest pair that follows within the gap on both sides, without what overlaps.
  private func follower(
    of chain: Chain, after last: Int, in pairs: [Pair], _ used: [Bool]
  ) -> (index: Int, pair: Pair)? {
    let (left, right) = (chain.left.upperBound, chain.right.upperBound)
    let sources = chain.pairs[0].sources
    var best: (index: Int, pair: Pair, distance: Int)?
    var next = last + 1
    var looks = 0
    while next < pairs.count, looks < 256 {
      let pair = pairs[next]
      guard pair.sources == sources, pair.left <= left + options.gap else { break }
      looks += 1
      defer { next += 1 }
      let overlap = max(0, left - pair.left, right - pair.right)
      let trimmed = Pair(
        left: pair.left + overlap, right: pair.right + overlap, length: pair.length - overlap, sources: sources)
      guard !used[next], trimmed.length >= CloneSearch.seed(options.minimumTokens) / 2 else { continue }
      let gaps = (trimmed.left - left, trimmed.right - right)
      guard gaps.0 <= options.gap, gaps.1 <= options.gap else { continue }
      if gaps.0 + gaps.1 < best?.distance ?? .max { best = (next, trimmed, gaps.0 + gaps.1) }
    }
    return best.map { ($0.index, $0.pair) }
  }

  /// Chains of two places as clones; those that have a place in common are one.
  private func united(_ chains: [Chain]) -> [CloneRanges.Found] {
    var founds: [CloneRanges.Found] = []
    var known: [Range<Int>: Int] = [:]
    for chain in chains {
      let (left, right) = (chain.left, chain.right)
      if let index = known[left] ?? known[right] {
        for place in [left, right] where !founds[index].places.contains(where: { $0.overlaps(place) }) {
          founds[index].places.append(place)
          known[place] = index
        }
        founds[index].places.sort { $0.lowerBound < $1.lowerBound }
        founds[index].tokens = min(founds[index].tokens, chain.matched)
        founds[index].similarity = min(founds[index].similarity, chain.similarity)
        continue
      }
      (known[left], known[right]) = (founds.count, founds.count)
      let places = left.lowerBound < right.lowerBound ? [left, right] : [right, left]
      founds.append(
        CloneRanges.Found(
          type: .gapped, tokens: chain.matched, similarity: chain.similarity, places: places,
          parts: chain.pairs.map { $0.left..<$0.left + $0.length }))
    }
    return founds
  }

  /// The start of the source of a token.
  private func source(_ token: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].token <= token { low = middle + 1 } else { high = middle }
    }
    return starts[max(low - 1, 0)].token
  }
}
