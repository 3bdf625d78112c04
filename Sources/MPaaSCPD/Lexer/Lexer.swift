#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A split of bytes into tokens, in time linear in their number: whatever is looked at is taken.
///
/// The bytes are followed by `LexerInput.padding` zeros, so that a look past the end is one at zeros.
struct Lexer<Sink: TokenSink> {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  let syntax: Syntax
  let ignoresImports: Bool
  var sink: Sink
  var place = 0
  /// Between CPD-OFF and CPD-ON.
  var isHidden = false
  /// The last token: its kind, and its first byte; a regular expression follows some only.
  var lastKind = TokenKind.symbol
  var lastByte: UInt8 = 0
  var lastStart = 0
  /// No regular expression ends before this place.
  var regularExpressionBarrier = 0
  /// Only blanks stood before in this line.
  var isLineStart = true

  init(_ input: borrowing LexerInput, _ language: SourceLanguage, ignoresImports: Bool = false, into sink: Sink) {
    bytes = UnsafePointer(input.memory)
    end = input.count
    syntax = Syntax.of(language)
    self.ignoresImports = ignoresImports
    self.sink = sink
  }

  mutating func run() {
    // A byte order mark says nothing.
    if bytes[0] == 0xef, bytes[1] == 0xbb, bytes[2] == 0xbf { place = min(3, end) }
    switch syntax.language {
    case .xml: runMarkup()
    case .text: runText()
    default: ByteTable.flags.withUnsafeBufferPointer { runCode($0) }
    }
  }

  @inline(__always)
  mutating func take(_ kind: TokenKind, from start: Int) {
    (lastKind, lastByte, lastStart, isLineStart) = (kind, bytes[start], start, false)
    if !isHidden { sink.take(kind, start, min(place, end)) }
  }

  private mutating func runCode(_ flags: UnsafeBufferPointer<UInt8>) {
    while place < end {
      let byte = bytes[place]
      let flag = flags[Int(byte)]
      if flag & ByteTable.blank != 0 {
        if byte == 0x0a || byte == 0x0d { isLineStart = true }
        place += 1
      } else if flag & ByteTable.letter != 0 {
        takeWord(flags)
      } else if flag & ByteTable.digit != 0 {
        takeNumber(flags)
      } else if !skipComment(byte), !skipDirective(byte), !takeQuoted(byte) {
        takeSymbol(byte, flags)
      }
    }
  }

  @inline(__always)
  private mutating func skipWord(_ flags: UnsafeBufferPointer<UInt8>) {
    while flags[Int(bytes[place])] & (ByteTable.letter | ByteTable.digit) != 0 { place += 1 }
  }

  private mutating func takeWord(_ flags: UnsafeBufferPointer<UInt8>) {
    let start = place
    let wasLineStart = isLineStart
    if syntax.language == .swift, bytes[place] == UInt8(ascii: "$"),
      flags[Int(bytes[place + 1])] & ByteTable.digit == 0
    {
      // The sign of a projected value; `$0` is a name.
      place += 1
      take(.symbol, from: start)
      return
    }
    skipWord(flags)
    while syntax.joinsLines, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] | 0x20 == UInt8(ascii: "u") {
      // A character of a name by its number.
      place += 1
      skipWord(flags)
    }
    if ignoresImports, skipImport(start, wasLineStart) { return }
    // Prefixes of strings and characters.
    if bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'"), place - start <= 3,
      syntax.language.family == SourceLanguage.c.rawValue, takePrefixed(start)
    {
      return
    }
    take(.word, from: start)
  }

  private mutating func takeNumber(_ flags: UnsafeBufferPointer<UInt8>) {
    let start = place
    let isHex = bytes[place] == UInt8(ascii: "0") && bytes[place + 1] | 0x20 == UInt8(ascii: "x")
    while place < end {
      let byte = bytes[place]
      if flags[Int(byte)] & (ByteTable.letter | ByteTable.digit) != 0 {
        place += 1
        let isExponent = byte | 0x20 == (isHex ? UInt8(ascii: "p") : UInt8(ascii: "e"))
        if isExponent, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-"),
          flags[Int(bytes[place + 1])] & ByteTable.digit != 0
        {
          place += 1
        }
      } else if byte == UInt8(ascii: "."), isFraction(flags) {
        place += 1
      } else if syntax.hasQuotedDigits, byte == UInt8(ascii: "'"), place > start,
        flags[Int(bytes[place + 1])] & (ByteTable.letter | ByteTable.digit) != 0 || bytes[place + 1] == byte
      {
        place += 1
      } else {
        break
      }
    }
    take(.number, from: start)
  }

  /// Tells whether the point at `place` belongs to a number.
  private func isFraction(_ flags: UnsafeBufferPointer<UInt8>) -> Bool {
    let next = flags[Int(bytes[place + 1])]
    if next & ByteTable.digit != 0 { return true }
    return syntax.language.family == SourceLanguage.c.rawValue && next & ByteTable.letter == 0
      && bytes[place + 1] != UInt8(ascii: ".")
  }

  private mutating func takeSymbol(_ byte: UInt8, _ flags: UnsafeBufferPointer<UInt8>) {
    let start = place
    switch byte {
    case UInt8(ascii: "\\") where syntax.joinsLines && isLineEnd(place + 1):
      place += 1
      return
    case UInt8(ascii: ";") where syntax.skipsSemicolons:
      place += 1
      return
    case UInt8(ascii: ".") where syntax.language != .swift && flags[Int(bytes[place + 1])] & ByteTable.digit != 0:
      takeNumber(flags)
      return
    case UInt8(ascii: "#") where !syntax.hashWords.isEmpty, UInt8(ascii: "@") where !syntax.atWords.isEmpty:
      takeMarkedWord(byte == UInt8(ascii: "#") ? syntax.hashWords : syntax.atWords, flags)
      return
    default: break
    }
    place += syntax.operators.length(bytes, place, end)
    take(.symbol, from: start)
  }

  /// Takes a sign with the word behind it where the language has that as one word, else the sign alone.
  private mutating func takeMarkedWord(_ words: Set<String>, _ flags: UnsafeBufferPointer<UInt8>) {
    let start = place
    place += 1
    let word = place
    skipWord(flags)
    let text = String(decoding: UnsafeBufferPointer(start: bytes + word, count: min(place - word, 24)), as: UTF8.self)
    if !words.contains(text) { place = word }
    take(.symbol, from: start)
  }

  func isLineEnd(_ place: Int) -> Bool {
    bytes[place] == 0x0a || (bytes[place] == 0x0d && bytes[place + 1] == 0x0a)
  }

  /// The place of the next line feed; the end where there is none.
  func lineEnd(from place: Int) -> Int {
    guard place < end, let found = memchr(bytes + place, 0x0a, end - place) else { return end }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }

  /// Tells whether the text stands at `place`.
  func stands(_ text: StaticString, at place: Int) -> Bool {
    place + text.utf8CodeUnitCount <= end && memcmp(bytes + place, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// The place of a text from `place` on; nil where there is none before `limit`.
  func find(_ text: StaticString, from place: Int, before limit: Int) -> Int? {
    var place = place
    while place < limit, let found = memchr(bytes + place, Int32(text.utf8Start.pointee), limit - place) {
      place = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
      if place + text.utf8CodeUnitCount <= limit, stands(text, at: place) { return place }
      place += 1
    }
    return nil
  }
}
