/// The sign that a widget shows.
public enum BadgeValue: Sendable, Hashable {
  /// Nothing.
  case none
  /// A red point.
  case point
  /// The word `new`.
  case new
  /// A number from 1; above 99 it is shown as `more`.
  case number(Int)
  /// The character `惠`.
  case offer
  /// A text that the app's own view draws.
  case custom(String)

  /// The largest number that is shown as digits.
  public static let largestShown = 99

  /// Reads the value of `updateBadgeValue:`: `.`, `new`, digits, `惠`, nil or an empty text for nothing, or any text.
  public init(_ text: String?) {
    switch text {
    case nil, "": self = .none
    case ".": self = .point
    case "new": self = .new
    case "惠": self = .offer
    case let text?:
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        self = .custom(text)
        return
      }
      // Digits that no integer holds are many all the same.
      let number = Int(text) ?? .max
      self = number == 0 ? .none : .number(number)
    }
  }

  /// The value of a badge of its own.
  init(_ style: BadgeStyle, number: Int) {
    guard number > 0 else {
      self = .none
      return
    }
    switch style {
    case .point: self = .point
    case .new: self = .new
    case .number: self = .number(number)
    case .offer: self = .offer
    case .custom(let text): self = .custom(text)
    }
  }

  /// The text that is drawn: `more` for numbers above 99, and nil for nothing.
  public var text: String? {
    switch self {
    case .none: nil
    case .point: "."
    case .new: "new"
    case .number(let number): number > Self.largestShown ? "more" : "\(number)"
    case .offer: "惠"
    case .custom(let text): text
    }
  }
}

/// The numbers of the badges below a widget, by their styles.
package struct BadgeTotals: Sendable, Hashable {
  /// The styles that are counted apart.
  enum Kind: UInt8, Sendable {
    case point, new, number, other

    init(_ style: BadgeStyle) {
      switch style {
      case .point: self = .point
      case .new: self = .new
      case .number: self = .number
      case .offer, .custom: self = .other
      }
    }
  }

  var point = 0
  var new = 0
  var number = 0
  var other = 0

  /// Adds a badge, or with a negative number takes it away.
  @inline(__always) mutating func add(_ kind: Kind, _ count: Int) {
    switch kind {
    case .point: point += count
    case .new: new += count
    case .number: number += count
    case .other: other += count
    }
  }

  static func += (sum: inout BadgeTotals, part: BadgeTotals) {
    sum.point += part.point
    sum.new += part.new
    sum.number += part.number
    sum.other += part.other
  }

  static func -= (sum: inout BadgeTotals, part: BadgeTotals) {
    sum.point -= part.point
    sum.new -= part.new
    sum.number -= part.number
    sum.other -= part.other
  }

  /// The sum of the styles that count.
  package func sum(_ calculation: BadgeCalculation) -> Int {
    switch calculation {
    case .all: point + new + number + other
    case .point: point
    case .new: new
    case .number: number
    }
  }
}
