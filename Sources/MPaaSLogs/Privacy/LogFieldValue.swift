/// A field's value, with who may read it: `["route": "/pay", "user": .private(name), "ms": .public(12)]`.
///
/// Literals are public, since they stand in the source.
public struct LogFieldValue: Sendable, Hashable {
  let value: LogValue
  let privacy: LogPrivacy

  /// Makes a field's value; unless told otherwise, numbers and flags are public and texts private.
  public init(_ value: LogValue, privacy: LogPrivacy = .automatic) {
    self.value = value
    self.privacy = privacy
  }

  /// Makes a text that stands in the log as it is.
  public static func `public`(_ text: String) -> LogFieldValue { LogFieldValue(.text(text), privacy: .public) }
  /// Makes a text that stands in the log as `<private>`.
  public static func `private`(_ text: String) -> LogFieldValue { LogFieldValue(.text(text), privacy: .private) }
  /// Makes a text that stands in the log as its hash, `<hash:…>`.
  public static func hash(_ text: String) -> LogFieldValue { LogFieldValue(.text(text), privacy: .hash) }

  /// Makes a whole number that stands in the log as it is.
  public static func `public`(_ number: some BinaryInteger) -> LogFieldValue { .integer(number, .public) }
  /// Makes a whole number that stands in the log as `<private>`.
  public static func `private`(_ number: some BinaryInteger) -> LogFieldValue { .integer(number, .private) }
  /// Makes a number that stands in the log as it is.
  public static func `public`(_ number: Double) -> LogFieldValue { LogFieldValue(.real(number), privacy: .public) }
  /// Makes a truth value that stands in the log as it is.
  public static func `public`(_ flag: Bool) -> LogFieldValue { LogFieldValue(.flag(flag), privacy: .public) }

  private static func integer(_ number: some BinaryInteger, _ privacy: LogPrivacy) -> LogFieldValue {
    LogFieldValue(Int64(exactly: number).map(LogValue.integer) ?? .text("\(number)"), privacy: privacy)
  }

  func shown(_ mask: LogMask) -> LogValue {
    switch value {
    case .text(let text): return .text(mask.shown(text, privacy, isPublic: false))
    case .integer(let number): return shown("\(number)", mask)
    case .real(let number): return shown("\(number)", mask)
    case .flag(let flag): return shown("\(flag)", mask)
    }
  }

  /// A number or flag stays what it is where it is shown.
  private func shown(_ text: String, _ mask: LogMask) -> LogValue {
    let shown = mask.shown(text, privacy, isPublic: true)
    return shown == text ? value : .text(shown)
  }
}

extension LogFieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// Makes a public text from a literal.
  public init(stringLiteral value: String) { self.init(.text(value), privacy: .public) }
  /// Makes a public whole number from a literal.
  public init(integerLiteral value: Int64) { self.init(.integer(value), privacy: .public) }
  /// Makes a public number from a literal.
  public init(floatLiteral value: Double) { self.init(.real(value), privacy: .public) }
  /// Makes a public truth value from a literal.
  public init(booleanLiteral value: Bool) { self.init(.flag(value), privacy: .public) }
}

/// Named values beside a message, in their order.
public struct LogFieldList: ExpressibleByDictionaryLiteral, Sendable, Hashable {
  struct Element: Sendable, Hashable {
    let name: String
    let value: LogFieldValue
  }

  private(set) var elements: [Element]

  /// Makes a list from a literal, in its order; a name may stand in it more than once.
  public init(dictionaryLiteral elements: (String, LogFieldValue)...) {
    self.elements = elements.map { Element(name: $0.0, value: $0.1) }
  }

  /// Adds a field at the end of the list.
  public mutating func append(_ name: String, _ value: LogFieldValue) {
    elements.append(Element(name: name, value: value))
  }

  func shown(_ mask: LogMask) -> [LogField] {
    elements.map { LogField($0.name, $0.value.shown(mask)) }
  }
}
