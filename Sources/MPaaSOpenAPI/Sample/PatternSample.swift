import MPaaSPattern
import MPaaSRandom

/// Makes texts in which a regular expression is found.
enum PatternSample {
  /// A text that the pattern takes as a whole; nil where the pattern needs more than letters, classes, groups, choices
  /// and counts.
  static func text(_ pattern: String, _ numbers: SplitMix64?, least: Int) -> String? {
    guard let check = try? Pattern(pattern) else { return nil }
    // More repetitions where the text must be longer.
    for extra in [0, 1, 2, 4, 8, 16, 32, 64] {
      var writer = Writer(Array(pattern.unicodeScalars), numbers, extra: extra)
      guard let text = writer.choices(), writer.isAtEnd, check.matches(text) else { continue }
      if text.unicodeScalars.count >= least { return text }
    }
    return nil
  }

  private struct Writer {
    let scalars: [Unicode.Scalar]
    var numbers: SplitMix64?
    let extra: Int
    var place = 0
    var depth = 0

    init(_ scalars: [Unicode.Scalar], _ numbers: SplitMix64?, extra: Int) {
      self.scalars = scalars
      self.numbers = numbers
      self.extra = extra
    }

    var isAtEnd: Bool { place == scalars.count }
    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func draw(below count: Int) -> Int {
      guard count > 1, var drawn = numbers else { return 0 }
      defer { numbers = drawn }
      return Int.random(in: 0..<count, using: &drawn)
    }

    mutating func choices() -> String? {
      guard depth < 50 else { return nil }
      depth += 1
      defer { depth -= 1 }
      var texts: [String] = []
      while true {
        guard let text = row() else { return nil }
        texts.append(text)
        guard next == "|" else { break }
        place += 1
      }
      return texts[draw(below: texts.count)]
    }

    private mutating func row() -> String? {
      var text = ""
      while let scalar = next, scalar != "|", scalar != ")" {
        if scalar == "^" || scalar == "$" {
          place += 1
          continue
        }
        let start = place
        guard let first = atom() else { return nil }
        let end = place
        guard let count = count() else { return nil }
        let after = place
        if count > 0 { text += first }
        for _ in 1..<max(1, min(count, 2_000)) {
          place = start
          guard let again = atom() else { return nil }
          text += again
        }
        place = after
        _ = end
      }
      return text
    }

    /// The number of repetitions behind an atom.
    private mutating func count() -> Int? {
      var counted = 1
      switch next {
      case "?": counted = draw(below: 2) + min(extra, 1)
      case "*": counted = draw(below: 4) + extra
      case "+": counted = 1 + draw(below: 4) + extra
      case "{":
        guard let end = scalars[place...].firstIndex(of: "}") else { return nil }
        let parts = String(String.UnicodeScalarView(scalars[(place + 1)..<end])).split(
          separator: ",", omittingEmptySubsequences: false)
        guard let least = Int(parts[0]) else { return nil }
        let most = parts.count == 1 ? least : Int(parts[1]) ?? least + 4 + extra
        counted = min(most, least + extra + draw(below: max(1, min(most - least + 1, 5))))
        place = end
      default: return 1
      }
      place += 1
      if next == "?" { place += 1 }
      return min(counted, 2_000)
    }

    private mutating func atom() -> String? {
      guard let scalar = next else { return nil }
      place += 1
      switch scalar {
      case "(":
        if next == "?" {
          guard place + 1 < scalars.count, scalars[place + 1] == ":" else { return nil }
          place += 2
        }
        guard let text = choices(), next == ")" else { return nil }
        place += 1
        return text
      case "[": return bracket()
      case ".": return "a"
      case "\\": return escape().map { pick($0) }
      default: return String(scalar)
      }
    }

    private mutating func pick(_ ranges: [ClosedRange<UInt32>]) -> String {
      guard !ranges.isEmpty else { return "" }
      let range = ranges[draw(below: ranges.count)]
      let value = range.lowerBound + UInt32(draw(below: Int(range.upperBound - range.lowerBound) + 1))
      return Unicode.Scalar(value).map { String($0) } ?? ""
    }

    private mutating func escape() -> [ClosedRange<UInt32>]? {
      guard let scalar = next else { return nil }
      place += 1
      switch scalar {
      case "d": return [0x30...0x39]
      case "w": return [0x61...0x7a, 0x30...0x39, 0x41...0x5a]
      case "s": return [0x20...0x20]
      case "D", "S", "W": return scalar == "W" ? [0x2d...0x2d] : [0x61...0x7a]
      case "n": return [0x0a...0x0a]
      case "t": return [0x09...0x09]
      case "b", "B", "A"..."Z", "a"..."z", "0"..."9": return nil
      default: return [scalar.value...scalar.value]
      }
    }

    private mutating func bracket() -> String? {
      let isNegated = next == "^"
      if isNegated { place += 1 }
      var ranges: [ClosedRange<UInt32>] = []
      while let scalar = next, scalar != "]" {
        place += 1
        var low: [ClosedRange<UInt32>] = [scalar.value...scalar.value]
        if scalar == "\\" {
          guard let found = escape() else { return nil }
          low = found
        }
        if next == "-", place + 1 < scalars.count, scalars[place + 1] != "]", low.count == 1 {
          place += 1
          guard var high = next else { return nil }
          place += 1
          if high == "\\" {
            guard let escaped = next else { return nil }
            high = escaped
            place += 1
          }
          guard high.value >= low[0].lowerBound else { return nil }
          low = [low[0].lowerBound...high.value]
        }
        ranges += low
      }
      guard next == "]" else { return nil }
      place += 1
      guard isNegated else { return pick(ranges) }
      let letters = Array("azAZ09 _-.".unicodeScalars)
      return letters.first { letter in !ranges.contains { $0.contains(letter.value) } }.map { String($0) }
    }
  }
}
