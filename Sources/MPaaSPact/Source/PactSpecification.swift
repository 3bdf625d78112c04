/// A version of the format.
package enum PactSpecification: String, Sendable, CaseIterable, Comparable {
  case v1 = "1.0.0"
  case v1_1 = "1.1.0"
  case v2 = "2.0.0"
  case v3 = "3.0.0"
  case v4 = "4.0"

  /// The version that a word means: `4`, `v4`, `V4`, `4.0`, `1_1`, `v1.1`; nil for any other.
  package init?(word: String) {
    let digits = word.lowercased().drop { $0 == "v" }
    let parts = digits.split(whereSeparator: { $0 == "." || $0 == "_" }).map { Int($0) }
    switch (parts.first ?? nil, parts.dropFirst().first ?? 0) {
    case (1, 0): self = .v1
    case (1, 1): self = .v1_1
    case (2, _): self = .v2
    case (3, _): self = .v3
    case (4, _): self = .v4
    default: return nil
    }
  }

  package static func < (left: PactSpecification, right: PactSpecification) -> Bool { left.rawValue < right.rawValue }

  /// The digits by which people call it.
  package var short: String {
    switch self {
    case .v1: "1"
    case .v1_1: "1.1"
    case .v2: "2"
    case .v3: "3"
    case .v4: "4"
    }
  }
}
