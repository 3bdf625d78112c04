import MPaaSSupport

/// Finds what a text tells of people in places where it was not asked for.
struct SensitiveText: Sendable {
  /// A place in a text, and what stands there.
  struct Finding: Equatable {
    var range: Range<Int>
    var kind: ScrubbingRules.Kind
  }

  private let kinds: Set<ScrubbingRules.Kind>
  /// Bytes at which something may begin that is looked for.
  private static let marks: [Bool] = (0...255).map { byte in
    let byte = UInt8(byte)
    return "@=:BbeFf".utf8.contains(byte) || isDigit(byte)
  }
  private static let longestLocal = 64
  private static let longestDomain = 253

  init(_ kinds: Set<ScrubbingRules.Kind>) { self.kinds = kinds }

  /// The places in the order of the text; none within another.
  ///
  /// - Parameter isIdentity: Whether the text is somebody's name on purpose, so that it may be an e-mail address.
  func findings(in bytes: UnsafeBufferPointer<UInt8>, isIdentity: Bool = false) -> [Finding] {
    var found: [Finding] = []
    var place = 0
    while place < bytes.count {
      guard Self.marks[Int(bytes[place])] else {
        place += 1
        continue
      }
      let start = found.last?.range.upperBound ?? 0
      if let next = finding(bytes, place, from: start, isIdentity) {
        found.append(next)
        place = max(next.range.upperBound, place + 1)
      } else {
        place += 1
      }
    }
    return found
  }

  private func finding(
    _ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, from start: Int, _ isIdentity: Bool
  ) -> Finding? {
    func finding(_ kind: ScrubbingRules.Kind, _ range: Range<Int>?) -> Finding? {
      kinds.contains(kind) ? range.map { Finding(range: $0, kind: kind) } : nil
    }
    switch bytes[place] {
    case UInt8(ascii: "@"): return isIdentity ? nil : finding(.email, Self.email(bytes, place, from: start))
    case UInt8(ascii: "="): return finding(.secret, Self.assigned(bytes, place, from: start))
    case UInt8(ascii: ":"): return finding(.secret, Self.login(bytes, place))
    case UInt8(ascii: "B"), UInt8(ascii: "b"): return finding(.secret, Self.bearer(bytes, place))
    case UInt8(ascii: "e"): return finding(.secret, Self.webToken(bytes, place))
    default: break
    }
    guard place == 0 || !Self.isWord(bytes[place - 1]) else { return nil }
    return finding(.ip, InternetAddressText.range(bytes, place)) ?? finding(.card, CardNumber.range(bytes, place))
  }

  /// `ann@example.com` around an at sign.
  private static func email(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, from start: Int) -> Range<Int>? {
    var begin = at
    while begin > start, at - begin < longestLocal, isLocal(bytes[begin - 1]) { begin -= 1 }
    while begin < at, bytes[begin] == UInt8(ascii: ".") { begin += 1 }
    var end = at + 1
    while end < bytes.count, end - at <= longestDomain, isAlphanumeric(bytes[end]) || isDotOrHyphen(bytes[end]) {
      end += 1
    }
    while end > at + 1, isDotOrHyphen(bytes[end - 1]) { end -= 1 }
    guard begin < at, let dot = bytes[at + 1..<end].lastIndex(of: UInt8(ascii: ".")), dot > at + 1 else { return nil }
    let last = bytes[dot + 1..<end]
    guard last.count >= 2, last.allSatisfy(isLetter) else { return nil }
    return begin..<end
  }

  /// The value of `password=value`, up to what ends it in an address, a header or a sentence.
  private static func assigned(_ bytes: UnsafeBufferPointer<UInt8>, _ sign: Int, from start: Int) -> Range<Int>? {
    var begin = sign
    while begin > start, sign - begin < 64, isKey(bytes[begin - 1]) { begin -= 1 }
    let key = UnsafeBufferPointer(rebasing: bytes[begin..<sign])
    guard begin < sign, SensitiveKeys.namesSecret(key) else { return nil }
    var end = sign + 1
    while end < bytes.count, !"&;, \t\r\n\"'<>)}]".utf8.contains(bytes[end]) { end += 1 }
    guard end > sign + 1, bytes[sign + 1] != UInt8(ascii: "=") else { return nil }
    return sign + 1..<end
  }

