import MPaaSJSON
package import MPaaSSupport

/// The part of the kit that `MockImportError` belongs to.
package enum MockImportDomain {}

/// The reason why a file of another mock server could not be read.
package typealias MockImportError = CodedError<MockImportDomain>

extension MockImportError.Code {
  /// A file that is no JSON.
  package static var malformed: Self { .malformed("mock-import-malformed") }
  /// A member that is missing, or of another type than the format has.
  package static var shape: Self { .malformed("mock-import-shape") }
  /// A version of the format that is not read.
  package static var version: Self { .malformed("mock-import-version") }
}

extension MockImportError {
  static func shape(_ node: JSONNode?, _ member: String, _ file: String) -> MockImportError {
    let place = node.map { Place.text(file: file, line: $0.position.line, column: $0.position.column) }
    return MockImportError(.shape, ["member": member], at: place ?? .file(file))
  }

  /// Reads a document, as deep as the mock reads stubs.
  static func document(_ bytes: [UInt8], _ file: String) throws(MockImportError) -> JSONNode {
    do throws(JSONSyntaxError) {
      return try JSONSource(parsing: bytes, file: file, depth: 512).root
    } catch {
      let place = Place.text(file: file, line: error.position.line, column: error.position.column)
      throw MockImportError(.malformed, ["problem": error.code.rawValue, "detail": error.detail], at: place)
    }
  }
}
