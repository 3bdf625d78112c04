/// A message whose interpolated values say who may read them: `"paid by \(name) after \(count, privacy: .public) tries"`.
///
/// What stands in the literal itself is public. Texts and values of other types are private where they do not say so;
/// numbers and flags are public.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case literal(String)
    case value(String, LogPrivacy, isPublic: Bool)
  }

  /// Collects the parts of a message.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    public mutating func appendInterpolation(_ value: some BinaryInteger, privacy: LogPrivacy = .automatic) {
      parts.append(.value("\(value)", privacy, isPublic: true))
    }

    public mutating func appendInterpolation(
      _ value: some BinaryFloatingPoint & CustomStringConvertible, privacy: LogPrivacy = .automatic
    ) {
      parts.append(.value(value.description, privacy, isPublic: true))
    }

    public mutating func appendInterpolation(_ value: Bool, privacy: LogPrivacy = .automatic) {
      parts.append(.value(value ? "true" : "false", privacy, isPublic: true))
    }

    public mutating func appendInterpolation(_ value: some CustomStringConvertible, privacy: LogPrivacy = .automatic) {
      parts.append(.value(value.description, privacy, isPublic: false))
    }

    @_disfavoredOverload
    public mutating func appendInterpolation<Value>(_ value: Value, privacy: LogPrivacy = .automatic) {
      parts.append(.value(String(describing: value), privacy, isPublic: false))
    }
  }

  let parts: [Part]

  public init(stringLiteral value: String) { parts = [.literal(value)] }

  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// A text that was made elsewhere.
  public init(_ text: String, privacy: LogPrivacy = .automatic) {
    parts = [.value(text, privacy, isPublic: false)]
  }

  /// The message as it goes into the log.
  func text(_ mask: LogMask) -> String {
    if parts.count == 1, case .literal(let text) = parts[0] { return text }
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .value(let value, let privacy, let isPublic): text += mask.shown(value, privacy, isPublic: isPublic)
      }
    }
    return text
  }
}
