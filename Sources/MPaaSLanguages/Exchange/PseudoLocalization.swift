/// Makes texts that look foreign and can still be read, to find what is not translated, cut off or put together.
package struct PseudoLocalization: Sendable {
  package enum Direction: Sendable { case leftToRight, rightToLeft }

  /// The expansion of texts, in percent; short ones grow more, as real translations do.
  package var expansion = 35
  package var hasAccents = true
  package var hasBrackets = true
  package var direction = Direction.leftToRight

  package init() {}

  /// The text with all that is no word as it was: specifiers, markup, entities, escapes.
  package func text(_ text: String) -> String {
    guard !text.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result = ""
    var plain = ""
    var at = 0
    for range in kept(bytes, text) where range.lowerBound >= at {
      plain += String(decoding: bytes[at..<range.lowerBound], as: UTF8.self)
      result += words(String(decoding: bytes[at..<range.lowerBound], as: UTF8.self))
      result += String(decoding: bytes[range], as: UTF8.self)
      at = range.upperBound
    }
    plain += String(decoding: bytes[at...], as: UTF8.self)
    result += words(String(decoding: bytes[at...], as: UTF8.self))
    if plain.unicodeScalars.contains(where: \.properties.isAlphabetic) { result += padding(text) }
    if hasBrackets { result = "[" + result + "]" }
    return result
  }

  /// Letters with accents, or words that run from right to left.
  private func words(_ text: String) -> String {
    guard direction == .rightToLeft else { return hasAccents ? accented(text) : text }
    var result = ""
    var isInWord = false
    for scalar in accented(text).unicodeScalars {
      let isWord = scalar.properties.isAlphabetic
      if isWord, !isInWord { result += "\u{200f}\u{202e}" }
      if !isWord, isInWord { result += "\u{202c}\u{200f}" }
      isInWord = isWord
      result.unicodeScalars.append(scalar)
    }
    return isInWord ? result + "\u{202c}\u{200f}" : result
  }

  private func accented(_ text: String) -> String {
    guard hasAccents else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { Self.accents[$0] ?? $0 }))
  }

  private func padding(_ text: String) -> String {
    guard expansion > 0 else { return "" }
    let count = text.count
    let percent = count < 10 ? expansion * 2 : expansion
    let wanted = max(1, (count * percent + 99) / 100)
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    var padding = ""
    var index = 0
    while padding.count + 1 < wanted {
      padding += " " + words[index % words.count]
      index += 1
    }
    return String(self.words(padding).prefix(max(2, wanted)))
  }

  /// The parts that must stay: specifiers, `<b>`, `&amp;`, `${name}`, `{0}`, escapes, addresses.
  private func kept(_ bytes: [UInt8], _ text: String) -> [Range<Int>] {
    var ranges = FormatSpecifiers(text).ranges
    var offset = 0
    while offset < bytes.count {
      if let end = markupEnd(bytes, offset) {
        ranges.append(offset..<end)
        offset = end
      } else {
        offset += 1
      }
    }
    return ranges.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
  }

  private func markupEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    func find(_ byte: UInt8, _ limit: Int, _ allows: (UInt8) -> Bool) -> Int? {
      var offset = start + 1
      while offset < bytes.count, offset - start <= limit {
        if bytes[offset] == byte { return offset + 1 }
        guard allows(bytes[offset]) else { return nil }
        offset += 1
      }
      return nil
    }
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch bytes[start] {
    case UInt8(ascii: "<") where next == UInt8(ascii: "/") || SourceBytes.isWord(next):
      return find(UInt8(ascii: ">"), 400) { $0 != UInt8(ascii: "<") }
    case UInt8(ascii: "&"): return find(UInt8(ascii: ";"), 12) { SourceBytes.isWord($0) || $0 == UInt8(ascii: "#") }
    case UInt8(ascii: "{"): return find(UInt8(ascii: "}"), 60) { $0 != UInt8(ascii: "{") && $0 != 0x0a }
    case UInt8(ascii: "\\"): return min(start + 2, bytes.count)
    case UInt8(ascii: "h") where bytes[start...].starts(with: "http".utf8):
      let rest = bytes[start...]
      guard rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) else { return nil }
      return rest.firstIndex { SourceBytes.isSpace($0) || $0 == UInt8(ascii: ")") || $0 == 0x22 } ?? bytes.count
    default: return nil
    }
  }

  private static let accents: [Unicode.Scalar: Unicode.Scalar] = {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    let marked = "åƀçďéƒğĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĎÉƑĞĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"
    return Dictionary(zip(plain.unicodeScalars, marked.unicodeScalars)) { first, _ in first }
  }()
}
