import MPaaSCrashReport

/// A line of a backtrace in a text report: `0   Demo   0x0000000100f4c4b4 main + 44 (main.swift:12)`.
///
/// Source: "Examining the fields in a crash report", section "Backtraces", developer.apple.com; what symbolicators
/// (`atos`, Xcode), PLCrashReporter and KSCrash make of it is read too.
struct AppleFrameLine {
  let number: Int
  /// The name in the second column: a file's name, or on macOS a bundle's identifier.
  let image: String
  let address: UInt64
  /// Nil where the line has only `0x7fff61bc6000 + 3114`.
  let call: CrashReport.Call?
  /// Bytes of the line from the image's name to the end of the address.
  let middle: Range<Int>

  /// - Parameter line: The whole line, without its ending.
  init?(_ line: TextBytes) {
    var rest = line
    rest.skipSpace()
    guard let number = rest.takeNumber(), let first = rest.first, first == 0x20 || first == 0x09 else { return nil }
    rest.skipSpace()
    let start = rest.startIndex
    guard let place = Self.addressPlace(rest) else { return nil }
    image = rest[..<place].trimmed.text
    var tail = rest[place...]
    guard let address = Self.takeAddress(&tail), !image.isEmpty else { return nil }
    self.number = number
    self.address = address
    middle = start..<tail.startIndex
    call = Self.call(tail.trimmed)
  }

  /// The offset of the address: the first `0x…` that stands alone between white space, behind a tab where there is one.
  private static func addressPlace(_ line: TextBytes) -> Int? {
    var place = line.startIndex
    if let tab = line.firstIndex(of: 0x09) { place = tab }
    while let space = line[place...].firstIndex(where: { $0 == 0x20 || $0 == 0x09 }) {
      guard let word = line[space...].firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return nil }
      var rest = line[word...]
      if Self.takeAddress(&rest) != nil, rest.isEmpty || rest.first == 0x20 || rest.first == 0x09 || rest.first == 0x0d
      {
        return word
      }
      place = word
    }
    return nil
  }

  /// Takes an address; that of a call through a null pointer is printed as zeroes alone.
  private static func takeAddress(_ text: inout TextBytes) -> UInt64? {
    if let address = text.takeAddress() { return address }
    let zeroes = text.prefix { $0 == 0x30 }
    guard zeroes.count >= 8 else { return nil }
    text = text[zeroes.endIndex...]
    return 0
  }

  /// The call behind the address.
  static func call(_ text: TextBytes) -> CrashReport.Call? {
    var (text, isInlined) = withoutMark(text)
    var unresolved = text
    if unresolved.takeAddress() != nil, let rest = unresolved.after(" + ") {
      // KSCrash puts the symbol in parentheses behind it.
      guard let open = rest.range(of: " ("), text.last == 0x29 else { return nil }
      text = rest[open.upperBound...].dropLast()
    }
    let place = takePlace(&text)
    if !isInlined { (text, isInlined) = withoutMark(text) }
    let offset = takeOffset(&text)
    if let inside = text.range(of: " (in ", last: true), text.last == 0x29 { text = text[..<inside.lowerBound] }
    guard !text.isEmpty, !text.allSatisfy({ $0 == 0x30 || $0 == 0x3f }) else { return nil }
    var call = CrashReport.Call(function: text.text)
    call.offset = offset
    call.file = place?.file
    call.line = place?.line
    call.isInlined = isInlined
    return call
  }

  private static func withoutMark(_ text: TextBytes) -> (TextBytes, Bool) {
    text.has(suffix: " [inlined]") ? (text.dropLast(10).trimmed, true) : (text, false)
  }

  /// Takes ` + 44` off the end.
  private static func takeOffset(_ text: inout TextBytes) -> UInt64? {
    guard let plus = text.range(of: " + ", last: true), let offset = UInt64(text[plus.upperBound...].text) else {
      return nil
    }
    text = text[..<plus.lowerBound]
    return offset
  }

  /// Takes ` (main.swift:12)` off the end; a file without a line counts only behind an offset, where no signature
  /// stands.
  private static func takePlace(_ text: inout TextBytes) -> (file: String, line: Int?)? {
    guard text.last == 0x29, let open = text.range(of: " (", last: true) else { return nil }
    let inside = text[open.upperBound...].dropLast()
    var before = text[..<open.lowerBound]
    guard !inside.isEmpty, !inside.has(prefix: "in ") else { return nil }
    if let colon = inside.lastIndex(of: 0x3a), colon > inside.startIndex {
      var digits = inside[(colon + 1)...]
      if let line = digits.takeNumber(), digits.isEmpty {
        text = before
        return (inside[..<colon].text, line)
      }
    }
    guard takeOffset(&before) != nil, inside.contains(0x2e) else { return nil }
    text = text[..<open.lowerBound]
    return (inside.text, nil)
  }
}
