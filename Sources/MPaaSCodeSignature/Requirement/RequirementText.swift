import MPaaSSupport

/// Values as the language of requirements writes them: plain, in quotes, or as hexadecimal digits.
enum RequirementText {
  /// A value: letters and digits stand as they are.
  static func value(_ bytes: Bytes) -> String { written(bytes.array) { _ in false } }

  /// A key: it may have dots, too.
  static func key(_ bytes: Bytes) -> String { written(bytes.array) { $0 == UInt8(ascii: ".") } }

  private static func written(_ bytes: [UInt8], _ isPlainToo: (UInt8) -> Bool) -> String {
    let isPlain = bytes.allSatisfy { isLetter($0) || isDigit($0) || isPlainToo($0) }
    if isPlain, let first = bytes.first, !isDigit(first) { return String(decoding: bytes, as: UTF8.self) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) || (0x09...0x0d).contains($0) }) else {
      return "0x" + bytes.hexadecimal
    }
    var text: [UInt8] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
      text.append(byte)
    }
    return "\"" + String(decoding: text, as: UTF8.self) + "\""
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  /// An object identifier of its bytes in DER, as numbers with dots.
  static func identifier(_ bytes: Bytes) -> String { ObjectIdentifierText.text(of: bytes.array[...]) }

  /// Seconds from the first of January 2001 to 1970.
  private static let secondsTo2001: Int64 = 978_307_200

  /// A moment as `20260301120000Z`; the number where no calendar has it.
  static func time(secondsSince2001 seconds: Int64) -> String {
    let (total, overflow) = seconds.addingReportingOverflow(secondsTo2001)
    guard !overflow, abs(total) < 1 << 40 else { return "\(seconds)" }
    let (date, second) = CivilDate.at(secondsSince1970: Int(total))
    return date.year.padded(to: 4) + date.month.padded(to: 2) + date.day.padded(to: 2)
      + (second / 3600).padded(to: 2) + (second / 60 % 60).padded(to: 2) + (second % 60).padded(to: 2) + "Z"
  }
}
