extension PinyinIndex {
  /// Finds the texts that match.
  ///
  /// - Parameters:
  ///   - query: The text that is looked for, and by which rules.
  ///   - limit: The most hits to give back; nil for all.
  ///   - order: The best first, or as the texts were given, which is quicker for very many hits.
  ///   - isCancelled: Asked now and then; once it says yes, what was found so far is given back.
  public func search(
    _ query: PinyinQuery, limit: Int? = nil, order: PinyinSearchOrder = .rank,
    isCancelled: () -> Bool = { false }
  ) -> PinyinSearchResults {
    if limit ?? 1 >= 0, let found = forgivingSearch(query, limit, order, isCancelled) { return found }
    // The longest word is looked for; the others need only be there too.
    let words = compiled(query).sorted { $0.count > $1.count }
    guard let word = words.first, limit ?? 1 >= 0 else { return PinyinSearchResults(hits: [], total: 0) }
    let others = Array(words.dropFirst())
    switch (order, limit) {
    case (.input, _): return inInputOrder(word, others, limit ?? .max, isCancelled)
    case (.rank, let limit?): return best(limit, word, others, isCancelled)
    case (.rank, nil): return ranked(word, others, isCancelled)
    }
  }

  private func inInputOrder(
    _ word: CompiledWord, _ others: [CompiledWord], _ limit: Int, _ isCancelled: () -> Bool
  ) -> PinyinSearchResults {
    var hits: [PinyinHit] = []
    var total = 0
    eachMatch(word, others, isCancelled) { layer, _, found in
      total += 1
      if hits.count < limit { hits.append(Self.hit(layer, found)) }
    }
    return PinyinSearchResults(hits: hits, total: total)
  }

  private func best(
    _ limit: Int, _ word: CompiledWord, _ others: [CompiledWord], _ isCancelled: () -> Bool
  ) -> PinyinSearchResults {
    var top = TopHits(limit: limit, layers.map(\.segment))
    if word.count == 1, others.isEmpty, removed.isEmpty, let (hits, total) = bestOfLetter(limit, word) {
      return PinyinSearchResults(hits: hits, total: total)
    }
    var total = 0
    eachMatch(word, others, isCancelled) { layer, number, found in
      total += 1
      guard limit > 0, top.admits(found.packed) else { return }
      top.insert(TopHits.Entry(hit: Self.hit(layer, found), segment: number, text: found.text))
    }
    return PinyinSearchResults(hits: top.sorted(), total: total)
  }

  /// The same for one letter, where that can be told from the pairs alone.
  private func bestOfLetter(_ limit: Int, _ word: CompiledWord) -> (hits: [PinyinHit], total: Int)? {
    guard limit > 0 else { return nil }
    var top = TopHits(limit: limit, layers.map(\.segment))
    var total = 0
    for (number, layer) in layers.enumerated() {
      let search = SegmentSearch(layer.segment, word)
      let count = search.eachOfLetter(Candidates(layer.segment, word)) {
        top.admits($0)
      } _: { found in
        guard top.admits(found.packed) else { return }
        top.insert(TopHits.Entry(hit: Self.hit(layer, found), segment: number, text: found.text))
      }
      guard let count else { return nil }
      total += count
    }
    return (top.sorted(), total)
  }

  private func ranked(
    _ word: CompiledWord, _ others: [CompiledWord], _ isCancelled: () -> Bool
  ) -> PinyinSearchResults {
    var entries: [TopHits.Entry] = []
    eachMatch(word, others, isCancelled) { layer, number, found in
      entries.append(TopHits.Entry(hit: Self.hit(layer, found), segment: number, text: found.text))
    }
    let segments = layers.map(\.segment)
    entries.sort { TopHits.precedes($0, $1, segments) }
    return PinyinSearchResults(hits: entries.map(\.hit), total: entries.count)
  }

  /// The same where a typing error is forgiven; nil where none is.
  private func forgivingSearch(
    _ query: PinyinQuery, _ limit: Int?, _ order: PinyinSearchOrder, _ isCancelled: () -> Bool
  ) -> PinyinSearchResults? {
    let alternatives = forgiving(query)
    guard !alternatives.isEmpty else { return nil }
    var entries: [Int: TopHits.Entry] = [:]
    for (index, words) in ([compiled(query)] + alternatives).enumerated() {
      let words = words.sorted { $0.count > $1.count }
      guard let word = words.first else { continue }
      eachMatch(word, Array(words.dropFirst()), isCancelled) { layer, number, found in
        var found = found
        if index > 0 { found.packed = Ways.mistyping(found.packed) }
        let hit = Self.hit(layer, found)
        // A text that matches as it was typed stays what it is.
        if let known = entries[hit.text], !known.hit.isMistyped || known.hit.rank <= hit.rank { return }
        entries[hit.text] = TopHits.Entry(hit: hit, segment: number, text: found.text)
      }
    }
    let segments = layers.map(\.segment)
    let sorted = entries.values.sorted {
      order == .input ? $0.hit.text < $1.hit.text : TopHits.precedes($0, $1, segments)
    }
    return PinyinSearchResults(hits: sorted.prefix(limit ?? .max).map(\.hit), total: sorted.count)
  }

  @inline(__always)
  private static func hit(_ layer: Layer, _ found: SegmentSearch.Found) -> PinyinHit {
    PinyinHit(text: layer.number(of: found.text), start: found.start, end: found.end, packed: found.packed)
  }

  /// Calls `body` for each text in which all words occur, with its layer and the best match of the first word.
  @inline(__always)
  private func eachMatch(
    _ word: CompiledWord, _ others: [CompiledWord], _ isCancelled: () -> Bool,
    _ body: (Layer, Int, SegmentSearch.Found) -> Void
  ) {
    var seen = 0
    for (number, layer) in layers.enumerated() {
      if isCancelled() { return }
      let others = others.map { SegmentSearch(layer.segment, $0) }
      SegmentSearch(layer.segment, word).forEach { found in
        seen += 1
        if seen & 0xFFF == 0, isCancelled() { return false }
        if !removed.isEmpty, removed.contains(layer.number(of: found.text)) { return true }
        guard let all = others.isEmpty ? found : Self.joined(found, others) else { return true }
        body(layer, number, all)
        return true
      }
    }
  }

  /// A match with those of further words: the worst of them ranks it, its stretch is that of the first.
  private static func joined(_ found: SegmentSearch.Found, _ others: [SegmentSearch]) -> SegmentSearch.Found? {
    var all = found
    var ways = found.packed & 0xFF
    for other in others {
      guard let also = other.best(in: found.text) else { return nil }
      ways |= also.packed & 0xFF
      all.packed = max(all.packed, also.packed)
    }
    all.packed = all.packed & ~0xFF | ways
    return all
  }
}
