import MPaaSSupport

/// The text between `<` and `>`: data in hexadecimal digits, and the types that GNUstep adds.
enum OldStyleTyped {
  /// The bytes of `0fbd7774 ec…`, which the reader found to be digits and blanks.
  static func data(_ inside: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in inside {
      guard let digit = digit(byte) else { continue }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  /// The first byte that is neither a digit nor a blank, or the end where a digit is missing.
  static func dataFault(_ inside: [UInt8]) -> Int? {
    var digits = 0
    for (index, byte) in inside.enumerated() {
      if digit(byte) != nil {
        digits += 1
      } else if byte != 0x20, !(0x09...0x0d).contains(byte) {
        return index
      }
    }
    return digits % 2 == 0 ? nil : inside.count
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// The value of `*I5`, `*R1.5`, `*BY`, `*D2001-01-01 00:00:00 +0000` (also with quotes behind the letter) and
  /// `[base64]`; nil for anything else.
  static func content(_ inside: [UInt8]) -> PropertyListValue.Content? {
    if inside.first == 0x5b {
      guard inside.count > 1, inside.last == 0x5d else { return nil }
      return Base64.decode(loose: Array(inside[1..<inside.count - 1])).map { .data($0) }
    }
    guard inside.count > 2 else { return nil }
    var rest = inside[2...]
    if rest.count > 1, rest.first == 0x22, rest.last == 0x22 { rest = rest.dropFirst().dropLast() }
    let word = String(decoding: rest, as: UTF8.self)
    switch inside[1] {
    case 0x49: return integer(word)
    case 0x52: return real(word).map { .real($0) }
    case 0x42: return word == "Y" ? .boolean(true) : word == "N" ? .boolean(false) : nil
    case 0x44: return date(word).map { .date($0) }
    default: return nil
    }
  }

  private static func integer(_ word: String) -> PropertyListValue.Content? {
    if let number = Int64(word) { return .integer(PropertyListInteger(number)) }
    return UInt64(word).map { .integer(PropertyListInteger($0)) }
  }

  private static func real(_ word: String) -> Double? {
    switch word.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    guard word.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains($0) }) else {
      return nil
    }
    return Double(word)
  }

  /// `2001-01-01 00:00:00 +0000`; other zones are brought to UTC.
  private static func date(_ word: String) -> PropertyListDate? {
    let parts = word.split(separator: " ")
    guard parts.count == 3, let time = PropertyListDate(parts[0] + "T" + parts[1] + "Z") else { return nil }
    let zone = Array(parts[2].utf8)
    guard zone.count == 5, zone[0] == 0x2b || zone[0] == 0x2d, let digits = Int(parts[2].dropFirst()), digits >= 0,
      digits % 100 < 60, digits < 2400
    else { return nil }
    let minutes = (digits / 100 * 60 + digits % 100) * (zone[0] == 0x2b ? 1 : -1)
    return time.earlier(byMinutes: minutes)
  }
}

extension PropertyListDate {
  /// The time so many minutes before; nil where the year would have more than four digits.
  fileprivate func earlier(byMinutes minutes: Int) -> PropertyListDate? {
    guard minutes != 0 else { return self }
    let total = CivilDate.days(year: year, month: month, day: day) * 1440 + hour * 60 + minute - minutes
    // The second stays what it is: it may be a leap second.
    let (date, rest) = CivilDate.at(secondsSince1970: total * 60)
    return PropertyListDate(
      "\(date)T\((rest / 3600).padded(to: 2)):\((rest / 60 % 60).padded(to: 2)):\(second.padded(to: 2))Z")
  }
}
