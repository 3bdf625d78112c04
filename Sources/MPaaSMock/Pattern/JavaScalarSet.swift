/// A set of Unicode scalars, as brackets and classes describe it.
indirect enum JavaScalarSet: Sendable {
  case range(UInt32, UInt32)
  case union([JavaScalarSet])
  case intersection(JavaScalarSet, JavaScalarSet)
  case not(JavaScalarSet)
  case category(Category)

  enum Category: String, Sendable {
    case letter = "L"
    case upper = "Lu"
    case lower = "Ll"
    case title = "Lt"
    case mark = "M"
    case number = "N"
    case decimal = "Nd"
    case punctuation = "P"
    case symbol = "S"
    case separator = "Z"
    case space = "Zs"
    case control = "C"
    case alphabetic = "IsAlphabetic"
    case han = "IsHan"
  }

  static let digits = JavaScalarSet.range(0x30, 0x39)
  static let upper = JavaScalarSet.range(0x41, 0x5a)
  static let lower = JavaScalarSet.range(0x61, 0x7a)
  static let letters = JavaScalarSet.union([upper, lower])
  static let words = JavaScalarSet.union([letters, digits, .range(0x5f, 0x5f)])
  static let spaces = JavaScalarSet.union([.range(9, 13), .range(0x20, 0x20)])
  static let blanks = JavaScalarSet.union([
    .range(9, 9), .range(0x20, 0x20), .range(0xa0, 0xa0), .range(0x1680, 0x1680), .range(0x180e, 0x180e),
    .range(0x2000, 0x200a), .range(0x202f, 0x202f), .range(0x205f, 0x205f), .range(0x3000, 0x3000),
  ])
  static let lineEnds = JavaScalarSet.union([.range(0x0a, 0x0d), .range(0x85, 0x85), .range(0x2028, 0x2029)])
  private static let marks = JavaScalarSet.union([
    .range(0x21, 0x2f), .range(0x3a, 0x40), .range(0x5b, 0x60), .range(0x7b, 0x7e),
  ])

  /// The set that `\p{NAME}` names; nil for an unknown name.
  static func named(_ name: String) -> JavaScalarSet? {
    switch name {
    case "Lower": lower
    case "Upper": upper
    case "Alpha": letters
    case "Digit": digits
    case "Alnum": .union([letters, digits])
    case "Punct": marks
    case "Graph": .range(0x21, 0x7e)
    case "Print": .range(0x20, 0x7e)
    case "Blank": .union([.range(9, 9), .range(0x20, 0x20)])
    case "Cntrl": .union([.range(0, 0x1f), .range(0x7f, 0x7f)])
    case "XDigit": .union([digits, .range(0x41, 0x46), .range(0x61, 0x66)])
    case "Space": spaces
    case "ASCII": .range(0, 0x7f)
    case "IsLetter": .category(.letter)
    case "IsDigit": .category(.decimal)
    case "IsUppercase", "javaUpperCase": .category(.upper)
    case "IsLowercase", "javaLowerCase": .category(.lower)
    case "IsPunctuation": .category(.punctuation)
    case "InCJKUnifiedIdeographs": .range(0x4e00, 0x9fff)
    case "IsCyrillic": .range(0x400, 0x52f)
    case "IsGreek": .range(0x370, 0x3ff)
    case "IsLatin": .union([letters, .range(0xaa, 0xaa), .range(0xba, 0xba), .range(0xc0, 0x24f)])
    default:
      Category(rawValue: name).map { .category($0) }
        ?? (name.hasPrefix("Is") ? Category(rawValue: String(name.dropFirst(2))).map { .category($0) } : nil)
    }
  }

  func contains(_ scalar: UInt32) -> Bool {
    switch self {
    case .range(let low, let high): scalar >= low && scalar <= high
    case .union(let sets): sets.contains { $0.contains(scalar) }
    case .intersection(let one, let other): one.contains(scalar) && other.contains(scalar)
    case .not(let set): !set.contains(scalar)
    case .category(let category): Unicode.Scalar(scalar).map { category.contains($0) } ?? false
    }
  }

  /// The same, where upper and lower case are one.
  func containsAnyCase(_ scalar: UInt32) -> Bool {
    contains(scalar) || contains(scalar.otherCase)
  }
}

extension JavaScalarSet.Category {
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .alphabetic: return properties.isAlphabetic
    case .han:
      return properties.isIdeographic
    default: break
    }
    switch properties.generalCategory {
    case .uppercaseLetter: return self == .letter || self == .upper
    case .lowercaseLetter: return self == .letter || self == .lower
    case .titlecaseLetter: return self == .letter || self == .title
    case .modifierLetter, .otherLetter: return self == .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: return self == .mark
    case .decimalNumber: return self == .number || self == .decimal
    case .letterNumber, .otherNumber: return self == .number
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      return self == .punctuation
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: return self == .symbol
    case .spaceSeparator: return self == .separator || self == .space
    case .lineSeparator, .paragraphSeparator: return self == .separator
    default: return self == .control
    }
  }
}

extension UInt32 {
  /// The scalar in its other case, where it has one of a single scalar; else itself.
  var otherCase: UInt32 {
    switch self {
    case 0x41...0x5a: return self + 32
    case 0x61...0x7a: return self - 32
    case 0..<0x80: return self
    default: break
    }
    guard let scalar = Unicode.Scalar(self) else { return self }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    if lower.count == 1, let one = lower.first, one != scalar { return one.value }
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    if upper.count == 1, let one = upper.first { return one.value }
    return self
  }
}
