/// Something that a check of a document found.
package struct DAOFinding: Sendable, Hashable {
  package enum Severity: String, Sendable { case error, warning }

  package let code: DAOError.Code
  package let severity: Severity
  package let position: DAOPosition
  package let values: [String: String]

  package init(
    _ code: DAOError.Code, _ severity: Severity = .error, at position: DAOPosition, _ values: [String: String] = [:]
  ) {
    self.code = code
    self.severity = severity
    self.position = position
    self.values = values.mapValues(Self.short)
  }

  /// The greatest number of characters of a value: a long name that is wrong in many places is not told whole in each.
  private static let greatestValue = 1000

  private static func short(_ value: String) -> String {
    guard value.utf8.count > greatestValue else { return value }
    var start = String.UnicodeScalarView()
    start.append(contentsOf: value.unicodeScalars.prefix(greatestValue))
    return start.count < greatestValue ? value : String(start) + "…"
  }

  package init(_ error: DAOError, at position: DAOPosition) {
    self.init(error.code, at: error.position ?? position, error.values)
  }

  package var error: DAOError { DAOError(code, values, at: position) }
}
