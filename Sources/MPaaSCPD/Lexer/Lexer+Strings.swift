// Strings, characters and regular expressions.
extension Lexer {
  /// Takes what begins with a quote, or with signs before one; false where nothing does.
  mutating func takeQuoted(_ byte: UInt8) -> Bool {
    let start = place
    switch byte {
    case UInt8(ascii: "\""):
      if syntax.hasTripleQuotes, stands("\"\"\"", at: place) {
        skipTriple(hashes: 0)
      } else if syntax.language == .swift || syntax.language == .kotlin {
        skipInterpolated(hashes: 0, depth: 0)
      } else {
        skipString(byte)
      }
    case UInt8(ascii: "'") where syntax.hasSingleQuotes: skipString(byte)
    case UInt8(ascii: "`"):
      if syntax.hasBackquotes {
        skipTemplate(depth: 0)
      } else {
        return takeQuotedName()
      }
    case UInt8(ascii: "#") where syntax.language == .swift:
      var hashes = 0
      while bytes[place + hashes] == byte, hashes < 255 { hashes += 1 }
      guard bytes[place + hashes] == UInt8(ascii: "\"") else { return false }
      place += hashes
      if stands("\"\"\"", at: place) { skipTriple(hashes: hashes) } else { skipInterpolated(hashes: hashes, depth: 0) }
    case UInt8(ascii: "@") where syntax.language == .objectiveC && bytes[place + 1] == UInt8(ascii: "\""):
      place += 1
      skipString(UInt8(ascii: "\""))
    case UInt8(ascii: "[") where syntax.hasDashComments:
      guard let level = longBracketLevel(place) else { return false }
      skipLongBracket(level)
    case UInt8(ascii: "/") where syntax.hasRegularExpressions:
      guard mayBeginRegularExpression, skipRegularExpression() else { return false }
    default: return false
    }
    place = min(place, end)
    take(.string, from: start)
    return true
  }

  /// `name` between backquotes, as in Swift and Kotlin.
  private mutating func takeQuotedName() -> Bool {
    let start = place
    let limit = min(end, place + 256)
    var next = place + 1
    while next < limit, bytes[next] != UInt8(ascii: "`"), bytes[next] != 0x0a { next += 1 }
    guard next < limit, bytes[next] == UInt8(ascii: "`") else { return false }
    place = next + 1
    take(.word, from: start)
    return true
  }