  /// `user:password` of `scheme://user:password@host`, with the colon of the scheme at `place`.
  private static func login(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    guard place + 3 < bytes.count, bytes[place + 1] == 0x2f, bytes[place + 2] == 0x2f else { return nil }
    var (end, hasColon) = (place + 3, false)
    while end < bytes.count, !"/?# \t\r\n\"'<>@".utf8.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: ":") { hasColon = true }
      end += 1
    }
    guard hasColon, end < bytes.count, bytes[end] == UInt8(ascii: "@"), end > place + 3 else { return nil }
    return place + 3..<end
  }

  /// The token of `Bearer TOKEN`.
  private static func bearer(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    let word = "bearer ".utf8
    guard place + word.count < bytes.count, place == 0 || !isWord(bytes[place - 1]) else { return nil }
    guard zip(word, bytes[place...]).allSatisfy({ $0 == $1.lowercasedASCII }) else { return nil }
    var end = place + word.count
    while end < bytes.count, isAlphanumeric(bytes[end]) || "-._~+/=".utf8.contains(bytes[end]) { end += 1 }
    return end - place - word.count >= 8 ? place + word.count..<end : nil
  }

  /// A JSON Web Token (RFC 7519): three parts in base64url, the first of them an object.
  private static func webToken(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    guard place + 30 < bytes.count, bytes[place + 1] == UInt8(ascii: "y"), bytes[place + 2] == UInt8(ascii: "J"),
      place == 0 || !isWord(bytes[place - 1])
    else { return nil }
    var (end, dots) = (place, 0)
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: ".") {
        dots += 1
      } else if !isAlphanumeric(bytes[end]), bytes[end] != 0x2d, bytes[end] != 0x5f {
        break
      }
      end += 1
    }
    return dots == 2 && end - place > 30 ? place..<end : nil
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
  /// Bytes that make a number or a word part of a longer one; those of letters beyond ASCII do not.
  static func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == 0x5f }
  private static func isDotOrHyphen(_ byte: UInt8) -> Bool { byte == 0x2e || byte == 0x2d }
  private static func isLocal(_ byte: UInt8) -> Bool { isWord(byte) || ".%+-".utf8.contains(byte) }
  private static func isKey(_ byte: UInt8) -> Bool { isWord(byte) || byte == 0x2d || byte == 0x2e }
}

/// Numbers of payment cards in texts.
enum CardNumber {
  private static let longest = 19

  /// The digits of a number that begins at `place`, in one piece or in groups with a blank or a hyphen between.
  static func range(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    guard SensitiveText.isDigit(bytes[place]), !isJoined(bytes, before: place) else { return nil }
    var digits: [UInt8] = []
    var end = place
    while end < bytes.count, digits.count <= longest {
      if SensitiveText.isDigit(bytes[end]) {
        digits.append(bytes[end] - 0x30)
      } else if !isGap(bytes, end) {
        break
      }
      end += 1
    }
    let isWhole = end == bytes.count || !SensitiveText.isWord(bytes[end])
    guard isWhole, (13...longest).contains(digits.count), isIssued(digits), hasCheckDigit(digits) else { return nil }
    return place..<end
  }

  /// Tells whether the digits go on before a point or a hyphen: then they are of a fraction, or of a name.
  private static func isJoined(_ bytes: UnsafeBufferPointer<UInt8>, before place: Int) -> Bool {
    place >= 2 && (bytes[place - 1] == 0x2e || bytes[place - 1] == 0x2d) && SensitiveText.isWord(bytes[place - 2])
  }

  private static func isGap(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    (bytes[place] == 0x20 || bytes[place] == 0x2d) && place + 1 < bytes.count && SensitiveText.isDigit(bytes[place + 1])
      && place >= 4 && bytes[place - 4..<place].allSatisfy(SensitiveText.isDigit)
  }

