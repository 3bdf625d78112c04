/// The place in front of a line of text: `FILE:LINE:COLUMN:`, `FILE:LINE:` or `FILE:`.
struct TextPlace {
  let file: String
  let line: Int?
  let column: Int?
  /// The text behind the place.
  let rest: Substring

  init(_ text: Substring) {
    var start = text.startIndex
    while let colon = text[start...].firstIndex(of: ":") {
      start = text.index(after: colon)
      guard let (line, behind) = Self.number(text, from: start) else { continue }
      file = String(text[..<colon])
      self.line = line
      let next = Self.number(text, from: behind)
      column = next?.value
      rest = text[(next?.end ?? behind)...]
      return
    }
    let colon = text.firstIndex(of: ":")
    file = String(text[..<(colon ?? text.startIndex)])
    (line, column) = (nil, nil)
    rest = colon.map { text[text.index(after: $0)...] } ?? text
  }

  /// The number that begins at a place and has a colon behind it, and the place behind that.
  private static func number(_ text: Substring, from start: Substring.Index) -> (value: Int, end: Substring.Index)? {
    let digits = text[start...].prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count < 9, digits.endIndex < text.endIndex, text[digits.endIndex] == ":",
      let value = Int(digits), value > 0
    else { return nil }
    return (value, text.index(after: digits.endIndex))
  }
}
