import MPaaSDeclarations

/// Names for what a theme calls by any text: types with a capital, values without, none twice in one place.
struct SwiftNames {
  private var taken: Set<String> = []

  /// A name for a group.
  mutating func type(_ key: String) -> String {
    let words = Self.words(key)
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return unique(Self.reservedTypes.contains(name) ? name + "Values" : name)
  }

  /// A name for a value.
  mutating func value(_ key: String) -> String {
    var words = Self.words(key)
    if let first = words.first { words[0] = Self.lowered(first) }
    let name = unique(([words[0]] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined())
    return Self.keywords.contains(name) ? "`\(name)`" : name
  }

  private mutating func unique(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate).inserted {
      candidate = name + "\(number)"
      number += 1
    }
    return candidate
  }

  /// The letters and digits of a key, parted by whatever else stands in it.
  private static func words(_ key: String) -> [String] {
    let words = key.unicodeScalars.split { scalar in
      !(scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal && scalar.isASCII)
    }.map { String(String.UnicodeScalarView($0)) }
    guard let first = words.first else { return ["value"] }
    return first.first?.isNumber == true ? ["_" + first] + words.dropFirst() : words
  }

  /// `APBarColor` as `apBarColor`, `URL` as `url`.
  private static func lowered(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    if capitals.count <= 1 || capitals.count == word.count {
      return capitals.lowercased() + word.dropFirst(capitals.count)
    }
    let head = capitals.dropLast()
    return head.lowercased() + word.dropFirst(head.count)
  }

  /// The names that the written code uses for itself.
  private static let reservedTypes: Set<String> = [
    "Type", "Protocol", "Self", "Any", "UIColor", "UIFont", "UIImage", "CGFloat", "Int", "String", "Bool",
    "ThemeScreen",
    "Bundle", "UInt32", "MainActor",
  ]

  private static let keywords = SwiftKeywords.reserved
}
