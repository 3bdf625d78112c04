/// A request to a double of a provider.
package struct DoubleRequest: Sendable {
  package var method = ""
  package var path = ""
  /// The fields by their small names, in their order.
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []

  package init() {}

  /// The first value of a field.
  package subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  package func values(_ name: String) -> Int { headers.reduce(0) { $0 + ($1.name == name ? 1 : 0) } }
}

/// An answer of a double.
package struct DoubleAnswer: Sendable, Equatable {
  package var status = 200
  package var id: String?
  /// The reason or the code of a refusal, for the log.
  package var reason: String?
  package var retryAfter: Int?
  /// JSON; empty where there is none.
  package var body = ""

  package init() {}
}
