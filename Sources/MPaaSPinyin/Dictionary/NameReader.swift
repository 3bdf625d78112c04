extension DictionaryEngine {
  /// The most characters of a Chinese name; what is longer is read as text.
  private static let longest = 5
  private static let han = ContextTable.characters

  /// Reads a sentence as one person's name; false where it is none by its form (foreign names, titles, sentences).
  func readName(_ sentence: Sentence) -> Bool {
    var start = 0
    var end = sentence.count
    while start < end, !Self.han.contains(sentence.characters[start]) { start += 1 }
    while end > start, !Self.han.contains(sentence.characters[end - 1]) { end -= 1 }
    guard end > start, (start..<end).allSatisfy({ Self.han.contains(sentence.characters[$0]) || isSpace(sentence, $0) })
    else { return false }
    let name = UnsafeBufferPointer(start: sentence.characters + start, count: end - start)
    for index in 0..<sentence.count where !(start..<end).contains(index) { sentence.choices[index] = ReadingChoice() }
    if let pattern = persons.pattern(of: name) {
      write(sentence, from: start, count: name.count, pattern, evidence: .name)
      return true
    }
    guard name.count <= Self.longest else { return false }
    let surname = surnameLength(name)
    if let pattern = surnames.pattern(of: UnsafeBufferPointer(rebasing: name.prefix(surname))) {
      write(sentence, from: start, count: surname, pattern, evidence: .name)
    } else {
      for index in start..<start + surname { readAlone(sentence, index, asGivenName: false) }
    }
    readGivenName(sentence, from: start + surname, to: end)
    return true
  }

  private func isSpace(_ sentence: Sentence, _ index: Int) -> Bool {
    sentence.scalars[index] == 0x20 || sentence.scalars[index] == 0x3000
  }

  /// The number of characters of the surname: a compound one comes before a single one.
  private func surnameLength(_ name: UnsafeBufferPointer<UInt16>) -> Int {
    var longest = 1
    var node = surnames.root(name[0])
    for index in name.indices.dropFirst() where node >= 0 {
      node = surnames.child(of: node, name[index])
      if node >= 0, surnames.cost(node) != 0 { longest = index + 1 }
    }
    return longest
  }

  /// Reads what follows the surname: a word of the dictionary, or each character as it is read in names.
  private func readGivenName(_ sentence: Sentence, from start: Int, to end: Int) {
    guard start < end else { return }
    for index in start..<end { readAlone(sentence, index, asGivenName: true) }
    let given = UnsafeBufferPointer(start: sentence.characters + start, count: end - start)
    if given.count > 1, let pattern = words.pattern(of: given) {
      for position in given.indices where pattern.code(position) < 8 {
        let index = start + position
        let reading = pattern.reading(position, of: readings[UInt32(given[position])])
        guard reading != .none, reading.tone != .neutral, isOwn(sentence, index, reading) else { continue }
        sentence.choices[index].reading = reading
        sentence.choices[index].evidence = .name
        sentence.choices[index].wordLength = UInt8(given.count)
        sentence.choices[index].confidence = max(sentence.choices[index].confidence, 235)
      }
    }
    for index in start..<end { sentence.choices[index].startsWord = index == start || isSpace(sentence, index - 1) }
  }

  /// Reads a character of a name by itself.
  private func readAlone(_ sentence: Sentence, _ index: Int, asGivenName: Bool) {
    let scalar = sentence.scalars[index]
    let usual = readings.usual(scalar)
    let single = !readings.isPolyphone(scalar)
    var choice = ReadingChoice(reading: usual, confidence: single ? 255 : 200, evidence: single ? .only : .prior)
    defer { sentence.choices[index] = choice }
    guard usual != .none else {
      choice = ReadingChoice()
      return
    }
    let character = sentence.characters[index]
    guard Self.han.contains(character), !single else { return }
    let known = UnsafeBufferPointer(start: sentence.characters + index, count: 1)
    let list = readings[UInt32(character)]
    if asGivenName, let pattern = givenNames.pattern(of: known) {
      let reading = pattern.reading(0, of: list)
      if reading != .none, isOwn(sentence, index, reading) {
        choice = ReadingChoice(reading: reading, confidence: 225, evidence: .name)
        return
      }
    }
    let row = context.row(character)
    guard row >= 0 else { return }
    context.fill(sentence.sums, row: row)
    var most = ContextTable.impossible
    for position in 0..<min(list.count, ContextTable.width) where sentence.sums[position] > most {
      // No name has a neutral tone.
      guard list[position].tone != .neutral, isOwn(sentence, index, list[position]) else { continue }
      most = sentence.sums[position]
      choice.reading = list[position]
    }
  }

  /// Writes the readings of a word that holds.
  private func write(
    _ sentence: Sentence, from start: Int, count: Int, _ pattern: ReadingPattern, evidence: ReadingEvidence
  ) {
    for position in 0..<count {
      let index = start + position
      readAlone(sentence, index, asGivenName: false)
      let reading = pattern.reading(position, of: readings[UInt32(sentence.characters[index])])
      if reading != .none, isOwn(sentence, index, reading) {
        sentence.choices[index] = ReadingChoice(
          reading: reading, confidence: 245, evidence: evidence, wordLength: UInt8(count))
      }
      sentence.choices[index].startsWord = position == 0
    }
  }

  /// Tells whether a reading of the simplified character is one of the character that stands there.
  private func isOwn(_ sentence: Sentence, _ index: Int, _ reading: Reading) -> Bool {
    sentence.scalars[index] == UInt32(sentence.characters[index]) || has(sentence.scalars[index], reading)
  }
}
