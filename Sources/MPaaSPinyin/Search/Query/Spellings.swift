import MPaaSLock

/// The different spellings of readings, numbered, and what may be typed for them.
///
/// The order is that of the first letters' symbols, then of the spellings themselves, so that those with the same first
/// letter stand together.
final class Spellings: Sendable {
  /// The longest spelling, and how many there may be.
  static let longest = 8
  static let most = 4095
  static let mostLetters = 250

  /// The text that may be typed for a spelling: itself or, with fuzzy sounds, another.
  struct Variant: Hashable {
    /// The codes of the letters, the first lowest, eight bits each.
    let packed: UInt64
    let count: Int
    let spelling: Int
    let isExact: Bool
    /// Tells whether it begins with zh, ch or sh.
    let hasCluster: Bool
  }

  /// The variants that begin with each letter's code.
  typealias Variants = [[Variant]]

  let names: [[UInt32]]
  /// The symbol that each spelling begins with.
  let symbols: [UInt8]
  /// The beginning of each symbol's spellings in `names`; 64 entries and the end.
  let starts: [Int]
  private let codes: [UInt32: UInt8]
  private let numbers: [[UInt32]: Int]
  private let variants = Lock<[Typing: Variants]>([:])

  /// The ways in which readings are typed.
  private struct Typing: Hashable {
    let fuzzy: PinyinFuzzySounds
    let keyboard: PinyinKeyboard
  }

  /// The keys of all keyboards: letters, the semicolon, 2 to 9.
  private static let keys: [UInt32] = Array(0x61...0x7A) + [0x3B] + Array(0x32...0x39)

  init(_ spellings: Set<String>) {
    names = spellings.map { $0.unicodeScalars.map(\.value) }.filter { !$0.isEmpty }.sorted {
      let (left, right) = (SearchSymbol.of($0[0]), SearchSymbol.of($1[0]))
      return left == right ? $0.lexicographicallyPrecedes($1) : left < right
    }
    let symbols = names.map { UInt8(SearchSymbol.of($0[0])) }
    self.symbols = symbols
    starts = (0...64).map { symbol in symbols.firstIndex { $0 >= symbol } ?? symbols.count }
    var codes: [UInt32: UInt8] = [:]
    for letter in Set(names.joined()).sorted() + Self.keys where codes[letter] == nil && codes.count < 254 {
      codes[letter] = UInt8(codes.count + 1)
    }
    self.codes = codes
    numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }

  func number(of spelling: String) -> Int? { number(of: spelling.unicodeScalars.map(\.value)) }

  func number(of letters: [UInt32]) -> Int? { numbers[letters] }

  /// A letter's code, 1...254; 255 for one that no spelling has.
  func code(_ letter: UInt32) -> UInt8 { codes[letter] ?? 255 }

  /// The variants on a keyboard with these fuzzy sounds, by the code of its first key; made once and kept.
  func variants(_ fuzzy: PinyinFuzzySounds, _ keyboard: PinyinKeyboard) -> Variants {
    let typing = Typing(fuzzy: fuzzy, keyboard: keyboard)
    return variants.withLock { kept in
      if let found = kept[typing] { return found }
      var made = Variants(repeating: [], count: 256)
      for (number, name) in names.enumerated() {
        let own = keyboard.forms(of: name)
        let others = FuzzySpelling.forms(of: name, fuzzy).flatMap(keyboard.forms)
        // zh, ch and sh are one key of double pinyin, two of the others.
        let hasCluster = { (form: [UInt32]) in
          form.count > 1 && ([.letters, .t9].contains(keyboard))
            && Self.clusters.contains(keyboard == .t9 ? Array(name.prefix(2)) : Array(form.prefix(2)))
        }
        for form in Set(own + others) where form.count <= Self.longest {
          made[Int(code(form[0]))].append(
            Variant(
              packed: pack(form[...]), count: form.count, spelling: number, isExact: own.contains(form),
              hasCluster: hasCluster(form)))
        }
      }
      kept[typing] = made
      return made
    }
  }

  /// zh, ch, sh.
  private static let clusters: [[UInt32]] = [[0x7A, 0x68], [0x63, 0x68], [0x73, 0x68]]

  /// The codes of the first eight letters.
  func pack(_ letters: ArraySlice<UInt32>) -> UInt64 {
    letters.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64(code($1)) }
  }
}

/// The symbols that pairs of neighbors are indexed by: 26 letters, 10 digits, 27 groups of all else, and the end of the
/// text.
enum SearchSymbol {
  static let end = 63
  /// The first symbol that stands for several characters.
  static let others = 36

  @inline(__always) static func of(_ scalar: UInt32) -> Int {
    switch scalar {
    case 0x61...0x7A: Int(scalar) - 0x61
    case 0x30...0x39: Int(scalar) - 0x30 + 26
    default: 36 + Int((scalar &* 0x9E37_79B1) >> 16) % 27
    }
  }
}

/// The other spellings for a spelling where sounds are not told apart.
enum FuzzySpelling {
  static func forms(of spelling: [UInt32], _ fuzzy: PinyinFuzzySounds) -> [[UInt32]] {
    guard !fuzzy.isEmpty, spelling.allSatisfy({ 0x61...0x7A ~= $0 }) else { return [] }
    let name = String(String.UnicodeScalarView(spelling.compactMap(Unicode.Scalar.init)))
    let initial = String(name.prefix { !"aeiouvyw".contains($0) })
    let final = String(name.dropFirst(initial.count))
    guard !final.isEmpty else { return [] }
    let forms = initials(initial, fuzzy).flatMap { start in finals(final, after: initial, fuzzy).map { start + $0 } }
    return forms.map { $0.unicodeScalars.map(\.value) }
  }

  private static func initials(_ initial: String, _ fuzzy: PinyinFuzzySounds) -> [String] {
    let pairs: [(PinyinFuzzySounds, String, String)] = [
      (.zZh, "z", "zh"), (.cCh, "c", "ch"), (.sSh, "s", "sh"), (.nL, "n", "l"), (.fH, "f", "h"), (.lR, "l", "r"),
    ]
    return [initial]
      + pairs.compactMap { sound, left, right in
        guard fuzzy.contains(sound) else { return nil }
        return initial == left ? right : initial == right ? left : nil
      }
  }

  private static func finals(_ final: String, after initial: String, _ fuzzy: PinyinFuzzySounds) -> [String] {
    var forms = [final]
    for (sound, short) in [(PinyinFuzzySounds.anAng, "an"), (.enEng, "en"), (.inIng, "in")] where fuzzy.contains(sound)
    {
      if final.hasSuffix(short) { forms.append(final + "g") }
      if final.hasSuffix(short + "g") { forms.append(String(final.dropLast())) }
    }
    guard fuzzy.contains(.uUmlaut) else { return forms }
    return forms + forms.flatMap { umlauts($0, after: initial) }
  }

  private static func umlauts(_ final: String, after initial: String) -> [String] {
    switch (initial, final) {
    case ("l", _) where final.hasPrefix("v"), ("n", _) where final.hasPrefix("v"):
      ["u" + final.dropFirst(), "yu" + final.dropFirst()]
    case ("l", "u"), ("n", "u"): ["v"]
    case ("j", _) where final.hasPrefix("u"), ("q", _) where final.hasPrefix("u"), ("x", _) where final.hasPrefix("u"):
      ["v" + final.dropFirst()]
    case ("", _) where final.hasPrefix("yu"): ["yv" + final.dropFirst(2)]
    default: []
    }
  }
}
