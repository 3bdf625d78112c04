/// The levels of error correction, each with the share of a symbol that may be lost: 7, 15, 25 and 30 %.
package enum QRLevel: String, Sendable, CaseIterable {
  case low = "L"
  case medium = "M"
  case quartile = "Q"
  case high = "H"

  /// The two bits of the format information (table 12).
  var bits: UInt32 {
    switch self {
    case .low: 1
    case .medium: 0
    case .quartile: 3
    case .high: 2
    }
  }
}

/// A code could not be made: the text is longer than the largest symbol holds.
package struct QRError: Error, Equatable, Sendable {
  /// Bytes of the text, and the most that the level takes.
  package let count: Int
  package let most: Int
}
