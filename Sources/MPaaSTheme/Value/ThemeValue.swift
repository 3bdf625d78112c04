package import MPaaSConfig

/// The value that a value path leads to, after conditions and constants.
public enum ThemeValue: Sendable, Hashable {
  case string(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)
  case array([ThemeValue])
  /// In the order of the file.
  case group([Member])

  /// A key of a group and its value.
  public struct Member: Sendable, Hashable {
    /// The key of the member.
    public let key: String
    /// The value of the member.
    public let value: ThemeValue

    /// Makes a member of a key and its value.
    public init(_ key: String, _ value: ThemeValue) {
      self.key = key
      self.value = value
    }
  }

  /// A leaf of a property list; dates and data as the text that they are written as.
  package init(_ value: PropertyListValue) {
    switch value.content {
    case .string(let text): self = .string(text)
    case .integer(let number): self = Int(exactly: number).map(Self.integer) ?? .real(Double(number))
    case .real(let number): self = .real(number)
    case .boolean(let value): self = .boolean(value)
    case .date(let date): self = .string(date.description)
    case .array(let values): self = .array(values.map { ThemeValue($0) })
    case .dictionary(let members): self = .group(members.map { Member($0.key, ThemeValue($0.value)) })
    default: self = .string("")
    }
  }
}

extension ThemeValue {
  /// As a text: that of numbers and truth values too; nil for arrays and groups.
  public var string: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .boolean(let value): value ? "YES" : "NO"
    case .array, .group: nil
    }
  }

  /// As a whole number: of a text what it begins with is not enough, all of it must be a number.
  public var int: Int? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int(exactly: number.rounded(.towardZero))
    case .string(let text): Int(text) ?? Double(text).flatMap { Int(exactly: $0.rounded(.towardZero)) }
    case .boolean(let value): value ? 1 : 0
    case .array, .group: nil
    }
  }

  /// The value as a number: truth values are 1 and 0; nil for texts that are not numbers, arrays and groups.
  public var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .string(let text): Double(text)
    case .boolean(let value): value ? 1 : 0
    case .array, .group: nil
    }
  }

  /// As a truth value: `YES`, `true` and `1` are, `NO`, `false` and `0` are not; nil for others.
  public var bool: Bool? {
    switch self {
    case .boolean(let value): return value
    case .integer(let number): return number != 0
    case .real(let number): return number != 0
    case .string(let text):
      switch text.lowercased() {
      case "yes", "true", "1": return true
      case "no", "false", "0": return false
      default: return nil
      }
    case .array, .group: return nil
    }
  }

  /// As a colour, written `#rrggbb` or `#rrggbbaa`.
  public var color: ThemeColor? {
    if case .string(let text) = self { ThemeColor(text) } else { nil }
  }

  /// As a font: a group with a `Size`.
  public var font: ThemeFont? {
    guard let size = self["Size"]?.double, size > 0, size.isFinite else { return nil }
    return ThemeFont(size: size, isBold: self["Bold"]?.bool ?? false)
  }

  /// A member of a group.
  public subscript(key: String) -> ThemeValue? {
    if case .group(let members) = self { members.last { $0.key == key }?.value } else { nil }
  }
}

/// A font of the system: themes say how large it is, and whether it is bold.
public struct ThemeFont: Sendable, Hashable {
  /// In points.
  public let size: Double
  /// True for a bold font.
  public let isBold: Bool

  /// Makes a font of a size in points, regular unless it is bold.
  public init(size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }
}
