/// Numbers as constraints compare them.
enum DecimalNumber {
  /// Reads a number of a context: digits with a point and an exponent, `inf` or `nan` in any case.
  static func inContext(_ text: String) -> Double? {
    if let quick = text.withBytes(quick) { return quick }
    guard text.withBytes({ isNumber($0) || isWord($0) }) else { return nil }
    return Double(text)
  }

  /// Reads the number of a constraint: digits first, and white space around it.
  static func inConstraint(_ text: String) -> Double? {
    var text = Substring(text)
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    text = text.drop { $0 == " " || $0 == "\t" }
    guard String(text).withBytes({ isNumber($0, needsDigitsFirst: true) }) else { return nil }
    return Double(text)
  }

  /// A number of up to 15 digits, which a double has exactly, over a power of ten that it has exactly, too.
  private static func quick(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard !bytes.isEmpty, bytes.count <= 17 else { return nil }
    var (value, digits, fraction, isFraction, start) = (0, 0, 0, false, 0)
    if bytes[0] == UInt8(ascii: "-") { start = 1 }
    for byte in bytes[start...] {
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if byte &- 0x30 < 10 {
        value = value * 10 + Int(byte - 0x30)
        digits += 1
        if isFraction { fraction += 1 }
      } else {
        return nil
      }
    }
    guard digits > 0, digits <= 15 else { return nil }
    let number = fraction == 0 ? Double(value) : Double(value) / powers[fraction]
    return start == 1 ? -number : number
  }

  private static let powers: [Double] = (0...15).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }

  private static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>, needsDigitsFirst: Bool = false) -> Bool {
    var place = 0
    skipSign(bytes, &place)
    let whole = skipDigits(bytes, &place)
    var fraction = 0
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      fraction = skipDigits(bytes, &place)
    }
    guard whole > 0 || (fraction > 0 && !needsDigitsFirst) else { return false }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      place += 1
      skipSign(bytes, &place)
      guard skipDigits(bytes, &place) > 0 else { return false }
    }
    return place == bytes.count
  }

  private static func skipSign(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
    if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") { place += 1 }
  }

  private static func skipDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> Int {
    let start = place
    while place < bytes.count, bytes[place] &- 0x30 < 10 { place += 1 }
    return place - start
  }

  private static func isWord(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    skipSign(bytes, &place)
    let word = bytes[place...].lazy.map { $0 | 0x20 }
    return ["inf", "infinity", "nan"].contains { word.elementsEqual($0.utf8) }
  }
}
