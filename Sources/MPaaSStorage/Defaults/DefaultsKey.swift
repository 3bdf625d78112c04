/// The name, type and default of a setting.
///
/// ```swift
/// extension DefaultsKey<Int> { static let launches = DefaultsKey("launches", default: 0) }
/// let count = try defaults.value(.launches)
/// ```
public struct DefaultsKey<Value: DefaultsValue>: Sendable {
  /// The name.
  public let name: String
  /// The value of a setting that has none.
  public let fallback: Value

  /// Creates a key.
  public init(_ name: String, default fallback: Value) {
    self.name = name
    self.fallback = fallback
  }
}

/// A type whose values are settings.
public protocol DefaultsValue: Sendable {
  /// The value as a store has it.
  var stored: StoredValue { get }
  /// Creates the value of what a store has; nil where that is none of the type.
  init?(stored: StoredValue)
}

extension Int: DefaultsValue {
  /// A whole number.
  public var stored: StoredValue { .integer(Int64(self)) }
  /// Creates a whole number; of a text that spells one, too.
  public init?(stored: StoredValue) {
    switch stored {
    case .integer(let number): self.init(exactly: number)
    case .bool(let value): self = value ? 1 : 0
    case .double(let number): self.init(exactly: number.rounded(.towardZero))
    case .string(let text): self.init(text)
    default: return nil
    }
  }
}

extension Bool: DefaultsValue {
  /// Yes or no.
  public var stored: StoredValue { .bool(self) }
  /// Creates yes or no; of a number, and of the texts YES, true, 1 and NO, false, 0.
  public init?(stored: StoredValue) {
    switch stored {
    case .bool(let value): self = value
    case .integer(let number): self = number != 0
    case .double(let number): self = number != 0
    case .string(let text):
      switch text.lowercased() {
      case "yes", "true", "1": self = true
      case "no", "false", "0": self = false
      default: return nil
      }
    default: return nil
    }
  }
}

extension Double: DefaultsValue {
  /// A number with a fraction.
  public var stored: StoredValue { .double(self) }
  /// Creates a number; of a text that spells one, too.
  public init?(stored: StoredValue) {
    switch stored {
    case .double(let number): self = number
    case .integer(let number): self = Double(number)
    case .bool(let value): self = value ? 1 : 0
    case .string(let text): self.init(text)
    default: return nil
    }
  }
}

extension String: DefaultsValue {
  /// A text.
  public var stored: StoredValue { .string(self) }
  /// Creates a text; of a number its digits.
  public init?(stored: StoredValue) {
    switch stored {
    case .string(let text): self = text
    case .integer(let number): self = "\(number)"
    case .double(let number): self = "\(number)"
    case .bool(let value): self = value ? "1" : "0"
    default: return nil
    }
  }
}

extension [UInt8]: DefaultsValue {
  /// Bytes.
  public var stored: StoredValue { .data(self) }
  /// Creates bytes.
  public init?(stored: StoredValue) {
    guard case .data(let bytes) = stored else { return nil }
    self = bytes
  }
}
