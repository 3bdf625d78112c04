/// The look that a badge asks for.
public enum BadgeStyle: Sendable, Hashable {
  /// A red point: `.`, or `point`.
  case point
  /// The word `new`.
  case new
  /// The badge's number: `num`.
  case number
  /// The character `惠`, for offers.
  case offer
  /// Any other text; the app's own view draws it.
  case custom(String)

  /// Reads a style as payloads write it; digits stand for `number`, too.
  public init(_ text: String) {
    switch text {
    case ".", "point": self = .point
    case "new": self = .new
    case "num", "number": self = .number
    case "惠": self = .offer
    default: self = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .number : .custom(text)
    }
  }

  /// The style as payloads write it.
  public var text: String {
    switch self {
    case .point: "."
    case .new: "new"
    case .number: "num"
    case .offer: "惠"
    case .custom(let text): text
    }
  }
}

/// The badges below a parent that its sum counts: `numberCalculateMode` of the old kit.
public enum BadgeCalculation: String, Sendable, Hashable, CaseIterable {
  /// All of them; the old kit has nil for it.
  case all
  /// Points alone.
  case point
  /// Badges of the style `new` alone.
  case new
  /// Numbers alone.
  case number = "num"

  /// Reads the word of the old kit: `point`, `new`, `num`, or nil for all; other words are all, too.
  public init(_ numberCalculateMode: String?) {
    self = numberCalculateMode.flatMap(BadgeCalculation.init(rawValue:)) ?? .all
  }
}
