/// A field's value, with who may read it: `["route": "/pay", "user": .private(name), "ms": .public(12)]`.
///
/// Literals are public, since they stand in the source.
public struct LogFieldValue: Sendable, Hashable {
  let value: LogValue
  let privacy: LogPrivacy

  public init(_ value: LogValue, privacy: LogPrivacy = .automatic) {
    self.value = value
    self.privacy = privacy
  }

  public static func `public`(_ text: String) -> LogFieldValue { LogFieldValue(.text(text), privacy: .public) }
  public static func `private`(_ text: String) -> LogFieldValue { LogFieldValue(.text(text), privacy: .private) }
  public static func hash(_ text: String) -> LogFieldValue { LogFieldValue(.text(text), privacy: .hash) }

  public static func `public`(_ number: some BinaryInteger) -> LogFieldValue { .integer(number, .public) }
  public static func `private`(_ number: some BinaryInteger) -> LogFieldValue { .integer(number, .private) }
  public static func `public`(_ number: Double) -> LogFieldValue { LogFieldValue(.real(number), privacy: .public) }
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
  public init(stringLiteral value: String) { self.init(.text(value), privacy: .public) }
  public init(integerLiteral value: Int64) { self.init(.integer(value), privacy: .public) }
  public init(floatLiteral value: Double) { self.init(.real(value), privacy: .public) }
  public init(booleanLiteral value: Bool) { self.init(.flag(value), privacy: .public) }
}

/// Named values beside a message, in their order.
public struct LogFieldList: ExpressibleByDictionaryLiteral, Sendable, Hashable {
  struct Element: Sendable, Hashable {
    let name: String
    let value: LogFieldValue
  }

  private(set) var elements: [Element]

  public init(dictionaryLiteral elements: (String, LogFieldValue)...) {
    self.elements = elements.map { Element(name: $0.0, value: $0.1) }
  }

  public mutating func append(_ name: String, _ value: LogFieldValue) {
    elements.append(Element(name: name, value: value))
  }

  func shown(_ mask: LogMask) -> [LogField] {
    elements.map { LogField($0.name, $0.value.shown(mask)) }
  }
}
