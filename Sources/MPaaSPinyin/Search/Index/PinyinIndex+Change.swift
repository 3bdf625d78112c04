extension PinyinIndex {
  /// The index with more texts; they get the numbers from `endNumber` on.
  ///
  /// Small segments are put together as they come, so that there are few of them; large ones only by `compacted`.
  public func adding(_ texts: some Collection<String>, groups: [UInt8] = []) -> PinyinIndex {
    var index = self
    index.append(texts, groups)
    while index.layers.count > 1 {
      let (last, before) = (index.layers[index.layers.count - 1], index.layers[index.layers.count - 2])
      guard before.segment.textCount <= 2 * last.segment.textCount,
        before.segment.textCount + last.segment.textCount <= Self.mostMerged
      else { break }
      index = index.merging(index.layers.count - 2)
    }
    return index
  }

  /// The index without some texts; numbers that it does not have do not count.
  public func removing(_ numbers: some Sequence<Int>) -> PinyinIndex {
    var index = self
    for number in numbers { index.remove(number) }
    return index
  }

  /// Tells whether `compacted` would make searches quicker or free memory.
  public var wantsCompaction: Bool { layers.count > 8 || removed.count > 1024 && removed.count * 4 > count }

  /// The same texts with the same numbers, without what was removed and all in one piece.
  ///
  /// It takes as long as making the index; do it where no user waits.
  public func compacted() -> PinyinIndex {
    layers.count > 1 || !removed.isEmpty ? merging(0) : self
  }

  /// The number of texts that are put together while somebody waits for an addition.
  private static var mostMerged: Int { 16384 }

  /// Puts the layers from one on together.
  private func merging(_ first: Int) -> PinyinIndex {
    var texts: [String] = []
    var numbers: [Int] = []
    var groups: [UInt8] = []
    for layer in layers[first...] {
      for text in 0..<layer.segment.textCount {
        let number = layer.number(of: text)
        guard !removed.contains(number) else { continue }
        texts.append(layer.segment.string(of: text))
        numbers.append(number)
        groups.append(layer.segment.group(of: text))
      }
    }
    return replacing(from: first, with: texts, numbers, groups)
  }
}
