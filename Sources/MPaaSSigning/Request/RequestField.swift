/// A name with a value: a parameter or a header of a request.
public struct RequestField: Sendable, Hashable {
  /// The name, decoded.
  public var name: String
  /// The value, decoded; empty where there is none.
  public var value: String

  /// Takes a name and a value as they are meant, not as a URL spells them.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [RequestField] {
  /// The value of the first field of a name; nil where there is none.
  func first(_ name: String) -> String? { first { $0.name == name }?.value }

  /// The value of the first header of a name in any case; nil where there is none.
  func header(_ name: String) -> String? {
    let name = name.lowercased()
    return first { $0.name.lowercased() == name }?.value
  }
}
