import MPaaSSupport

extension IndexSegment {
  /// The first part that contradicts the others; nil where a search of the segment stays inside of it.
  var damage: Part? {
    for part in Part.allCases where parts[part.rawValue].count % part.stride != 0 { return part }
    return damageOfTexts ?? damageOfCharacters ?? damageOfPairs
  }

  private var damageOfTexts: Part? {
    guard elements.count <= Int(Int32.max),
      elements.allSatisfy({ Int($0 & Element.classes) < classes.count })
    else { return .elements }
    guard let first = starts.first, let end = starts.last, first == 0, Int(end) == elements.count,
      zip(starts, starts.dropFirst()).allSatisfy(<)
    else { return .starts }
    // Every text ends where the next one begins, so that matching stops there.
    guard starts.dropFirst().allSatisfy({ elements[Int($0) - 1] & Element.last != 0 }) else { return .elements }
    guard startBits.count == elements.count / 64 + 1 else { return .startBits }
    var rank: UInt32 = 0
    guard startRanks.count == startBits.count else { return .startRanks }
    for (word, bits) in startBits.enumerated() {
      guard startRanks[word] == rank else { return .startRanks }
      rank += UInt32(bits.nonzeroBitCount)
    }
    guard Int(rank) == textCount, starts.dropLast().allSatisfy({ startBits[Int($0) >> 6] >> UInt64($0 & 63) & 1 != 0 })
    else { return .startBits }
    return groups.isEmpty || groups.count == textCount ? nil : .groups
  }

  private var damageOfCharacters: Part? {
    guard let none = classes.first, none.count == 0, none.literal == SearchFolding.nothing else { return .classes }
    let names = spellings.names.count
    guard readings.allSatisfy({ SearchReadings.Entry(rawValue: $0).spelling < names && $0 >> 16 & 7 < 6 }) else {
      return .readings
    }
    for character in classes where character.count > 0 {
      guard character.start + character.count <= readings.count, readings[character.start] == character.first else {
        return .classes
      }
    }
    guard classes.allSatisfy({ $0.start <= readings.count }) else { return .classes }
    guard sortKeys.count == classes.count else { return .sortKeys }
    guard byLiteral.count == classes.count - 1,
      byLiteral.allSatisfy({ Int($0 & 0xFFFF_FFFF) < classes.count })
    else { return .byLiteral }
    return nil
  }

  private var damageOfPairs: Part? {
    guard !keys.isEmpty else { return postings.isEmpty ? nil : .keys }
    guard keys.count == layout.count + 1, let end = keys.last, Int(end) == postings.count,
      zip(keys, keys.dropFirst()).allSatisfy(<=)
    else { return .keys }
    guard postings.allSatisfy({ Int($0) < elements.count }) else { return .postings }
    return thirds.count == postings.count ? nil : .thirds
  }
}
