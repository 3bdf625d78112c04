/// A request to the double and its answer, as the log has them.
package struct DoubleRecord: Sendable, Codable, Equatable {
  /// Seconds since 1970.
  package let time: Double
  /// From 1, in the order in which connections came.
  package let connection: Int
  package let stream: Int
  package let method: String
  package let path: String
  package let id: String?
  package let topic: String?
  package let type: String?
  package let status: Int
  package let reason: String?
}
