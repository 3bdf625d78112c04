/// The records of a file with an index over their texts: those of the primary field first, then those of the secondary.
package struct RecordIndex: Sendable {
  /// A record that matches.
  package struct Hit: Sendable {
    /// From 0.
    package let record: Int
    /// Tells whether it is the secondary field that matches; then the primary one does not.
    package let isSecondary: Bool
    /// The match; its text is the number in the index.
    package let match: PinyinHit
  }

  package let index: PinyinIndex
  /// The number of records.
  package let count: Int
  package let hasSecondary: Bool

  /// Indexes the texts of records.
  package init(_ records: SearchRecords, readings: SearchReadings = .builtIn) {
    count = records.count
    hasSecondary = records.hasSecondary
    let (count, hasSecondary) = (count, hasSecondary)
    let texts = (0..<(hasSecondary ? 2 * count : count)).lazy.map { number in
      number < count ? records.text(number) : records.secondaryText(number - count) ?? ""
    }
    let groups = hasSecondary ? [UInt8](repeating: 0, count: count) + [UInt8](repeating: 1, count: count) : []
    index = PinyinIndex(texts, groups: groups, readings: readings)
  }

  /// Takes an index that was made so before.
  package init(_ index: PinyinIndex) {
    self.index = index
    let last = index.endNumber - 1
    hasSecondary = last > 0 && index.group(of: last) == 1
    count = hasSecondary ? index.endNumber / 2 : index.endNumber
  }

  /// The text of a record.
  package func text(_ record: Int) -> String { index[record] ?? "" }

  /// The secondary text of a record; nil where there is none.
  package func secondaryText(_ record: Int) -> String? { hasSecondary ? index[count + record] : nil }

  /// The text that a hit was found in.
  package func text(of hit: Hit) -> String { index[hit.match.text] ?? "" }

  /// Finds the records that match; one that does in both fields is found once, by the primary one.
  ///
  /// - Returns: At most `limit` hits, and how many records match in all.
  package func search(
    _ query: PinyinQuery, limit: Int? = nil, order: PinyinSearchOrder = .rank
  ) -> (hits: [Hit], total: Int) {
    guard hasSecondary else {
      let found = index.search(query, limit: limit, order: order)
      return (found.hits.map { Hit(record: $0.text, isSecondary: false, match: $0) }, found.total)
    }
    // Both orders give the primary field's hits first.
    let found = index.search(query, limit: nil, order: order)
    var isFound = [Bool](repeating: false, count: count)
    var hits: [Hit] = []
    for match in found.hits {
      let record = match.text % max(count, 1)
      guard !isFound[record] else { continue }
      isFound[record] = true
      hits.append(Hit(record: record, isSecondary: match.text >= count, match: match))
    }
    if order == .input { hits.sort { $0.record < $1.record } }
    return (Array(hits.prefix(limit ?? .max)), hits.count)
  }

  /// The stretches that a hit's highlights show, apart from each other: the best one, or of several words all that
  /// match.
  package func highlights(of hit: Hit, _ query: PinyinQuery) -> [Range<Int>] {
    guard query.options.anyOrder, query.text.contains(where: \.isWhitespace) else {
      return [hit.match.range.lowerBound..<hit.match.range.upperBound + 1]
    }
    var merged: [Range<Int>] = []
    for range in index.ranges(of: query, in: hit.match.text) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound + 1)
      } else {
        merged.append(range.lowerBound..<range.upperBound + 1)
      }
    }
    return merged
  }
}
