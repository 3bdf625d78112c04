/// A name with its values, of a header or of a query.
package struct PactField: Sendable, Equatable {
  package var name: String
  package var values: [String]

  package init(_ name: String, _ values: [String]) {
    self.name = name
    self.values = values
  }
}

extension [PactField] {
  /// The values of a header, whatever the case of its name.
  package func header(_ name: String) -> [String]? {
    let lower = name.lowercased()
    return first { $0.name.lowercased() == lower }?.values
  }

  package subscript(field name: String) -> [String]? { first { $0.name == name }?.values }
}
