package import MPaaSJSON
import MPaaSSupport

extension JSONSource {
  /// Reads a document that has nothing behind it but white space and comments.
  ///
  /// - Parameter file: What errors call the file.
  /// - Throws: `GenerationError` with line and column of the first byte that cannot be there.
  package init(_ bytes: [UInt8], file: String, _ dialect: Dialect = .plain) throws(GenerationError) {
    do throws(JSONSyntaxError) {
      try self.init(parsing: bytes, file: file, dialect)
    } catch {
      throw GenerationError(error, file: file)
    }
  }
}

extension GenerationError {
  /// The same error with the name of the file.
  init(_ error: JSONSyntaxError, file: String) {
    let (code, values): (Code, [String: String]) =
      switch error.code {
      case .unexpected: (.sourceSyntax, ["found": error.detail])
      case .unfinished: (.sourceUnfinished, [:])
      case .tooDeep: (.sourceTooDeep, ["limit": error.detail])
      case .badNumber: (.sourceBadNumber, ["found": error.detail])
      case .badString: (.sourceBadString, [:])
      case .nameTwice: (.scaffoldNameTwice, ["name": error.detail, "line": "\(error.first?.line ?? 0)"])
      }
    let position = error.position
    self.init(code, values, at: .text(file: file, line: position.line, column: position.column))
  }
}

extension GenerationError.Code {
  static var sourceSyntax: Self { malformed("source-syntax") }
  static var sourceUnfinished: Self { malformed("source-unfinished") }
  static var sourceTooDeep: Self { malformed("source-too-deep") }
  static var sourceBadNumber: Self { malformed("source-bad-number") }
  static var sourceBadString: Self { malformed("source-bad-string") }
}
