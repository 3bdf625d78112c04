// Searches that `String` has since iOS 16, for apps on iOS 15: where the system has them, they are called.

extension StringProtocol {
  /// The first place of `part`, compared by characters.
  package func firstPlace(of part: some StringProtocol) -> Range<Index>? {
    if #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) { return firstRange(of: part) }
    return search(for: part)
  }

  /// True where `part` is somewhere in the text, compared by characters.
  package func has(_ part: some StringProtocol) -> Bool { firstPlace(of: part) != nil }

  /// The first place of `part`, found without the system.
  func search(for part: some StringProtocol) -> Range<Index>? {
    var start = startIndex
    while true {
      var (own, other) = (start, part.startIndex)
      while own < endIndex, other < part.endIndex, self[own] == part[other] {
        formIndex(after: &own)
        part.formIndex(after: &other)
      }
      if other == part.endIndex { return start..<own }
      guard start < endIndex else { return nil }
      formIndex(after: &start)
    }
  }
}

extension String {
  /// The text with another one in the place of each `part`; as it is where that is empty.
  package func replacing(all part: String, with text: String) -> String {
    var result = ""
    var rest = self[...]
    while !part.isEmpty, let place = rest.firstPlace(of: part) {
      result += rest[..<place.lowerBound]
      result += text
      rest = rest[place.upperBound...]
    }
    return result + rest
  }

  /// The text with another one in the place of each `letter`.
  package func replacing(each letter: Character, with text: String) -> String {
    guard contains(letter) else { return self }
    return reduce(into: "") { result, character in
      if character == letter { result += text } else { result.append(character) }
    }
  }
}
