import MPaaSPinyin

/// The answer to a search: as `mpaas pinyin search --json` prints it, and the generation that gave it.
struct ServedHits: Encodable {
  struct Hit: Encodable {
    let field: String
    let fuzzy: Bool
    /// First and last, as the ranges below.
    let graphemes: [Int]
    /// The number of the record, from 0.
    let index: Int
    let kind: String
    /// The line on which the record begins, from 1, where records are not lines.
    let line: Int?
    /// First and last Unicode scalar that matched.
    let range: [Int]
    /// Every stretch of the text that matches.
    let ranges: [[Int]]
    /// The record as it stands in its file, where it is more than its text.
    let record: String?
    let text: String
    let utf16: [Int]

    init?(_ hit: PinyinHit, _ query: PinyinQuery, in generation: ServedRecords.Generation) {
      guard let text = generation.index[hit.text] else { return nil }
      let highlight = PinyinHighlight(hit.range, in: text)
      let index = hit.text % max(generation.count, 1)
      self.index = index
      self.text = text
      field = hit.group == 0 ? "primary" : "secondary"
      fuzzy = hit.isFuzzy
      kind = "\(hit.kind)"
      graphemes = [highlight.characters.lowerBound, highlight.characters.upperBound - 1]
      utf16 = [highlight.utf16.lowerBound, highlight.utf16.upperBound - 1]
      range = [hit.range.lowerBound, hit.range.upperBound]
      ranges = generation.index.ranges(of: query, in: hit.text).map { [$0.lowerBound, $0.upperBound] }
      line = generation.lines.map { $0[index] }
      record = generation.records.flatMap { $0.format == .lines ? nil : $0.record(index) }
    }
  }

  let query: String
  let generation: Int
  let hits: [Hit]
  /// How many records match in all.
  let total: Int

  init(_ query: PinyinQuery, limit: Int?, in generation: ServedRecords.Generation) {
    self.query = query.text
    self.generation = generation.number
    let hasSecondary = generation.index.endNumber > generation.count
    let found = generation.index.search(query, limit: hasSecondary ? nil : limit)
    // What a record's primary text names, its secondary text does not name again.
    var seen: Set<Int> = []
    let hits = hasSecondary ? found.hits.filter { seen.insert($0.text % generation.count).inserted } : found.hits
    self.hits = hits.prefix(limit ?? .max).compactMap { Hit($0, query, in: generation) }
    total = hasSecondary ? hits.count : found.total
  }
}
