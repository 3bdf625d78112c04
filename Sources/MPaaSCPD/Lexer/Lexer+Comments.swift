// Comments, directives and imports: what is left out.
extension Lexer {
  /// Goes past a comment that begins at `place`; false where there is none.
  mutating func skipComment(_ byte: UInt8) -> Bool {
    let next = bytes[place + 1]
    if byte == UInt8(ascii: "/"), syntax.hasSlashComments {
      if next == UInt8(ascii: "/") { return skipLineComment() }
      if next == UInt8(ascii: "*") { return skipBlockComment() }
    }
    guard byte == UInt8(ascii: "-"), next == UInt8(ascii: "-"), syntax.hasDashComments else {
      // The first line of a script.
      return byte == UInt8(ascii: "#") && place == 0 && next == UInt8(ascii: "!") && skipLineComment()
    }
    if bytes[place + 2] == UInt8(ascii: "["), let level = longBracketLevel(place + 2) {
      let start = place
      place += 2
      skipLongBracket(level)
      obey(start, place)
      return true
    }
    return skipLineComment()
  }

  private mutating func skipLineComment() -> Bool {
    let start = place
    place = lineEnd(from: place)
    while syntax.joinsLines, place < end, bytes[place - 1] == UInt8(ascii: "\\") {
      place = lineEnd(from: place + 1)
    }
    obey(start, place)
    return true
  }

  private mutating func skipBlockComment() -> Bool {
    let start = place
    place += 2
    var depth = 1
    while place < end {
      if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
        place += 2
        depth -= 1
        if depth == 0 { break }
      } else if syntax.nestsComments, bytes[place] == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "*") {
        place += 2
        depth += 1
      } else {
        place += 1
      }
    }
    place = min(place, end)
    obey(start, place)
    return true
  }

  /// Hides or shows what follows where a comment says CPD-OFF or CPD-ON; the last word counts.
  mutating func obey(_ start: Int, _ limit: Int) {
    var from = start
    while let found = find("CPD-O", from: from, before: limit) {
      if stands("CPD-OFF", at: found), found + 7 <= limit {
        isHidden = true
      } else if stands("CPD-ON", at: found), found + 6 <= limit {
        if isHidden { sink.cut() }
        isHidden = false
      }
      from = found + 5
    }
  }

  /// Goes past a directive of the C preprocessor with the lines that it is continued in.
  mutating func skipDirective(_ byte: UInt8) -> Bool {
    guard byte == UInt8(ascii: "#"), syntax.skipsDirectives, isLineStart else { return false }
    while place < end {
      let next = bytes[place]
      if next == 0x0a { break }
      if next == UInt8(ascii: "\\"), isLineEnd(place + 1) {
        place += bytes[place + 1] == 0x0d ? 3 : 2
      } else if next == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "/") {
        _ = skipLineComment()
      } else if next == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "*") {
        _ = skipBlockComment()
      } else {
        place += 1
      }
    }
    place = min(place, end)
    return true
  }

  /// Goes past an import whose first word ends at `place`; false where it is none.
  mutating func skipImport(_ start: Int, _ wasLineStart: Bool) -> Bool {
    if syntax.language == .lua { return stands("require", at: start) && place - start == 7 && skipRequire() }
    guard wasLineStart, !syntax.importWords.isEmpty, place - start <= 7 else { return false }
    let word = String(decoding: UnsafeBufferPointer(start: bytes + start, count: place - start), as: UTF8.self)
    guard syntax.importWords.contains(word) else { return false }
    var next = place
    while bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
    if syntax.language == .javascript { return skipModule(next) }
    // `package let` is Swift, and no name of a package.
    guard next > place else { return false }
    place = lineEnd(from: place)
    isLineStart = true
    return true
  }

  /// `import … from "…"`, which may have many lines; `import(…)` and `import.meta` are expressions.
  private mutating func skipModule(_ next: Int) -> Bool {
    guard bytes[next] != UInt8(ascii: "("), bytes[next] != UInt8(ascii: ".") else { return false }
    let limit = min(end, next + 1 << 11)
    var quote = next
    while quote < limit, bytes[quote] != UInt8(ascii: "\""), bytes[quote] != UInt8(ascii: "'") {
      if bytes[quote] == UInt8(ascii: ";") || bytes[quote] == UInt8(ascii: "=") { return false }
      quote += 1
    }
    guard quote < limit else { return false }
    place = quote
    skipString(bytes[quote])
    if bytes[place] == UInt8(ascii: ";") { place += 1 }
    return true
  }

  /// `require "…"` and `require(…)`.
  private mutating func skipRequire() -> Bool {
    var next = place
    while bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
    if bytes[next] == UInt8(ascii: "\"") || bytes[next] == UInt8(ascii: "'") {
      place = next
      skipString(bytes[next])
      return true
    }
    guard bytes[next] == UInt8(ascii: "(") else { return false }
    // A bound, so that what is no call costs no more than its own line.
    let limit = min(end, next + 1 << 10)
    var depth = 0
    while next < limit, bytes[next] != 0x0a {
      if bytes[next] == UInt8(ascii: "(") { depth += 1 }
      if bytes[next] == UInt8(ascii: ")") { depth -= 1 }
      next += 1
      if depth == 0 {
        place = next
        return true
      }
    }
    return false
  }
}
