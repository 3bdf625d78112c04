/// The lines of a text that is edited.
extension TOMLEdit {
  /// The line end that the text uses.
  var newline: String {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")), first > 0 else { return "\n" }
    return bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  func key(_ steps: ArraySlice<Step>) -> String {
    steps.compactMap { step in
      if case .key(let key) = step { TOMLKey.written(key) } else { nil }
    }.joined(separator: ".")
  }

  func replacing(_ range: Range<Int>, with text: String) -> String {
    var result = bytes
    result.replaceSubrange(range, with: text.utf8)
    return String(decoding: result, as: UTF8.self)
  }

  func inserting(_ text: String, at place: Int) -> String { replacing(place..<place, with: text) }

  /// Inserts a line behind the one that ends at `place`; a text without a line end at its end has none then either.
  func inserting(_ line: String, behind place: Int) -> String {
    let isBare = place > 0 && place == bytes.count && bytes[place - 1] != UInt8(ascii: "\n")
    return inserting(isBare ? newline + line : line + newline, at: place)
  }

  func lineStart(_ place: Int) -> Int {
    let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // A byte order mark stays the first.
    return start == 0 && bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : start
  }

  /// The beginning of the lines of the statement at `place`: its own, and comments right above it.
  func startWithComments(_ place: Int) -> Int {
    var start = lineStart(place)
    while start > 0 {
      let above = lineStart(start - 1)
      guard above < start else { break }
      let first = bytes[above..<start].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      guard first == UInt8(ascii: "#") else { break }
      start = above
    }
    return start
  }

  func indentation(_ place: Int) -> String {
    let start = lineStart(place)
    let space = bytes[start..<place].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return String(decoding: space, as: UTF8.self)
  }

  /// The end of the empty line that begins at `place`; nil where there is none.
  func emptyLineEnd(_ place: Int) -> Int? {
    let rest = bytes[place...].prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    return rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
  }

  /// The beginning of the empty line that ends at `place`; nil where there is none.
  func emptyLineStart(_ place: Int) -> Int? {
    guard place > 0, bytes[place - 1] == UInt8(ascii: "\n") else { return nil }
    let start = lineStart(place - 1)
    return bytes[start..<place].allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") } ? start : nil
  }
}
