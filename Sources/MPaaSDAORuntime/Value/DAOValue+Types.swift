// Values of Swift's own types.
extension DAOValue {
  /// Creates a truth value, or nil.
  public init(_ flag: Bool?) { self = flag.map { .bool($0) } ?? .null }
  /// Creates a whole number, or nil.
  public init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
  /// Creates a whole number, or nil.
  public init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
  /// Creates a real number, or nil.
  public init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
  /// Creates a text, or nil.
  public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  /// Creates data, or nil.
  public init(_ bytes: [UInt8]?) { self = bytes.map { .data($0) } ?? .null }
  /// Creates a list, or nil.
  public init(_ elements: [DAOValue]?) { self = elements.map { .list($0) } ?? .null }
  /// Creates a dictionary, or nil.
  public init(_ members: [String: DAOValue]?) { self = members.map { .dictionary($0) } ?? .null }

  /// The value as a truth value; nil where it is nil or a collection.
  public var asFlag: Bool? { asInteger.map { $0 != 0 } }

  /// The value as a whole number, as SQLite's CAST makes it of numbers; nil where it is nothing like one.
  public var asInteger: Int64? {
    switch number {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    case nil: nil
    }
  }

  /// The value as a real number; nil where it is nothing like one.
  public var asReal: Double? { number?.real }

  /// The value as a text; nil where it is neither text nor number nor data.
  public var asText: String? {
    switch self {
    case .text(let text): text
    case .data(let bytes): String(decoding: bytes, as: UTF8.self)
    case .bool(let flag): flag ? "1" : "0"
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    default: nil
    }
  }

  /// The value as data; nil where it is neither text nor number nor data.
  public var asData: [UInt8]? {
    if case .data(let bytes) = self { return bytes }
    return asText.map { Array($0.utf8) }
  }
}
