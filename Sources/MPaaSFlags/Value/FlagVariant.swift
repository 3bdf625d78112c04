/// The value that a variant carries.
public struct FlagPayload: Sendable, Hashable {
  /// The type as the operator named it: `string`, `number`, `json`, `csv`.
  public var type: String
  /// The value as it was written.
  public var value: String

  /// Creates a payload.
  public init(type: String, value: String) {
    self.type = type
    self.value = value
  }
}

/// The variant of a flag that a context gets.
public struct FlagVariant: Sendable, Hashable {
  /// The name of the variant; `disabled` where there is none.
  public var name: String
  /// The value that the variant carries, if any.
  public var payload: FlagPayload?
  /// Tells whether a variant was chosen.
  public var isEnabled: Bool
  /// Tells whether the flag is on.
  public var isFlagEnabled: Bool

  /// Creates the answer that there is no variant.
  ///
  /// - Parameter isFlagEnabled: Whether the flag is on nevertheless.
  public static func none(isFlagEnabled: Bool) -> FlagVariant {
    FlagVariant(name: "disabled", payload: nil, isEnabled: false, isFlagEnabled: isFlagEnabled)
  }
}
