/// Sounds that many speakers do not tell apart; each counts both ways.
public struct PinyinFuzzySounds: OptionSet, Sendable, Hashable {
  /// The bits of the set, one for each pair of sounds.
  public let rawValue: UInt16

  /// Makes a set of sounds from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// z and zh.
  public static let zZh = Self(rawValue: 1)
  /// c and ch.
  public static let cCh = Self(rawValue: 2)
  /// s and sh.
  public static let sSh = Self(rawValue: 4)
  /// n and l.
  public static let nL = Self(rawValue: 8)
  /// f and h.
  public static let fH = Self(rawValue: 16)
  /// l and r.
  public static let lR = Self(rawValue: 32)
  /// an and ang, also in uan and uang, ian and iang.
  public static let anAng = Self(rawValue: 64)
  /// en and eng.
  public static let enEng = Self(rawValue: 128)
  /// in and ing.
  public static let inIng = Self(rawValue: 256)
  /// u and ü: lu finds 吕, lue finds 略, lyu is lü as passports spell it.
  public static let uUmlaut = Self(rawValue: 512)

  /// All pairs of sounds.
  public static let all = Self(rawValue: 1023)

  /// Each sound with the word that options and files call it by, such as `z-zh` and `u-v`.
  public static let named: [(name: String, sounds: PinyinFuzzySounds)] = [
    ("z-zh", .zZh), ("c-ch", .cCh), ("s-sh", .sSh), ("n-l", .nL), ("f-h", .fH), ("l-r", .lR), ("an-ang", .anAng),
    ("en-eng", .enEng), ("in-ing", .inIng), ("u-v", .uUmlaut),
  ]
}

/// The choice of readings of a character with several that may match.
public enum PinyinHeteronyms: UInt8, Sendable, CaseIterable {
  /// Only the most usual one.
  case usual
  /// Those in common use.
  case common
  /// All, the rare ones too.
  case all
}

/// The reading of a query, and its possible matches.
public struct PinyinSearchOptions: Sendable, Hashable {
  /// Sounds that count as equal.
  public var fuzzy: PinyinFuzzySounds = []
  /// The choice of readings of a character that may match.
  public var heteronyms: PinyinHeteronyms = .all
  /// Tells whether the first letter of a reading, or its zh, ch or sh, stands for it.
  public var initials = true
  /// Tells whether the query may end inside a reading.
  public var prefixes = true
  /// Tells whether characters may be left out between matched ones: `ll` finds 李小龙.
  public var gaps = false
  /// Tells whether a digit behind a whole reading, or a mark above it, asks for its tone: `zhang1`, `zhāng`.
  public var tones = true
  /// Tells whether an apostrophe parts syllables: `xi'an` finds 西安 but not 先.
  public var boundaries = true
  /// Tells whether blanks part words that may stand in any order; else blanks do not count.
  public var anyOrder = false
  /// By which keys readings are typed; texts in Latin letters and digits stand for themselves on each.
  public var keyboard = PinyinKeyboard.letters
  /// The number of typing errors that are forgiven: 0 or 1, in a whole reading of a query of at least four letters.
  ///
  /// Hits with an error come behind all that match as they were typed.
  public var typos = 0

  /// Makes the options that have their default throughout.
  public init() {}

  /// The options where nothing else is said.
  public static let standard = PinyinSearchOptions()

  /// Nothing but characters, readings, first letters and beginnings; digits and apostrophes mean nothing special.
  public static let plain: PinyinSearchOptions = {
    var options = PinyinSearchOptions()
    options.tones = false
    options.boundaries = false
    return options
  }()
}

/// The characters taken as equal when a character stands for itself; upper and lower case always are.
public struct PinyinFolding: OptionSet, Sendable, Hashable {
  /// The bits of the set: 1 width, 2 diacritics, 4 traditional characters.
  public let rawValue: UInt8

  /// Makes a set of foldings from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Full-width letters, digits and signs, and the usual ones.
  public static let width = Self(rawValue: 1)
  /// Latin letters with and without marks; marks that stand alone are passed over.
  public static let diacritics = Self(rawValue: 2)
  /// Traditional characters and the simplified ones.
  public static let traditional = Self(rawValue: 4)

  /// All foldings.
  public static let all: Self = [.width, .diacritics, .traditional]
}
