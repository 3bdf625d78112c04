/// A message whose interpolated values say who may read them: `"paid by \(name) after \(count, privacy: .public) tries"`.
///
/// The literal's own text is public. Texts and values of other types are private where they do not say so; numbers and
/// flags are public.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case literal(String)
    case value(String, LogPrivacy, isPublic: Bool)
  }

  /// Collects the parts of a message.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var parts: [Part] = []

    /// Makes room for the parts of a message; the compiler calls it.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds a part of the literal, which is public.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    /// Adds a whole number, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(_ value: some BinaryInteger, privacy: LogPrivacy = .automatic) {
      parts.append(.value("\(value)", privacy, isPublic: true))
    }

    /// Adds a number, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
      _ value: some BinaryFloatingPoint & CustomStringConvertible, privacy: LogPrivacy = .automatic
    ) {
      parts.append(.value(value.description, privacy, isPublic: true))
    }

    /// Adds `true` or `false`, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(_ value: Bool, privacy: LogPrivacy = .automatic) {
      parts.append(.value(value ? "true" : "false", privacy, isPublic: true))
    }

    /// Adds the description of a value, which is private unless `privacy` says otherwise.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible, privacy: LogPrivacy = .automatic) {
      parts.append(.value(value.description, privacy, isPublic: false))
    }

    /// Adds any other value as `String(describing:)` writes it, which is private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value>(_ value: Value, privacy: LogPrivacy = .automatic) {
      parts.append(.value(String(describing: value), privacy, isPublic: false))
    }
  }

  let parts: [Part]

  /// Makes a message from a literal without values; all of it is public.
  public init(stringLiteral value: String) { parts = [.literal(value)] }

  /// Makes a message from the parts of an interpolated literal.
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
