/// Values by name: what a micro-app, a route or a method is given.
///
/// ```swift
/// let parameters: Parameters = ["id": 42, "from": "cart"]
/// let id = try parameters.value("id", as: Int.self)
/// let order = try parameters.decode(OrderParameters.self)
/// ```
/// Values that came as text (from a URL, from the console) are read as the type that is asked for.
public struct Parameters: Sendable, ExpressibleByDictionaryLiteral {
  /// The values, by name.
  public var values: [String: any Sendable]
  /// The subject that errors name, and the line that registered it.
  var owner: (subject: FrameworkError.Subject, place: SourcePlace?) = (.context, nil)

  /// Makes parameters from values by name; none unless given.
  public init(_ values: [String: any Sendable] = [:]) {
    self.values = values
  }

  /// Makes parameters from a literal; the last value of a name counts.
  public init(dictionaryLiteral elements: (String, any Sendable)...) {
    values = Dictionary(elements, uniquingKeysWith: { $1 })
  }

  /// The names of the values, in alphabetical order.
  public var names: [String] { values.keys.sorted() }
  /// True where there are no values.
  public var isEmpty: Bool { values.isEmpty }

  /// The value of a name; nil where there is none, and assigning nil removes it.
  public subscript(name: String) -> (any Sendable)? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// These with the values of `others`, which win.
  public func merging(_ others: Parameters) -> Parameters {
    var result = self
    result.values.merge(others.values) { $1 }
    return result
  }

  func owned(by subject: FrameworkError.Subject, at place: SourcePlace?) -> Parameters {
    var result = self
    result.owner = (subject, place)
    return result
  }
}

extension Parameters: CustomStringConvertible {
  /// `from=cart id=42`, by name.
  public var description: String {
    names.map { name in "\(name)=\(values[name].map { "\($0)" } ?? "")" }.joined(separator: " ")
  }
}
