import MPaaSXML

/// Reads shortcuts and references in the text of a statement.
enum DAOReferenceParser {
  enum Piece {
    case sql([UInt8])
    case reference(names: [String], isBound: Bool, fallback: String?, isRaw: Bool, position: DAOPosition)
  }

  // MARK: Shortcuts

  /// The text with each `%{'format', a, b}` written out: the format for each name in place of `*`, with commas between.
  ///
  /// - Parameter grow: Refuses the bytes that a shortcut becomes where they are too many.
  static func expandShortcuts(
    _ text: XMLText, _ grow: (Int, DAOPosition) throws(DAOError) -> Void
  ) throws(DAOError) -> XMLText {
    guard find("%", in: text.bytes, from: 0) != nil else { return text }
    var result = XMLText()
    var start = 0
    while let found = find("%", in: text.bytes, from: start) {
      result.append(text, start..<found)
      let position = text.position(at: found)
      guard let shortcut = shortcut(text.bytes, found + 2) else {
        throw DAOError(.shortcut, ["shortcut": DAOExpander.excerpt(text.bytes, found)], at: position)
      }
      try grow(size(shortcut.format, shortcut.names), position)
      for (index, name) in shortcut.names.enumerated() {
        if index > 0 { result.append(", ".utf8, at: position) }
        result.append(shortcut.format.replaced(UInt8(ascii: "*"), by: Array(name.utf8)), at: position)
      }
      start = shortcut.end
    }
    result.append(text, start..<text.bytes.count)
    return result
  }

  /// The bytes that a shortcut becomes, each name counted as several.
  private static func size(_ format: [UInt8], _ names: [String]) -> Int {
    let stars = format.count { $0 == UInt8(ascii: "*") }
    return names.reduce(0) { size, name in
      let (bytes, overflow) = stars.multipliedReportingOverflow(by: name.utf8.count)
      let (sum, more) = size.addingReportingOverflow(overflow ? .max : bytes)
      let (total, most) = sum.addingReportingOverflow(format.count + 16)
      return more || most ? .max : total
    }
  }

  private static func shortcut(
    _ bytes: [UInt8], _ start: Int
  ) -> (format: [UInt8], names: [String], end: Int)? {
    let quote = UInt8(ascii: "'")
    guard let open = bytes[start...].firstIndex(where: { $0 > 0x20 }), bytes[open] == quote,
      let close = bytes[(open + 1)...].firstIndex(of: quote),
      let end = bytes[(close + 1)...].firstIndex(of: UInt8(ascii: "}"))
    else { return nil }
    let rest = DAOName.list(String(decoding: bytes[(close + 1)..<end], as: UTF8.self))
    guard rest.count > 1, rest[0].isEmpty, rest.dropFirst().allSatisfy({ !$0.isEmpty }) else { return nil }
    return (Array(bytes[(open + 1)..<close]), Array(rest.dropFirst()), end + 1)
  }

  /// The place of the next sign with a brace behind it.
  private static func find(_ sign: Unicode.Scalar, in bytes: [UInt8], from start: Int) -> Int? {
    var place = start
    while place + 1 < bytes.count {
      if bytes[place] == UInt8(ascii: sign), bytes[place + 1] == UInt8(ascii: "{") { return place }
      place += 1
    }
    return nil
  }

  // MARK: References

  /// The SQL and the references of a text.
  static func pieces(_ text: XMLText) throws(DAOError) -> [Piece] {
    let bytes = text.bytes
    var pieces: [Piece] = []
    var start = 0
    var place = 0
    while place + 1 < bytes.count {
      guard bytes[place] == UInt8(ascii: "#") || bytes[place] == UInt8(ascii: "@"),
        bytes[place + 1] == UInt8(ascii: "{")
      else {
        place += 1
        continue
      }
      if place > start { pieces.append(.sql(Array(bytes[start..<place]))) }
      let position = text.position(at: place)
      guard let end = end(bytes, place + 2),
        let piece = reference(Array(bytes[(place + 2)..<end]), bytes[place] == UInt8(ascii: "#"), position)
      else { throw DAOError(.reference, ["reference": DAOExpander.excerpt(bytes, place)], at: position) }
      pieces.append(piece)
      place = end + 1
      start = place
    }
    if bytes.count > start { pieces.append(.sql(Array(bytes[start...]))) }
    return pieces
  }

  /// The place of the closing brace, outside of quotes.
  private static func end(_ bytes: [UInt8], _ start: Int) -> Int? {
    var isQuoted = false
    for place in start..<bytes.count {
      if bytes[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[place] == UInt8(ascii: "}"), !isQuoted { return place }
    }
    return nil
  }

  /// Reads `name(.name)*`, with `or "text"` or `no ""` behind it.
  private static func reference(_ bytes: [UInt8], _ isBound: Bool, _ position: DAOPosition) -> Piece? {
    let text = DAOName.trimmed(String(decoding: bytes, as: UTF8.self))
    let path = text.prefix { $0 != " " && $0 != "\t" && !$0.isNewline }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let first = names.first, DAOName.isName(first),
      names.dropFirst().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(DAOName.isPart) })
    else { return nil }
    let rest = DAOName.trimmed(text.dropFirst(path.count))
    if rest.isEmpty {
      return .reference(names: names, isBound: isBound, fallback: nil, isRaw: false, position: position)
    }
    let word = rest.prefix(2).lowercased()
    let quoted = DAOName.trimmed(rest.dropFirst(2))
    guard rest.count > 2, quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else { return nil }
    let inner = String(quoted.dropFirst().dropLast())
    guard !inner.utf8.contains(UInt8(ascii: "\"")) else { return nil }
    switch word {
    case "or": return .reference(names: names, isBound: isBound, fallback: inner, isRaw: false, position: position)
    case "no" where !isBound && inner.isEmpty:
      return .reference(names: names, isBound: false, fallback: nil, isRaw: true, position: position)
    default: return nil
    }
  }
}

extension [UInt8] {
  fileprivate func replaced(_ byte: UInt8, by other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for own in self {
      if own == byte { result += other } else { result.append(own) }
    }
    return result
  }
}
