/// A `#{…}` or `@{…}` of a document.
public struct DAOReferenceRule: Sendable {
  /// The names behind the first one.
  package let properties: [String]
  /// The names as they are written.
  package let text: String
  /// True for `#{…}`: a question mark, and the value beside the statement.
  package let isBound: Bool
  /// The text in place of nil: `or "…"`.
  package let fallback: String?
  /// True for `no ""`: the value as it stands.
  package let isRaw: Bool
  package let position: DAOPosition

  package init(
    properties: [String], text: String, isBound: Bool, fallback: String?, isRaw: Bool, position: DAOPosition
  ) {
    self.properties = properties
    self.text = text
    self.isBound = isBound
    self.fallback = fallback
    self.isRaw = isRaw
    self.position = position
  }

  /// Creates the rule of a reference, as compiled documents do.
  public init(
    _ text: String, _ properties: [String], isBound: Bool = true, or fallback: String? = nil, isRaw: Bool = false,
    _ line: Int, _ column: Int
  ) {
    self.init(
      properties: properties, text: text, isBound: isBound, fallback: fallback, isRaw: isRaw,
      position: DAOPosition(line, column))
  }
}

/// A `foreach` of a document.
public struct DAOLoopRule: Sendable {
  /// The collection as it is written.
  package let text: String
  package let open: [UInt8]
  package let separator: [UInt8]
  package let close: [UInt8]
  package let isReverse: Bool

  /// Creates the rule of a repetition.
  public init(_ text: String, open: String, separator: String, close: String, isReverse: Bool) {
    self.text = text
    self.open = Array(open.utf8)
    self.separator = Array(separator.utf8)
    self.close = Array(close.utf8)
    self.isReverse = isReverse
  }
}

/// A `trim`, `where` or `set` of a document.
public struct DAOTrimRule: Sendable {
  /// The consequence where nothing is left inside.
  public enum OnVoid: String, Sendable {
    /// The statement is not run.
    case quit
    /// The statement ends here; what is around closes.
    case ignoreAfter
  }

  package let prefix: [UInt8]
  package let suffix: [UInt8]
  /// Pieces that go where the content begins with one of them, in small letters; the longest first.
  package let prefixOverrides: [[UInt8]]
  package let suffixOverrides: [[UInt8]]
  package let onVoid: OnVoid?

  /// Creates the rule of an element that puts something around its content.
  ///
  /// - Parameters:
  ///   - prefix: The text in front.
  ///   - suffix: The text behind.
  ///   - prefixOverrides: In small letters, the longest first; those of the end, too.
  ///   - suffixOverrides: Texts of which one at the end is removed.
  ///   - onVoid: The outcome where nothing is inside.
  public init(
    prefix: String, suffix: String, prefixOverrides: [String], suffixOverrides: [String], onVoid: OnVoid? = nil
  ) {
    self.prefix = Array(prefix.utf8)
    self.suffix = Array(suffix.utf8)
    self.prefixOverrides = prefixOverrides.map { Array($0.utf8) }
    self.suffixOverrides = suffixOverrides.map { Array($0.utf8) }
    self.onVoid = onVoid
  }
}

/// A `format` of a document.
public struct DAOFormatRule: Sendable {
  package let prefix: [UInt8]
  /// The pairs as they are written.
  package let text: String
  /// The word between pairs; nil for a comma.
  package let join: [UInt8]?

  /// Creates the rule of pairs.
  public init(_ text: String, prefix: String, join: String?) {
    self.text = text
    self.prefix = Array(prefix.utf8)
    self.join = join.map { Array($0.utf8) }
  }
}
