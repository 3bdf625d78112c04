/// A place in a document: line and column from 1, columns in bytes.
package struct XMLMark: Sendable, Hashable {
  package let line: Int
  package let column: Int

  package init(_ line: Int, _ column: Int) {
    self.line = line
    self.column = column
  }
}

/// The reason why bytes are no XML, or none that is taken here.
///
/// Readers of documents make diagnostics of their own from it: they know what the document should have been.
package struct XMLError: Error, Sendable, Equatable {
  /// The word by which a catalog of texts has the reason in other languages: `too-large`, `too-deep`, `document-type`,
  /// `no-memory`, or `xml-4` with the number that expat gives it.
  package let cause: String
  /// The reason in English.
  package let reason: String
  /// The values that the reason names.
  package let values: [String: String]
  package let mark: XMLMark

  init(_ cause: String, _ reason: String, _ values: [String: String] = [:], at mark: XMLMark = XMLMark(1, 1)) {
    self.cause = cause
    self.reason = reason
    self.values = values
    self.mark = mark
  }
}
