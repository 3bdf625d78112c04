/// Characters with the readings that an engine chose for them, and what speech makes of those.
///
/// The memory grows to the longest text and is used again. Characters come in by `append`, stretch by stretch `read` is
/// called, `removeFirst` takes away what is done.
struct SentenceReader: ~Copyable {
  let options: PinyinOptions
  let readings: ReadingTable
  private let engine: any ReadingEngine
  private(set) var scalars: UnsafeMutablePointer<UInt32>
  private(set) var choices: UnsafeMutablePointer<ReadingChoice>
  private(set) var capacity: Int
  var count = 0

  /// - Parameter engine: What chooses readings, where it is not to be that of the options.
  init(
    _ data: PinyinData, _ options: PinyinOptions, engine: (any ReadingEngine)?, capacity: Int = Stretch.limit
  ) {
    self.options = options
    readings = data.readings
    self.engine = engine ?? data.engine(options.chosenEngine)
    self.capacity = max(capacity, 16)
    scalars = .allocate(capacity: self.capacity)
    choices = .allocate(capacity: self.capacity)
    choices.initialize(repeating: ReadingChoice(), count: self.capacity)
  }

  deinit {
    scalars.deallocate()
    choices.deallocate()
  }

  @inline(__always) mutating func append(_ scalar: UInt32) {
    if count == capacity { grow() }
    scalars[count] = scalar
    count &+= 1
  }

  @inline(never) private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity * 2)
    larger.update(from: scalars, count: count)
    scalars.deallocate()
    scalars = larger
    let more = UnsafeMutablePointer<ReadingChoice>.allocate(capacity: capacity * 2)
    more.initialize(repeating: ReadingChoice(), count: capacity * 2)
    more.update(from: choices, count: count)
    choices.deallocate()
    choices = more
    capacity *= 2
  }

  /// Gives back the memory of a text that was much longer than others are.
  mutating func shrink(above limit: Int) {
    guard capacity > limit, count == 0 else { return }
    scalars.deallocate()
    choices.deallocate()
    capacity = Stretch.limit
    scalars = .allocate(capacity: capacity)
    choices = .allocate(capacity: capacity)
    choices.initialize(repeating: ReadingChoice(), count: capacity)
  }

  /// Forgets the first `done` characters.
  mutating func removeFirst(_ done: Int) {
    let rest = count - done
    if rest > 0 { scalars.update(from: scalars + done, count: rest) }
    count = rest
  }

  /// The end of the stretch that begins at `start` in the characters that are there.
  func stretchEnd(from start: Int) -> Int {
    let most = min(count, start + Stretch.limit)
    var place = start
    while place < most {
      if Stretch.isEnd(scalars[place]) { return place + 1 }
      place += 1
    }
    guard place - start == Stretch.limit else { return place }
    return start + Stretch.cut(UnsafeBufferPointer(start: scalars + start, count: Stretch.limit))
  }

  /// Chooses the readings of a stretch.
  func read(_ range: Range<Int>) {
    let text = UnsafeBufferPointer(start: scalars + range.lowerBound, count: range.count)
    let chosen = UnsafeMutableBufferPointer(start: choices + range.lowerBound, count: range.count)
    switch options.kind {
    case .text: choose(text, chosen)
    case .name, .place: chooseRuns(text, chosen)
    }
    if options.appliesSandhi { ToneSandhi.apply(text, chosen, readings) }
    if options.appliesThirdToneSandhi { ToneSandhi.applyToThirdTones(text, chosen) }
    if options.mergesErhua { Erhua.merge(text, chosen) }
  }

  /// A name stands alone for the engine, whatever is around it.
  private func chooseRuns(_ text: UnsafeBufferPointer<UInt32>, _ chosen: UnsafeMutableBufferPointer<ReadingChoice>) {
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, CharacterClass.isHan(text[end]) || end > start && isSelector(text[end]) { end += 1 }
      guard end > start else {
        chosen[start] = ReadingChoice()
        start += 1
        continue
      }
      let run = UnsafeBufferPointer(rebasing: text[start..<end])
      let part = UnsafeMutableBufferPointer(rebasing: chosen[start..<end])
      choose(run, part)
      let isPart =
        start > 0 && CharacterClass.isMiddleDot(text[start - 1])
        || end < text.count && CharacterClass.isMiddleDot(text[end])
      NameShape.divide(run, part, as: options.kind, isPartOfName: isPart)
      start = end
    }
  }

  private func choose(_ text: UnsafeBufferPointer<UInt32>, _ chosen: UnsafeMutableBufferPointer<ReadingChoice>) {
    guard text.contains(where: isSelector) else {
      return engine.read(text, as: options.kind, into: chosen)
    }
    // A variation selector must not part a word: the engine does not see it.
    let kept = text.indices.filter { !isSelector(text[$0]) }
    var plain = [ReadingChoice](repeating: ReadingChoice(), count: kept.count)
    kept.map { text[$0] }.withUnsafeBufferPointer { kept in
      plain.withUnsafeMutableBufferPointer { engine.read(kept, as: options.kind, into: $0) }
    }
    chosen.update(repeating: ReadingChoice())
    for (place, choice) in zip(kept, plain) { chosen[place] = choice }
  }
}

/// Tells whether a character only chooses a glyph of the one before it.
@inline(__always) private func isSelector(_ scalar: UInt32) -> Bool {
  (scalar & ~0xF) == 0xFE00 || (0xE0100...0xE01EF).contains(scalar)
}
