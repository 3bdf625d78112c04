/// A version of an app as people write it: `8.1`, `2.0b3`, `1.0 (1234)`.
///
/// Versions are compared by runs of digits and of letters: numbers by their value, whatever their length, with missing
/// ones as 0 (`1.0` equals `1.0.0`); letters make a version older than the one without them (`1.0b1` before `1.0`).
/// The text behind a hyphen is a name of the build and does not count.
public struct AppVersion: Sendable {
  /// The version as it was written.
  public let text: String
  private let parts: [Part]

  /// A run of letters, or numbers with dots between them.
  private enum Part: Sendable, Hashable {
    case word(String)
    /// Digits without leading zeros, and without zeros at the end of the row.
    case numbers([String])
  }

  /// Reads a version; nil for a text without a digit or longer than 128 bytes.
  public init?(_ text: String) {
    guard text.utf8.count <= 128, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    self.text = text
    parts = Self.parts(of: text)
    guard !parts.isEmpty else { return nil }
  }

  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text.prefix { $0 != "-" }
    // `v1.0` is a way of writing 1.0.
    if let first = rest.first, first == "v" || first == "V" { rest.removeFirst() }
    while let character = rest.first {
      if character.isDigit {
        let numbers = rest.prefix { $0.isDigit || $0 == "." }
        rest = rest[numbers.endIndex...]
        parts.append(.numbers(row(numbers)))
      } else if character.isLetter {
        let word = rest.prefix { $0.isLetter }
        rest = rest[word.endIndex...]
        parts.append(.word(String(word)))
      } else {
        rest.removeFirst()
      }
    }
    return parts
  }

  private static func row(_ text: Substring) -> [String] {
    var row = text.split(separator: ".").map { digits in String(digits.drop { $0 == "0" }) }
    while row.last?.isEmpty == true { row.removeLast() }
    return row
  }
}

extension AppVersion: Comparable, Hashable, CustomStringConvertible {
  /// Tells whether neither is the newer one.
  public static func == (left: AppVersion, right: AppVersion) -> Bool { left.parts == right.parts }

  /// Mixes in what is compared.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  /// Tells whether the first one is older.
  public static func < (left: AppVersion, right: AppVersion) -> Bool {
    for (left, right) in zip(left.parts, right.parts) where left != right {
      switch (left, right) {
      case (.word(let left), .word(let right)): return left < right
      case (.word, .numbers): return true
      case (.numbers, .word): return false
      case (.numbers(let left), .numbers(let right)): return isLess(left, right)
      }
    }
    guard left.parts.count != right.parts.count else { return false }
    // A word that the other has not makes older, a number makes newer.
    let isLeftLonger = left.parts.count > right.parts.count
    let next = isLeftLonger ? left.parts[right.parts.count] : right.parts[left.parts.count]
    if case .word = next { return isLeftLonger }
    return !isLeftLonger
  }

  private static func isLess(_ left: [String], _ right: [String]) -> Bool {
    for index in 0..<max(left.count, right.count) {
      let left = index < left.count ? left[index] : ""
      let right = index < right.count ? right[index] : ""
      guard left != right else { continue }
      let (count, other) = (left.utf8.count, right.utf8.count)
      return count == other ? left < right : count < other
    }
    return false
  }

  /// The version as it was written.
  public var description: String { text }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
