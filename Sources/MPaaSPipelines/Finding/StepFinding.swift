/// A finding that a step told, with its place where it has one.
package struct StepFinding: Sendable, Hashable {
  package enum Severity: String, Sendable, Encodable { case error, warning, note }

  package let severity: Severity
  package let message: String
  /// The identifier of its kind; nil where the program gave none.
  package let code: String?
  /// As the program named it; nil where it is about no file.
  package let file: String?
  /// From 1.
  package let line: Int?
  package let column: Int?

  package init(
    _ severity: Severity, _ message: String, code: String? = nil, file: String? = nil, line: Int? = nil,
    column: Int? = nil
  ) {
    self.severity = severity
    self.message = message
    self.code = code
    self.file = file
    self.line = line
    self.column = column
  }
}
