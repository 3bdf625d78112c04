/// Writes characters with their readings as text: syllables in the style, everything else as it stands.
///
/// Between two syllables, and between a syllable and a letter, digit or symbol, stands the separator; nothing is added
/// beside punctuation and blanks. What was written last is remembered from stretch to stretch.
struct PinyinWriter: ~Copyable {
  private enum Last { case nothing, syllable, word, other }

  private let options: PinyinOptions
  private let readings: ReadingTable
  private let table: SpellingTable
  private let separator: [UInt8]
  /// The separator where it is a single byte, which it nearly always is.
  private let shortSeparator: UInt8
  private let isPlain: Bool
  private let isJoined: Bool
  /// Tells whether a middle dot is written as a blank.
  private let opensDots: Bool
  private let hasApostrophes: Bool
  private var last = Last.nothing
  private var isSentenceStart = true

  init(_ options: PinyinOptions, _ data: PinyinData) {
    self.options = options
    readings = data.readings
    table = SpellingTable(options.spelling, hasVariants: options.mergesErhua || options.capitalizes)
    separator = Array(options.separator.utf8)
    shortSeparator = separator.count == 1 ? separator[0] : 0
    isJoined = options.isJoined
    isPlain = !isJoined && !options.mergesErhua && !options.capitalizes && options.heteronyms == .chosenOnly
    let isPassportName = options.style == .passport && options.kind == .name
    opensDots = isPassportName
    // Passports have none: WANG XIAN is 王西安 too.
    hasApostrophes = isJoined && !options.style.needsNoApostrophe && !isPassportName
  }

  /// Begins a new text.
  mutating func restart() {
    last = .nothing
    isSentenceStart = true
  }

  mutating func write(
    _ text: UnsafeBufferPointer<UInt32>, _ choices: UnsafeMutableBufferPointer<ReadingChoice>,
    into output: inout OutputBytes
  ) {
    // Enough for the usual; long separators and lists of readings make room for themselves.
    output.reserve(text.count * 17 + 16)
    for place in text.indices {
      let reading = choices[place].reading
      if reading == .none {
        pass(text[place], into: &output)
      } else if isPlain {
        if last == .syllable || last == .word { separate(&output) }
        output.put(table.bytes(reading))
        last = .syllable
      } else if reading != .erhua {
        let hasErhua = place + 1 < text.count && choices[place + 1].reading == .erhua
        write(reading, text[place], choices[place].startsWord, hasErhua, into: &output)
      }
    }
  }

  @inline(__always) private func separate(_ output: inout OutputBytes) {
    if shortSeparator != 0 {
      output.put(shortSeparator)
    } else {
      separator.withUnsafeBytes { output.put($0) }
    }
  }

  /// A syllable with all that options can ask for.
  private mutating func write(
    _ reading: Reading, _ scalar: UInt32, _ startsWord: Bool, _ hasErhua: Bool, into output: inout OutputBytes
  ) {
    let continues = isJoined && !startsWord && last == .syllable
    if continues {
      if hasApostrophes, reading.beginsWithVowel { output.put(UInt8(ascii: "'")) }
    } else if last == .syllable || last == .word {
      separate(&output)
    }
    var variant = hasErhua ? SpellingTable.erhua : 0
    if options.capitalizes, isSentenceStart || options.kind != .text && startsWord {
      variant |= SpellingTable.capital
    }
    let bytes = table.bytes(reading, variant: variant)
    output.put(bytes)
    isSentenceStart = false
    last = .syllable
    if options.heteronyms != .chosenOnly { writeOthers(than: bytes, of: scalar, variant, into: &output) }
  }

  private func writeOthers(
    than chosen: SIMD16<UInt8>, of scalar: UInt32, _ variant: Int, into output: inout OutputBytes
  ) {
    var written = [chosen]
    let list = readings[scalar]
    for (number, reading) in list.enumerated() where options.heteronyms == .all || !list.isRare(number) {
      let bytes = table.bytes(reading, variant: variant)
      // zhòng and zhōng are both zhong without tones.
      guard !written.contains(bytes) else { continue }
      written.append(bytes)
      output.put(UInt8(ascii: "/"))
      output.put(bytes)
    }
  }

  /// Passes a character that is no syllable, with the separator before it where a syllable and a word meet.
  @inline(__always) private mutating func pass(_ scalar: UInt32, into output: inout OutputBytes) {
    switch CharacterClass.of(scalar) {
    case .other:
      last = .other
      if options.capitalizes, Stretch.isEnd(scalar) || scalar == 0x2E { isSentenceStart = true }
      output.put(scalar: opensDots && CharacterClass.isMiddleDot(scalar) ? 0x20 : scalar)
    case .word:
      if last == .syllable { separate(&output) }
      last = .word
      isSentenceStart = false
      output.put(scalar: scalar)
    case .mark:
      output.put(scalar: scalar)
    case .selector:
      if last != .syllable { output.put(scalar: scalar) }
    }
  }
}

extension Reading {
  /// Tells whether its spelling begins with a, o or e: within a word an apostrophe stands before it.
  var beginsWithVowel: Bool {
    syllable.initial == .none && syllable.final.rawValue < Final.i.rawValue
  }
}
