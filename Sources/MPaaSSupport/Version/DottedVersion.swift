/// A version of one to four whole numbers, such as `8.1.0`: of an app, an operating system, a patch.
///
/// Missing numbers count as 0: `8.1` equals `8.1.0`. It is printed as it was written.
package struct DottedVersion: Sendable {
  package let text: String
  private let numbers: [UInt32]

  /// Reads `text`; nil where it is not one to four numbers below 2^32 with dots between them.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count) else { return nil }
    var numbers: [UInt32] = []
    for part in parts {
      guard !part.isEmpty, part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = UInt32(part)
      else { return nil }
      numbers.append(number)
    }
    while numbers.count < 4 { numbers.append(0) }
    self.text = text
    self.numbers = numbers
  }
}

extension DottedVersion: Comparable, Hashable, CustomStringConvertible {
  package static func == (left: DottedVersion, right: DottedVersion) -> Bool { left.numbers == right.numbers }
  package static func < (left: DottedVersion, right: DottedVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
  package var description: String { text }
}

/// Versions that satisfy all of some comparisons, such as `>=8.0,<9`; every version where there are none.
package struct DottedVersionRange: Sendable, Hashable {
  private enum Comparison: String, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case above = ">"
    case below = "<"
  }

  private let comparisons: [(Comparison, DottedVersion)]
  package let text: String

  /// Every version.
  package static let all = DottedVersionRange(comparisons: [], text: "*")

  private init(comparisons: [(Comparison, DottedVersion)], text: String) {
    self.comparisons = comparisons
    self.text = text
  }

  /// Reads comparisons with commas between them, a version alone (equal to it), or `*`; nil where it is neither.
  package init?(_ text: String) {
    guard text != "*" else {
      self = .all
      return
    }
    var comparisons: [(Comparison, DottedVersion)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.filter { $0 != " " }
      let comparison = Comparison.allCases.first { word.hasPrefix($0.rawValue) }
      guard let version = DottedVersion(String(word.dropFirst(comparison?.rawValue.count ?? 0))) else { return nil }
      comparisons.append((comparison ?? .equal, version))
    }
    self.init(comparisons: comparisons, text: text)
  }

  package func contains(_ version: DottedVersion) -> Bool {
    comparisons.allSatisfy { comparison, bound in
      switch comparison {
      case .atLeast: version >= bound
      case .atMost: version <= bound
      case .equal: version == bound
      case .above: version > bound
      case .below: version < bound
      }
    }
  }

  /// A version that the comparisons name and that satisfies all of them; nil where there is none.
  package var example: String? {
    guard !comparisons.isEmpty else { return "0" }
    return comparisons.map(\.1).first(where: contains)?.text
  }

  package static func == (left: DottedVersionRange, right: DottedVersionRange) -> Bool { left.text == right.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
