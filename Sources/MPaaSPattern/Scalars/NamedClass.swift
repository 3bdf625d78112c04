/// Classes of scalars that expressions name: those of POSIX, the categories of Unicode, and its scripts.
enum NamedClass {
  /// The class of `[[:name:]]`; nil where there is none.
  static func posix(_ name: String) -> ScalarSet? {
    switch name {
    case "alnum": ScalarSet([0x30...0x39, 0x41...0x5a, 0x61...0x7a])
    case "alpha": ScalarSet([0x41...0x5a, 0x61...0x7a])
    case "ascii": ScalarSet([0...0x7f])
    case "blank": ScalarSet([0x09...0x09, 0x20...0x20])
    case "cntrl": ScalarSet([0...0x1f, 0x7f...0x7f])
    case "digit": .digits
    case "graph": ScalarSet([0x21...0x7e])
    case "lower": ScalarSet([0x61...0x7a])
    case "print": ScalarSet([0x20...0x7e])
    case "punct": ScalarSet([0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e])
    case "space": ScalarSet([0x09...0x0d, 0x20...0x20])
    case "upper": ScalarSet([0x41...0x5a])
    case "word": .words
    case "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
    default: nil
    }
  }

  /// The class of `\p{name}`; nil where there is none.
  static func unicode(_ name: String) -> ScalarSet? {
    if name == "Any" { return .all }
    if name.unicodeScalars.count <= 2, let set = category(name) { return set }
    return ScriptTable.set(named: name)
  }

  /// A general category, or all whose names begin with one letter.
  private static func category(_ name: String) -> ScalarSet? {
    guard names.contains(where: { $0.hasPrefix(name) }), name != "Cn" else { return nil }
    return ScalarSet(runs.lazy.filter { $0.name != "Cn" && $0.name.hasPrefix(name) }.map(\.range))
  }

  /// Runs of scalars of one category, in their order.
  private static let runs: [(name: String, range: ClosedRange<UInt32>)] = {
    var runs: [(name: String, range: ClosedRange<UInt32>)] = []
    var scalar: UInt32 = 0
    while scalar <= ScalarSet.last {
      let end = uniform.first { $0.contains(scalar) }?.upperBound ?? scalar
      let name = Self.name(of: scalar)
      if let last = runs.last, last.name == name {
        runs[runs.count - 1].range = last.range.lowerBound...end
      } else {
        runs.append((name, scalar...end))
      }
      scalar = end + 1
    }
    return runs
  }()

  /// Blocks of one category each, most of all scalars, which need no look at each: ideographs, Hangul, private use.
  private static let uniform: [ClosedRange<UInt32>] = [
    0x3400...0x4db5, 0x4e00...0x9fea, 0xac00...0xd7a3, 0xd800...0xdfff, 0xe000...0xf8ff, 0x17000...0x187ec,
    0x20000...0x2a6d6, 0x40000...0xdffff, 0xf0000...0xffffd, 0x100000...0x10fffd,
  ]

  private static func name(of scalar: UInt32) -> String {
    guard let scalar = Unicode.Scalar(scalar) else { return "Cs" }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter: return "Lu"
    case .lowercaseLetter: return "Ll"
    case .titlecaseLetter: return "Lt"
    case .modifierLetter: return "Lm"
    case .otherLetter: return "Lo"
    case .nonspacingMark: return "Mn"
    case .spacingMark: return "Mc"
    case .enclosingMark: return "Me"
    case .decimalNumber: return "Nd"
    case .letterNumber: return "Nl"
    case .otherNumber: return "No"
    case .connectorPunctuation: return "Pc"
    case .dashPunctuation: return "Pd"
    case .openPunctuation: return "Ps"
    case .closePunctuation: return "Pe"
    case .initialPunctuation: return "Pi"
    case .finalPunctuation: return "Pf"
    case .otherPunctuation: return "Po"
    case .mathSymbol: return "Sm"
    case .currencySymbol: return "Sc"
    case .modifierSymbol: return "Sk"
    case .otherSymbol: return "So"
    case .spaceSeparator: return "Zs"
    case .lineSeparator: return "Zl"
    case .paragraphSeparator: return "Zp"
    case .control: return "Cc"
    case .format: return "Cf"
    case .surrogate: return "Cs"
    case .privateUse: return "Co"
    case .unassigned: return "Cn"
    @unknown default: return "Cn"
    }
  }

  private static let names = [
    "Cc", "Cf", "Co", "Cs", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "No", "Pc", "Pd", "Pe", "Pf",
    "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs",
  ]
}