  /// Goes past a string with escapes; one that is not ended ends with its line.
  mutating func skipString(_ quote: UInt8) {
    place += 1
    while place < end {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\\") {
        place += bytes[place + 1] == 0x0d && bytes[place + 2] == 0x0a ? 3 : 2
      } else if byte == 0x0a, !syntax.joinsLines || bytes[place - 1] != UInt8(ascii: "\\") {
        return
      } else {
        place += 1
        if byte == quote { return }
      }
    }
    place = min(place, end)
  }

  /// Goes past a string in which `\(…)` or `${…}` has code, and strings again.
  ///
  /// - Parameter depth: How deep it lies in others; past 32 its code is text.
  private mutating func skipInterpolated(hashes: Int, depth: Int) {
    place += 1
    while place < end {
      let byte = bytes[place]
      if byte == 0x0a { return }
      if byte == UInt8(ascii: "\""), standsHashes(hashes, at: place + 1) {
        place += 1 + hashes
        return
      }
      skipPart(byte, hashes, depth)
    }
  }

  /// Goes past a character of a string, an escape, or code in it.
  private mutating func skipPart(_ byte: UInt8, _ hashes: Int, _ depth: Int) {
    if byte == UInt8(ascii: "\\"), standsHashes(hashes, at: place + 1) {
      let next = bytes[place + 1 + hashes]
      place += 2 + hashes
      if next == UInt8(ascii: "("), syntax.language == .swift, depth < 32 {
        skipCode(UInt8(ascii: "("), UInt8(ascii: ")"), depth + 1)
      }
    } else if byte == UInt8(ascii: "$"), bytes[place + 1] == UInt8(ascii: "{"), syntax.language == .kotlin, depth < 32 {
      place += 2
      skipCode(UInt8(ascii: "{"), UInt8(ascii: "}"), depth + 1)
    } else {
      place += 1
    }
  }

  private func standsHashes(_ count: Int, at place: Int) -> Bool {
    var index = 0
    while index < count {
      if bytes[place + index] != UInt8(ascii: "#") { return false }
      index += 1
      if place + index > end { return false }
    }
    return true
  }

  /// Goes past code inside a string, to the bracket that ends it, or to the end of its line.
  private mutating func skipCode(_ open: UInt8, _ close: UInt8, _ depth: Int) {
    var brackets = 1
    while place < end {
      let byte = bytes[place]
      if byte == 0x0a, open == UInt8(ascii: "(") { return }
      if byte == UInt8(ascii: "\"") {
        skipInterpolated(hashes: 0, depth: depth)
        continue
      }
      if byte == UInt8(ascii: "`"), syntax.hasBackquotes {
        skipTemplate(depth: depth)
        continue
      }
      place += 1
      if byte == open { brackets += 1 }
      if byte == close {
        brackets -= 1
        if brackets == 0 { return }
      }
    }
  }

  private mutating func skipTriple(hashes: Int) {
    place += 3
    while place < end {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\""), stands("\"\"\"", at: place), standsHashes(hashes, at: place + 3) {
        place += 3 + hashes
        // Kotlin's may end in more quotes.
        while syntax.language == .kotlin, bytes[place] == byte { place += 1 }
        return
      }
      if byte == UInt8(ascii: "\\"), syntax.language != .kotlin, standsHashes(hashes, at: place + 1) {
        place += 2 + hashes
      } else {
        place += 1
      }
    }
  }

  /// Goes past a text between backquotes, with the code that it has.
  private mutating func skipTemplate(depth: Int) {
    place += 1
    while place < end {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\\") {
        place += 2
      } else if byte == UInt8(ascii: "$"), bytes[place + 1] == UInt8(ascii: "{"), depth < 32 {
        place += 2
        skipCode(UInt8(ascii: "{"), UInt8(ascii: "}"), depth + 1)
      } else {
        place += 1
        if byte == UInt8(ascii: "`") { return }
      }
    }
  }

  // MARK: C

  /// Takes a string or character whose prefix is the word from `start`; false where the word is none.
  mutating func takePrefixed(_ start: Int) -> Bool {
    let length = place - start
    let prefix = String(decoding: UnsafeBufferPointer(start: bytes + start, count: length), as: UTF8.self)
    if bytes[place] == UInt8(ascii: "\""), ["R", "LR", "uR", "UR", "u8R"].contains(prefix) {
      skipRaw()
    } else if ["L", "u", "U", "u8"].contains(prefix) {
      skipString(bytes[place])
    } else {
      return false
    }
    place = min(place, end)
    take(.string, from: start)
    return true
  }

  /// Goes past `"name(…)name"`; the name has 16 signs at most.
  private mutating func skipRaw() {
    let name = place + 1
    var open = name
    while open - name <= 16, bytes[open] != UInt8(ascii: "("), bytes[open] != 0x0a, open < end { open += 1 }
    guard bytes[open] == UInt8(ascii: "(") else { return skipString(UInt8(ascii: "\"")) }
    let length = open - name
    place = open + 1
    while place < end {
      if bytes[place] == UInt8(ascii: ")"), place + length + 1 < end,
        bytes[place + length + 1] == UInt8(ascii: "\""), isSame(place + 1, name, length)
      {
        place += length + 2
        return
      }
      place += 1
    }
  }

  private func isSame(_ left: Int, _ right: Int, _ count: Int) -> Bool {
    var index = 0
    while index < count, bytes[left + index] == bytes[right + index] { index += 1 }
    return index == count
  }

  // MARK: Lua

  /// The number of equals signs in the long bracket that opens at `place`; nil where none does.
  func longBracketLevel(_ place: Int) -> Int? {
    var next = place + 1
    while next < end, bytes[next] == UInt8(ascii: "=") { next += 1 }
    return bytes[next] == UInt8(ascii: "[") && next < end ? next - place - 1 : nil
  }

  /// Goes past a long bracket that opens at `place`.
  mutating func skipLongBracket(_ level: Int) {
    place += level + 2
    while place < end {
      if bytes[place] == UInt8(ascii: "]") {
        var next = place + 1
        while next < end, bytes[next] == UInt8(ascii: "=") { next += 1 }
        if next - place - 1 == level, bytes[next] == UInt8(ascii: "]") {
          place = next + 1
          return
        }
        place = next
      } else {
        place += 1
      }
    }
  }

  // MARK: JavaScript

  /// Tells whether a slash here begins a regular expression, and divides nothing.
  private var mayBeginRegularExpression: Bool {
    switch lastKind {
    case .number, .string, .text: return false
    case .symbol: return ![UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(lastByte)
    case .word, .keyword:
      var length = 0
      while length < 11, ByteTable.flags[Int(bytes[lastStart + length])] & ByteTable.letter != 0 { length += 1 }
      let word = String(decoding: UnsafeBufferPointer(start: bytes + lastStart, count: length), as: UTF8.self)
      return Self.operatorWords.contains(word)
    }
  }

  private static var operatorWords: Set<String> {
    ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await", "yield"]
  }

  private mutating func skipRegularExpression() -> Bool {
    guard place >= regularExpressionBarrier else { return false }
    var next = place + 1
    var isClass = false
    while next < end, bytes[next] != 0x0a {
      switch bytes[next] {
      case UInt8(ascii: "\\"): next += 1
      case UInt8(ascii: "["): isClass = true
      case UInt8(ascii: "]"): isClass = false
      case UInt8(ascii: "/") where !isClass:
        next += 1
        while ByteTable.flags[Int(bytes[next])] & ByteTable.letter != 0 { next += 1 }
        place = next
        return true
      default: break
      }
      next += 1
    }
    regularExpressionBarrier = next
    return false
  }
}
