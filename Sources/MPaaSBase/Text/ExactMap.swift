/// A dictionary by names, where two names are one only if their UTF-8 bytes are the same.
///
/// It is used as a dictionary of strings is. That would take names for one which Unicode normalization makes equal, and so
/// lose members that others see, and that signatures are made over.
package struct ExactMap<Value> {
  /// The members by their exact names.
  package private(set) var exact: [ExactName: Value] = [:]

  /// Creates an empty map; where that is done for each of many events, it costs less than an empty literal, which looks up
  /// the type of its pairs at run time.
  package init() {}

  /// Creates a map of a dictionary's members.
  package init(_ members: [String: Value]) {
    exact.reserveCapacity(members.count)
    for (name, value) in members { exact[ExactName(name)] = value }
  }

  /// Creates a map of members with exact names.
  package init(_ exact: [ExactName: Value]) {
    self.exact = exact
  }

  /// Creates a map of pairs; `combine` decides between values of one name.
  package init(
    _ members: some Sequence<(String, Value)>, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    exact = Dictionary(members.lazy.map { (ExactName($0.0), $0.1) }, uniquingKeysWith: combine)
  }

  /// Creates a map of pairs whose names differ; of equal ones the last counts.
  package init(uniqueKeysWithValues members: some Sequence<(String, Value)>) {
    self.init(members) { $1 }
  }

  package subscript(name: String) -> Value? {
    get { exact[ExactName(name)] }
    set { exact[ExactName(name)] = newValue }
    _modify { yield &exact[ExactName(name)] }
  }

  package subscript(name: String, default value: @autoclosure () -> Value) -> Value {
    get { exact[ExactName(name)] ?? value() }
    set { exact[ExactName(name)] = newValue }
    _modify { yield &exact[ExactName(name), default: value()] }
  }

  /// The names, in no order.
  package var keys: [String] { exact.keys.map(\.text) }
  /// The values, in the order of `keys`.
  package var values: Dictionary<ExactName, Value>.Values { exact.values }

  /// The members in the order of their names' bytes.
  package var sortedByName: [Element] {
    exact.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: $0.value) }
  }

  @discardableResult
  package mutating func removeValue(forKey name: String) -> Value? {
    exact.removeValue(forKey: ExactName(name))
  }

  @discardableResult
  package mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
    exact.updateValue(value, forKey: ExactName(name))
  }

  package mutating func reserveCapacity(_ count: Int) {
    exact.reserveCapacity(count)
  }

  // MARK: - Two objects

  package mutating func merge(_ other: ExactMap, uniquingKeysWith combine: (Value, Value) -> Value) {
    exact.merge(other.exact, uniquingKeysWith: combine)
  }

  package mutating func merge(
    _ others: some Sequence<(String, Value)>, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    exact.merge(others.lazy.map { (ExactName($0.0), $0.1) }, uniquingKeysWith: combine)
  }

  package func merging(
    _ other: ExactMap, uniquingKeysWith combine: (Value, Value) -> Value
  ) -> ExactMap {
    ExactMap(exact.merging(other.exact, uniquingKeysWith: combine))
  }

  // MARK: - Other values

  /// The same names with what `change` makes of their values.
  @_disfavoredOverload
  package func mapValues<New>(_ change: (Value) throws -> New) rethrows -> ExactMap<New> {
    ExactMap<New>(try exact.mapValues(change))
  }

  /// The same names with what `change` makes of their values, where it makes something.
  @_disfavoredOverload
  package func compactMapValues<New>(_ change: (Value) throws -> New?) rethrows -> ExactMap<New> {
    ExactMap<New>(try exact.compactMapValues(change))
  }

  /// The dictionary of what `change` makes of the values; of names that are equal as strings one counts.
  package func mapValues<New>(_ change: (Value) throws -> New) rethrows -> [String: New] {
    var result: [String: New] = [:]
    for (name, value) in exact { result[name.text] = try change(value) }
    return result
  }

  /// The dictionary of what `change` makes of the values, where it makes something.
  package func compactMapValues<New>(_ change: (Value) throws -> New?) rethrows -> [String: New] {
    var result: [String: New] = [:]
    for (name, value) in exact {
      if let changed = try change(value) { result[name.text] = changed }
    }
    return result
  }

  package func filter(_ isWanted: (Element) throws -> Bool) rethrows -> ExactMap {
    ExactMap(try exact.filter { try isWanted((key: $0.key.text, value: $0.value)) })
  }
}

extension ExactMap: Collection {
  package typealias Element = (key: String, value: Value)
  package typealias Index = Dictionary<ExactName, Value>.Index

  package var startIndex: Index { exact.startIndex }
  package var endIndex: Index { exact.endIndex }
  package var count: Int { exact.count }
  package var isEmpty: Bool { exact.isEmpty }
  package func index(after index: Index) -> Index { exact.index(after: index) }
  package subscript(index: Index) -> Element { (key: exact[index].key.text, value: exact[index].value) }
}

extension ExactMap: ExpressibleByDictionaryLiteral {
  /// Creates a map of members; of those with the same name the last one counts.
  package init(dictionaryLiteral elements: (String, Value)...) {
    for (name, value) in elements { self[name] = value }
  }
}

extension ExactMap: Sendable where Value: Sendable {}
extension ExactMap: Equatable where Value: Equatable {}
