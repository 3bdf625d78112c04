/// Texts that are found by what they say and by how they are read, exactly: nothing that matches is left out.
///
/// An index is a value: adding and removing make another one that shares most of its memory, so that a search sees the
/// texts of one moment. Texts keep their numbers; those of removed ones are not given out again.
///
///     let index = PinyinIndex(["张三", "李小龙", "西安"])
///     index.search(PinyinQuery("zhangs")).hits.first?.text  // 0
public struct PinyinIndex: Sendable {
  /// A segment and the numbers of its texts.
  struct Layer: Sendable {
    let segment: IndexSegment
    /// The number of its first text; the others follow it, unless `numbers` has them.
    let first: Int
    /// The numbers of its texts where some are missing between them.
    let numbers: [Int]?

    func number(of text: Int) -> Int { numbers.map { $0[text] } ?? first + text }

    /// The text that has a number.
    func text(_ number: Int) -> Int? {
      guard let numbers else { return first..<first + segment.textCount ~= number ? number - first : nil }
      let index = numbers.partitioningIndex { $0 >= number }
      return index < numbers.count && numbers[index] == number ? index : nil
    }
  }

  let readings: SearchReadings
  let folding: SearchFolding
  let layout: KeyLayout
  /// The least number of characters of a segment for its pairs to be indexed.
  let fewestIndexed: Int
  private(set) var layers: [Layer]
  /// The numbers of texts that were taken out and are still in a segment.
  private(set) var removed: Set<Int>
  /// The number that the next text gets.
  private(set) var next: Int

  /// - Parameters:
  ///   - texts: Numbered from 0.
  ///   - groups: A number from 0 to 255 for each text: those of a lower one are ranked first. None at all for one
  /// group.
  ///   - readings: How characters are read.
  ///   - folding: What counts as equal when characters stand for themselves.
  public init(
    _ texts: some Collection<String>, groups: [UInt8] = [], readings: SearchReadings = .builtIn,
    folding: PinyinFolding = .all
  ) {
    self.init(
      texts, groups: groups, readings: readings, folding: folding, fewestIndexed: IndexBuilder.fewestIndexed)
  }

  /// The same with another opinion of what is worth indexing.
  init(
    _ texts: some Collection<String>, groups: [UInt8] = [], readings: SearchReadings = .builtIn,
    folding: PinyinFolding = .all, fewestIndexed: Int
  ) {
    self.fewestIndexed = fewestIndexed
    self.readings = readings
    self.folding = SearchFolding(kinds: folding)
    layout = KeyLayout(readings.spellings)
    layers = []
    removed = []
    next = 0
    append(texts, groups)
  }

  /// An index of what a file holds.
  init(layers: [Layer], next: Int, readings: SearchReadings, folding: SearchFolding, layout: KeyLayout) {
    fewestIndexed = IndexBuilder.fewestIndexed
    self.readings = readings
    self.folding = folding
    self.layout = layout
    self.layers = layers
    self.next = next
    removed = []
  }

  /// The number of texts.
  public var count: Int { layers.reduce(0) { $0 + $1.segment.textCount } - removed.count }

  /// The number that the next text to be added gets; all numbers are below it.
  public var endNumber: Int { next }

  /// A text by its number; nil where there is none.
  public subscript(number: Int) -> String? {
    place(of: number).map { $0.layer.segment.string(of: $0.text) }
  }

  /// The group of a text.
  public func group(of number: Int) -> Int? {
    place(of: number).map { Int($0.layer.segment.group(of: $0.text)) }
  }

  private func place(of number: Int) -> (layer: Layer, text: Int)? {
    guard !removed.contains(number) else { return nil }
    for layer in layers {
      if let text = layer.text(number) { return (layer, text) }
    }
    return nil
  }

  mutating func append(_ texts: some Collection<String>, _ groups: [UInt8]) {
    guard !texts.isEmpty else { return }
    let groups = groups.count == texts.count ? groups : []
    let segment = IndexBuilder.segment(of: texts, groups: groups, readings, folding, layout, fewest: fewestIndexed)
    layers.append(Layer(segment: segment, first: next, numbers: nil))
    next += texts.count
  }

  mutating func remove(_ number: Int) {
    if place(of: number) != nil { removed.insert(number) }
  }

  /// The index with its last layers replaced by one of these texts, or by none.
  func replacing(from first: Int, with texts: [String], _ numbers: [Int], _ groups: [UInt8]) -> PinyinIndex {
    var index = self
    let gone = index.layers[first...]
    index.removed = removed.filter { number in !gone.contains { $0.text(number) != nil } }
    index.layers.removeSubrange(first...)
    guard let lowest = numbers.first, let highest = numbers.last else { return index }
    let isWhole = highest - lowest == numbers.count - 1
    let segment = IndexBuilder.segment(of: texts, groups: groups, readings, folding, layout, fewest: fewestIndexed)
    index.layers.append(Layer(segment: segment, first: lowest, numbers: isWhole ? nil : numbers))
    return index
  }

  /// Every stretch of a text that matches, in Unicode scalars: for each first character every last one.
  public func ranges(of query: PinyinQuery, in number: Int) -> [ClosedRange<Int>] {
    guard let (layer, text) = place(of: number) else { return [] }
    for words in [compiled(query)] + forgiving(query) {
      let ranges = words.map { SegmentSearch(layer.segment, $0).ranges(in: text) }
      guard query.options.typos == 0 || ranges.allSatisfy({ !$0.isEmpty }) else { continue }
      return ranges.joined().sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }
    return []
  }

  /// The stretch of a hit in characters and in UTF-16.
  public func highlight(_ hit: PinyinHit) -> PinyinHighlight? {
    self[hit.text].map { PinyinHighlight(hit.range, in: $0) }
  }

  func compiled(_ query: PinyinQuery) -> [CompiledWord] {
    query.words(folding).map { CompiledWord($0, query.options, readings.spellings) }
  }

  /// The words of a query once for each offset at which a reading with a typing error may begin; none where errors are
  /// not forgiven.
  func forgiving(_ query: PinyinQuery) -> [[CompiledWord]] {
    guard query.options.typos > 0 else { return [] }
    let words = query.words(folding)
    guard words.reduce(0, { $0 + $1.count }) >= TypingError.fewest else { return [] }
    let exact = words.map { CompiledWord($0, query.options, readings.spellings) }
    return words.indices.flatMap { index in
      (0..<words[index].count).map { offset in
        var all = exact
        all[index] = CompiledWord(words[index], query.options, readings.spellings, forgivingAt: offset)
        return all
      }
    }
  }
}

extension Array {
  /// The first index at which a condition holds that holds for all after it too.
  func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
