/// Secrets that are known by their form, in any text.
enum SecretScan {
  /// The text with the secrets in the form of cards and tokens masked.
  static func masked(_ text: String, cards: Bool, tokens: Bool, mask: String) -> String {
    let bytes = Array(text.utf8)
    var found: [Range<Int>] = []
    if cards, bytes.count >= 13 { found += cardNumbers(in: bytes) }
    if tokens, bytes.count >= 8 { found += signedTokens(in: bytes) + bearers(in: bytes) }
    return replaced(bytes, found, mask) ?? text
  }

  /// The bytes with ranges replaced; nil where there is none.
  static func replaced(_ bytes: [UInt8], _ ranges: [Range<Int>], _ mask: String) -> String? {
    guard !ranges.isEmpty else { return nil }
    var result: [UInt8] = []
    var place = 0
    for range in ranges.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
    where range.lowerBound >= place {
      result += bytes[place..<range.lowerBound]
      result += mask.utf8
      place = range.upperBound
    }
    return String(decoding: result + bytes[place...], as: UTF8.self)
  }

  /// Runs of 13 to 19 digits, with single blanks or dashes between them, that pass the check of Luhn.
  static func cardNumbers(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while place < bytes.count {
      guard isDigit(bytes[place]), place == 0 || !isWord(bytes[place - 1]) else {
        place += 1
        continue
      }
      var digits: [UInt8] = []
      var end = place
      var next = place
      while next < bytes.count {
        if isDigit(bytes[next]) {
          digits.append(bytes[next] &- 0x30)
          next += 1
          end = next
        } else if bytes[next] == UInt8(ascii: " ") || bytes[next] == UInt8(ascii: "-"), next == end {
          next += 1
        } else {
          break
        }
      }
      let isApart = end == bytes.count || !isWord(bytes[end])
      // Milliseconds since 1970 have 13 digits and begin with a one, as no card does.
      if isApart, (13...19).contains(digits.count), digits.first != 0, digits.first != 1, isCard(digits) {
        found.append(place..<end)
      }
      place = max(end, place + 1)
    }
    return found
  }

  /// Tells whether the last digit is the one that the others ask for (ISO/IEC 7812-1, annex B).
  static func isCard(_ digits: [UInt8]) -> Bool {
    var sum = 0
    for (index, digit) in digits.reversed().enumerated() {
      let doubled = Int(digit) * (index.isMultiple(of: 2) ? 1 : 2)
      sum += doubled > 9 ? doubled - 9 : doubled
    }
    return sum.isMultiple(of: 10)
  }

  /// Tokens of RFC 7515: three parts of Base64 for URLs, the first a JSON object.
  static func signedTokens(in bytes: [UInt8]) -> [Range<Int>] {
    let begin = Array("eyJ".utf8)
    var found: [Range<Int>] = []
    var place = 0
    while place + begin.count < bytes.count {
      guard bytes[place...].starts(with: begin), place == 0 || !isToken(bytes[place - 1]) else {
        place += 1
        continue
      }
      var (end, dots) = (place, 0)
      while end < bytes.count, isToken(bytes[end]) || bytes[end] == UInt8(ascii: ".") {
        if bytes[end] == UInt8(ascii: ".") { dots += 1 }
        end += 1
      }
      if dots >= 2 { found.append(place..<end) }
      place = end
    }
    return found
  }

  /// Credentials behind the words `Bearer` and `Basic`.
  static func bearers(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for word in ["bearer ", "basic "] {
      let word = Array(word.utf8)
      var place = 0
      while place + word.count < bytes.count {
        let isHere = zip(bytes[place...], word).allSatisfy { ($0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0) == $1 }
        guard isHere, place == 0 || !isWord(bytes[place - 1]) else {
          place += 1
          continue
        }
        let start = place + word.count
        var end = start
        while end < bytes.count, isToken(bytes[end]) || ".+/=~".utf8.contains(bytes[end]) { end += 1 }
        // Words of a sentence, as in "Basic authentication", are shorter than credentials.
        let hasDigit = bytes[start..<end].contains { isDigit($0) || $0 == UInt8(ascii: "=") }
        if end - start >= 8, hasDigit || end - start >= 20 { found.append(start..<end) }
        place = end
      }
    }
    return found
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func isWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a || byte == UInt8(ascii: "_")
  }

  private static func isToken(_ byte: UInt8) -> Bool { isWord(byte) || byte == UInt8(ascii: "-") }
}
