/// Times, rates, sizes and shares as people write them, read and written without losing anything.
package enum Quantity {
  private static let attosecondsInASecond: Int128 = 1_000_000_000_000_000_000

  /// Longest first, so that `ms` is not taken for `m`.
  private static let durationUnits: [(name: String, attoseconds: Int128)] = [
    ("min", 60 * attosecondsInASecond), ("ms", attosecondsInASecond / 1000),
    ("us", attosecondsInASecond / 1_000_000), ("µs", attosecondsInASecond / 1_000_000),
    ("μs", attosecondsInASecond / 1_000_000), ("ns", attosecondsInASecond / 1_000_000_000),
    ("h", 3600 * attosecondsInASecond), ("m", 60 * attosecondsInASecond), ("s", attosecondsInASecond),
  ]

  /// The longest time that is read: a thousand days.
  private static let longest = 86_400_000 * attosecondsInASecond

  /// `10s`, `1m30s`, `1.5s`, `300ms`, `0`; nil where the text is no time.
  package static func duration(_ text: String) -> Duration? {
    if text == "0" { return .zero }
    var rest = text[...]
    var sum: Int128 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count)
      guard let unit = durationUnits.first(where: { rest.hasPrefix($0.name) }),
        let part = decimal(number, times: unit.attoseconds)
      else { return nil }
      rest = rest.dropFirst(unit.name.count)
      sum += part
      guard sum <= longest else { return nil }
    }
    return Duration(
      secondsComponent: Int64(sum / attosecondsInASecond), attosecondsComponent: Int64(sum % attosecondsInASecond))
  }

  /// A time in the fewest words that say it exactly: `1m30s`, `300ms`, `1s500ms`.
  package static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    guard seconds > 0 || attoseconds > 0 else { return "0s" }
    var text = ""
    if seconds >= 3600 { text += "\(seconds / 3600)h" }
    if seconds % 3600 >= 60 { text += "\(seconds % 3600 / 60)m" }
    if seconds % 60 > 0 { text += "\(seconds % 60)s" }
    guard attoseconds > 0 else { return text }
    if attoseconds % 1_000_000_000_000_000 == 0 { return text + "\(attoseconds / 1_000_000_000_000_000)ms" }
    if attoseconds % 1_000_000_000_000 == 0 { return text + "\(attoseconds / 1_000_000_000_000)us" }
    let rest = String(attoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
    let fraction = String(rest.reversed().drop { $0 == "0" }.reversed())
    return text + "\(attoseconds / 1_000_000_000)" + (fraction.isEmpty ? "" : "." + fraction) + "ns"
  }

  /// Bits a second by the unit's name in lower case.
  private static let rateUnits: [String: (factor: Int128, bits: Int128)] = {
    var units: [String: (Int128, Int128)] = [:]
    for (prefix, factor) in [("", 1), ("k", 1000), ("m", 1_000_000), ("g", 1_000_000_000)] as [(String, Int128)] {
      for name in ["bit/s", "bps", "bit"] { units[prefix + name] = (factor, 1) }
      units[prefix + "b/s"] = (factor, 8)
    }
    return units
  }()

  /// Bits a second of `780kbit/s`, `1.5Mbit/s`, `2Mbps`; nil where the text is no rate.
  ///
  /// `100kB/s` counts bytes.
  package static func rate(_ text: String) -> Int64? {
    let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count)
    guard let (factor, bits) = rateUnits[unit.lowercased()] else { return nil }
    // A small b is too easily meant for bits.
    if bits == 8, !unit.contains("B") { return nil }
    guard let value = decimal(number, times: factor * bits), value <= 1_000_000_000_000_000 else { return nil }
    return Int64(value)
  }

  package static func text(rate: Int64) -> String {
    for (factor, name) in [(1_000_000_000, "Gbit/s"), (1_000_000, "Mbit/s"), (1000, "kbit/s")] as [(Int64, String)]
    where rate != 0 && rate % factor == 0 {
      return "\(rate / factor)\(name)"
    }
    return "\(rate)bit/s"
  }

  private static let sizeUnits: [String: Int128] = [
    "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
  ]

  /// Bytes: `512B`, `10kB`, `1.5MB`, `64KiB`, `512`; nil where the text is no size.
  package static func size(_ text: String) -> Int64? {
    let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let unit = sizeUnits[text.dropFirst(number.count).lowercased()],
      let value = decimal(number, times: unit), value <= 1 << 60
    else { return nil }
    return Int64(value)
  }

  package static func text(size: Int64) -> String {
    for (factor, name) in [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")] as [(Int64, String)]
    where size != 0 && size % factor == 0 {
      return "\(size / factor)\(name)"
    }
    return "\(size)B"
  }

  /// A share from 0 to 1 of `2%`, `0.5%`; nil where the text is none.
  package static func share(_ text: String) -> Double? {
    guard text.hasSuffix("%"), case let number = text.dropLast(), isDecimal(number) else { return nil }
    // The exponent keeps what the text says: 2.3 / 100 is another number.
    guard let value = Double(number + "e-2"), (0...1).contains(value) else { return nil }
    return value
  }

  package static func text(share: Double) -> String { text(share, shifted: 2) + "%" }

  /// A number from 0 as `1`, `0.25`; nil where the text is none.
  package static func number(_ text: String) -> Double? {
    guard isDecimal(text[...]), let value = Double(text), value.isFinite else { return nil }
    return value
  }

  package static func text(number: Double) -> String { text(number, shifted: 0) }

  // MARK: - Decimals

  private static func isDecimal(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, text.count <= 400 else { return false }
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }

  /// A decimal times a whole number; nil where that is not whole.
  private static func decimal(_ text: Substring, times factor: Int128) -> Int128? {
    guard isDecimal(text), text.count <= 30 else { return nil }
    let parts = text.split(separator: ".")
    guard let whole = Int128(parts[0]), whole < 1_000_000_000_000 else { return nil }
    guard parts.count == 2 else { return whole * factor }
    var sum = whole * factor
    var unit = factor
    for digit in parts[1].utf8 {
      let value = Int128(digit) - 48
      guard unit % 10 == 0 || value == 0 else { return nil }
      unit /= 10
      sum += value * unit
    }
    return sum
  }

  /// The shortest decimal that reads as `value` again, with the point moved to the right.
  private static func text(_ value: Double, shifted: Int) -> String {
    guard value.isFinite, value > 0 else { return "0" }
    let parts = value.description.split(separator: "e")
    let digits = parts[0].split(separator: ".")
    let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + shifted
    var whole = String(digits[0])
    var fraction = digits.count > 1 && digits[1] != "0" ? String(digits[1]) : ""
    for _ in 0..<max(exponent, 0) { whole.append(fraction.isEmpty ? "0" : fraction.removeFirst()) }
    for _ in 0..<max(-exponent, 0) { fraction = "\(whole.popLast() ?? "0")" + fraction }
    whole = String(whole.drop { $0 == "0" })
    fraction = String(fraction.reversed().drop { $0 == "0" }.reversed())
    return (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
  }
}
