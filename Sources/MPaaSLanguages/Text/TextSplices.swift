/// Changes of a text that are made at once.
struct TextSplices {
  private let text: [UInt8]
  private var changes: [(range: Range<Int>, bytes: [UInt8])] = []

  init(_ text: [UInt8]) {
    self.text = text
  }

  mutating func replace(_ range: Range<Int>, with string: String) {
    changes.append((range, Array(string.utf8)))
  }

  var isEmpty: Bool { changes.isEmpty }

  /// The text with all changes; of those at one place the first asked for stands first.
  var result: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = 0
    // Text put in front of a place comes before the text that replaces what stands there.
    let sorted = changes.enumerated().sorted { left, right in
      let (one, other) = (left.element.range, right.element.range)
      if one.lowerBound != other.lowerBound { return one.lowerBound < other.lowerBound }
      return one.isEmpty != other.isEmpty ? one.isEmpty : left.offset < right.offset
    }
    for (_, change) in sorted where change.range.lowerBound >= at {
      result += text[at..<change.range.lowerBound]
      result += change.bytes
      at = change.range.upperBound
    }
    return result + text[at...]
  }
}

extension [UInt8] {
  func containsPair(_ first: UInt8, _ second: UInt8) -> Bool {
    indices.dropLast().contains { self[$0] == first && self[$0 + 1] == second }
  }
}