  /// Tells whether the first digits are those of a known issuer, with a length that it gives.
  private static func isIssued(_ digits: [UInt8]) -> Bool {
    let start = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
    let count = digits.count
    switch start {
    case 4000...4999: return [13, 16, 19].contains(count)
    case 5100...5599, 2221...2720: return count == 16
    case 3400...3499, 3700...3799: return count == 15
    case 6200...6299, 8100...8199: return (16...19).contains(count)
    case 6011, 6440...6599: return (16...19).contains(count)
    case 3528...3589: return (16...19).contains(count)
    case 3000...3059, 3600...3699, 3800...3999: return count == 14 || (16...19).contains(count)
    case 5000...5099, 5600...5899, 6300...6399, 6700...6799: return (13...19).contains(count)
    case 2200...2204: return (16...19).contains(count)
    default: return false
    }
  }

  /// Tells whether the last digit is the one that the others give (Luhn, ISO/IEC 7812-1, annex B).
  static func hasCheckDigit(_ digits: [UInt8]) -> Bool {
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let doubled = Int(digit.element) * (digit.offset % 2 == 1 ? 2 : 1)
      return sum + (doubled > 9 ? doubled - 9 : doubled)
    }
    return sum % 10 == 0
  }
}

/// IP addresses in texts.
enum InternetAddressText {
  /// The address that begins at `place`; nil where there is none, or one that all devices have.
  static func range(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    guard place == 0 || bytes[place - 1] != 0x2e && bytes[place - 1] != 0x3a else { return nil }
    return SensitiveText.isDigit(bytes[place]) ? four(bytes, place) ?? six(bytes, place) : six(bytes, place)
  }

  private static func four(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    var parts: [Int] = []
    var end = place
    while parts.count < 4 {
      let start = end
      var value = 0
      while end < bytes.count, end - start < 3, SensitiveText.isDigit(bytes[end]) {
        value = value * 10 + Int(bytes[end] - 0x30)
        end += 1
      }
      guard end > start, value <= 255, end - start == 1 || bytes[start] != 0x30 else { return nil }
      parts.append(value)
      guard parts.count < 4 else { break }
      guard end < bytes.count, bytes[end] == 0x2e else { return nil }
      end += 1
    }
    let goesOn = end < bytes.count && (SensitiveText.isWord(bytes[end]) || isPointBeforeDigit(bytes, end))
    // Of this device, of none, of all: they tell nothing of anybody.
    guard !goesOn, parts[0] != 127, parts[0] != 0, parts != [255, 255, 255, 255] else { return nil }
    return place..<end
  }

  private static func isPointBeforeDigit(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    bytes[place] == 0x2e && place + 1 < bytes.count && SensitiveText.isDigit(bytes[place + 1])
  }

  /// An address of IPv6 of the blocks that devices have (2000::/3, fc00::/7, fe80::/10).
  private static func six(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Range<Int>? {
    guard place + 4 < bytes.count, bytes[place + 4] == 0x3a else { return nil }
    let (first, second) = (bytes[place] | 0x20, bytes[place + 1] | 0x20)
    let isKnown =
      bytes[place] == 0x32 || bytes[place] == 0x33
      || first == 0x66 && (second == 0x63 || second == 0x64 || second == 0x65)
    guard isKnown else { return nil }
    var (end, group, groups, gaps) = (place, 0, 0, 0)
    while end < bytes.count {
      if isHex(bytes[end]) {
        group += 1
        if group == 1 { groups += 1 }
        guard group <= 4 else { return nil }
      } else if bytes[end] == 0x3a {
        if end > place, bytes[end - 1] == 0x3a { gaps += 1 }
        group = 0
      } else {
        break
      }
      end += 1
    }
    if end < bytes.count, SensitiveText.isWord(bytes[end]) { return nil }
    // A colon behind an address is the sentence's.
    if gaps == 0 || bytes[end - 2] != 0x3a { while bytes[end - 1] == 0x3a { end -= 1 } }
    guard gaps == 0 ? groups == 8 : gaps == 1 && groups < 8 else { return nil }
    return place..<end
  }

  private static func isHex(_ byte: UInt8) -> Bool { SensitiveText.isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
}
