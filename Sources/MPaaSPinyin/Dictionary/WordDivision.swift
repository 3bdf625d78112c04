extension DictionaryEngine {
  /// The cost of a character that is no word by itself: more than any word.
  private static let unknown: Int32 = 255
  /// The cost of a place where a place is expected.
  private static let place: Int32 = 4

  /// Divides a sentence so that the costs of its words are least, from its end to its beginning.
  func divide(_ sentence: Sentence, withPlaces: Bool) {
    let count = sentence.count
    let characters = sentence.characters
    let costs = sentence.costs
    costs[count] = 0
    var start = count
    while start > 0 {
      start -= 1
      var least = Self.unknown &+ costs[start + 1]
      var length = 1
      var word = -1
      let character = characters[start]
      if ContextTable.characters.contains(character) {
        var node = context.root(character)
        if node >= 0 {
          let own = words.cost(node)
          if own != 0 { least = own &+ costs[start + 1] }
          let limit = min(count, start + WordTrie.longest)
          var stop = start + 1
          while stop < limit {
            node = words.child(of: node, characters[stop])
            guard node >= 0 else { break }
            stop += 1
            let cost = words.cost(node)
            if cost != 0, cost &+ costs[stop] < least {
              least = cost &+ costs[stop]
              length = stop - start
              word = node
            }
          }
        }
      }
      if withPlaces {
        var node = places.root(character)
        var stop = start + 1
        while node >= 0 {
          if places.cost(node) != 0, Self.place &+ costs[stop] < least {
            least = Self.place &+ costs[stop]
            length = stop - start
            word = -2 - node
          }
          guard stop < count else { break }
          node = places.child(of: node, characters[stop])
          stop += 1
        }
      }
      costs[start] = least
      sentence.lengths[start] = UInt8(length)
      sentence.nodes[start] = Int32(truncatingIfNeeded: word)
    }
  }

  /// Writes a choice for each character of a divided sentence.
  func choose(_ sentence: Sentence, traditional: Bool) {
    var start = 0
    while start < sentence.count {
      let length = max(Int(sentence.lengths[start]), 1)
      let node = Int(sentence.nodes[start])
      let pattern = node >= 0 ? words.pattern(node) : node < -1 ? places.pattern(-2 - node) : .silent
      let end = min(start + length, sentence.count)
      for index in start..<end {
        var choice = choice(
          sentence, at: index, traditional: traditional, position: index - start, length: length, pattern: pattern,
          evidence: node < -1 ? .place : .word)
        choice.startsWord = index == start
        sentence.choices[index] = choice
      }
      start = end
    }
  }

  @inline(__always) private func choice(
    _ sentence: Sentence, at index: Int, traditional: Bool, position: Int, length: Int, pattern: ReadingPattern,
    evidence: ReadingEvidence
  ) -> ReadingChoice {
    let scalar = sentence.scalars[index]
    var character = sentence.characters[index]
    guard ContextTable.characters.contains(character) else { return only(scalar) }
    // 看著: outside of words, 著 is read as 着 is where the text is traditional.
    if traditional, length == 1 { character = folding.sometimes(character) }
    let code = length > 1 ? pattern.code(position) : 15
    let row = context.row(character)
    if row < 0 && code == 15 { return only(scalar) }
    let list = readings[UInt32(character)]
    let isFolded = scalar != UInt32(character)
    if code != 15, row < 0 || code > 7 || pattern.holds || length > 2 {
      let reading = pattern.reading(position, of: list)
      if reading != .none, !isFolded || has(scalar, reading) {
        return ReadingChoice(
          reading: reading, confidence: readings.isPolyphone(scalar) ? 245 : 255, evidence: evidence,
          wordLength: UInt8(length))
      }
    }
    guard row >= 0 else { return only(scalar) }
    return weigh(
      sentence, at: index, character: character, row: row, list: list, code: code, length: length,
      isFolded: isFolded)
  }

  /// The likeliest of a character's readings.
  @inline(__always) private func weigh(
    _ sentence: Sentence, at index: Int, character: UInt16, row: Int, list: ReadingTable.List, code: Int,
    length: Int, isFolded: Bool
  ) -> ReadingChoice {
    let sums = sentence.sums
    let kinds = sentence.kinds + index
    context.fill(sums, row: row)
    context.add(1, kinds[-1], 0, of: character, to: sums)
    context.add(2, kinds[1], 0, of: character, to: sums)
    context.add(3, kinds[-2], kinds[-1], of: character, to: sums)
    context.add(4, kinds[1], kinds[2], of: character, to: sums)
    context.add(5, kinds[-1], kinds[1], of: character, to: sums)
    context.add(6, kinds[-2], 0, of: character, to: sums)
    context.add(7, kinds[2], 0, of: character, to: sums)
    // A reading that the row does not know stays impossible, as nothing adds up to so much.
    if code < 8, sums[code] > ContextTable.impossible / 2 {
      context.addWord(length: length, reading: code, of: character, to: sums)
    }
    let count = min(list.count, ContextTable.width)
    let scalar = sentence.scalars[index]
    var best = -1
    var most = ContextTable.impossible / 2
    for reading in 0..<count where sums[reading] > most {
      if isFolded, !has(scalar, list[reading]) {
        sums[reading] = ContextTable.impossible
        continue
      }
      most = sums[reading]
      best = reading
    }
    guard best >= 0 else { return only(scalar) }
    var others = 0
    for reading in 0..<count where reading != best && sums[reading] > ContextTable.impossible / 2 {
      others += Odds.table[min(Int(most - sums[reading]), Odds.table.count - 1)]
    }
    let byWord = code == best
    return ReadingChoice(
      reading: list[best], confidence: UInt8(clamping: 250 * 4096 / (4096 + others)),
      evidence: byWord ? .word : .context, wordLength: byWord ? UInt8(length) : 1)
  }

  /// The usual reading of what has no other in common use, or none.
  @inline(__always) private func only(_ scalar: UInt32) -> ReadingChoice {
    let reading = readings.usual(scalar)
    guard reading != .none else { return ReadingChoice() }
    let only = !readings.isPolyphone(scalar)
    return ReadingChoice(reading: reading, confidence: only ? 255 : 250, evidence: .only)
  }

  /// Tells whether a traditional character can be read as its simplified one is, whatever the tone of a neutral
  /// reading.
  func has(_ scalar: UInt32, _ reading: Reading) -> Bool {
    readings[scalar].contains { $0 == reading || reading.tone == .neutral && $0.syllable == reading.syllable }
  }
}

extension ReadingPattern {
  /// The pattern of a word that says nothing.
  static let silent = ReadingPattern(bits: .max)
}

/// e to the power of minus n sixteenths, in 4096ths.
private enum Odds {
  static let table: [Int] = [
    4096, 3848, 3615, 3396, 3190, 2997, 2815, 2645, 2484, 2334, 2192, 2060, 1935, 1818, 1708, 1604, 1507, 1416, 1330,
    1249, 1174, 1103, 1036, 973, 914, 859, 807, 758, 712, 669, 628, 590, 554, 521, 489, 460, 432, 406, 381, 358, 336,
    316, 297, 279, 262, 246, 231, 217, 204, 192, 180, 169, 159, 149, 140, 132, 124, 116, 109, 103, 96, 91, 85, 80, 75,
    71, 66, 62, 58, 55, 52, 48, 46, 43, 40, 38, 35, 33, 31, 29, 28, 26, 24, 23, 22, 20, 19, 18, 17, 16, 15, 14, 13, 12,
    12, 11, 10, 10, 9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 0,
  ]
}
