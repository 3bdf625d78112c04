/// A version of a module: one to four whole numbers and, where it is one, what marks a pre-release; `3.0.2.190701174234`,
/// `1.4.0-beta.2`.
///
/// Missing numbers count as 0, so `1.0` equals `1.0.0`. Order is that of Semantic Versioning 2.0.0, section 11, over up to
/// four numbers; what follows `+` is kept and means nothing. It is printed as it was written.
package struct ModuleVersion: Sendable {
  /// A dot-separated part of what marks a pre-release; numbers come before words.
  package enum Identifier: Sendable, Hashable, Comparable {
    case number(UInt64)
    case word(String)
  }

  package let text: String
  /// The numbers; not an array, as resolving compares versions by the hundred thousand.
  private let first, second, third, fourth: UInt64
  /// Empty for a release.
  package let prerelease: [Identifier]

  /// Always four.
  package var numbers: [UInt64] { [first, second, third, fourth] }

  package var isPrerelease: Bool { !prerelease.isEmpty }

  /// Reads `text`; nil where it is no version.
  package init?(_ text: String) {
    guard text.utf8.count <= 256 else { return nil }
    if let numbers = Self.plainNumbers(text) {
      self.init(text: text, numbers: numbers, prerelease: [])
      return
    }
    let core = text.prefix { $0 != "+" }
    let build = text.dropFirst(core.count)
    if !build.isEmpty, Self.identifiers(build.dropFirst()) == nil { return nil }
    let release = core.prefix { $0 != "-" }
    let mark = core.dropFirst(release.count)
    let parts = release.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard let number = Self.number(part) else { return nil }
      numbers.append(number)
    }
    var prerelease: [Identifier] = []
    if !mark.isEmpty {
      guard let identifiers = Self.identifiers(mark.dropFirst()) else { return nil }
      prerelease = identifiers
    }
    self.init(text: text, numbers: numbers, prerelease: prerelease)
  }

  /// Before all pre-releases of these numbers.
  var earliest: ModuleVersion { ModuleVersion(numbers: numbers, prerelease: [.number(0)]) }

  /// - Parameter numbers: One to four.
  package init(numbers: [UInt64], prerelease: [Identifier] = []) {
    var text = numbers.map(String.init).joined(separator: ".")
    if !prerelease.isEmpty { text += "-" + prerelease.map(\.description).joined(separator: ".") }
    self.init(text: text, numbers: numbers, prerelease: prerelease)
  }

  private init(text: String, numbers: [UInt64], prerelease: [Identifier]) {
    var inline = InlineNumbers()
    for number in numbers { _ = inline.append(number) }
    self.init(text: text, numbers: inline, prerelease: prerelease)
  }

  private init(text: String, numbers: InlineNumbers, prerelease: [Identifier]) {
    self.text = text
    (first, second, third, fourth) = numbers.four
    self.prerelease = prerelease
  }

  /// Up to four numbers, and 0 for those that are missing.
  private struct InlineNumbers {
    private(set) var four: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var count = 0

    /// False where there are four already.
    mutating func append(_ number: UInt64) -> Bool {
      switch count {
      case 0: four.0 = number
      case 1: four.1 = number
      case 2: four.2 = number
      case 3: four.3 = number
      default: return false
      }
      count += 1
      return true
    }
  }

  /// The numbers of a text that is nothing but one to four numbers, as nearly all versions are; nil for all others.
  private static func plainNumbers(_ text: String) -> InlineNumbers? {
    var numbers = InlineNumbers()
    var value: UInt64 = 0
    var hasDigit = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard hasDigit, numbers.append(value) else { return nil }
        (value, hasDigit) = (0, false)
        continue
      }
      // 18 digits always fit; the other way of reading takes care of more.
      guard byte &- 0x30 < 10, value < 100_000_000_000_000_000 else { return nil }
      value = value * 10 + UInt64(byte &- 0x30)
      hasDigit = true
    }
    return hasDigit && numbers.append(value) ? numbers : nil
  }

  private static func number(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return UInt64(text)
  }

  private static func identifiers(_ text: Substring) -> [Identifier]? {
    var identifiers: [Identifier] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      let isPlain = part.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
      guard !part.isEmpty, isPlain else { return nil }
      identifiers.append(number(part).map(Identifier.number) ?? .word(String(part)))
    }
    return identifiers
  }
}

extension ModuleVersion: Comparable, Hashable, CustomStringConvertible {
  package static func == (left: ModuleVersion, right: ModuleVersion) -> Bool {
    left.first == right.first && left.second == right.second && left.third == right.third
      && left.fourth == right.fourth && left.prerelease == right.prerelease
  }

  package static func < (left: ModuleVersion, right: ModuleVersion) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.second != right.second { return left.second < right.second }
    if left.third != right.third { return left.third < right.third }
    if left.fourth != right.fourth { return left.fourth < right.fourth }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    return left.prerelease.lexicographicallyPrecedes(right.prerelease)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(second)
    hasher.combine(third)
    hasher.combine(fourth)
    hasher.combine(prerelease)
  }

  package var description: String { text }
}

extension ModuleVersion.Identifier: CustomStringConvertible {
  package var description: String {
    switch self {
    case .number(let number): String(number)
    case .word(let word): word
    }
  }
}

extension ModuleVersion: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let version = ModuleVersion(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no version: \(text)")
    }
    self = version
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
