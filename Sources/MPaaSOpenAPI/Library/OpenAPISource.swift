package import MPaaSJSON
import MPaaSSupport
import MPaaSYAML

/// Reads the text of a description, as JSON or as YAML.
package enum OpenAPISource {
  /// The greatest depth of objects and arrays.
  package static let depth = 512

  /// Reads by the first letter: JSON begins with a brace, and what is no JSON then may still be YAML's flow style.
  ///
  /// - Throws: `OpenAPIError` with line and column.
  package static func read(_ bytes: [UInt8], file: String) throws(OpenAPIError) -> JSONSource {
    let start = bytes.first { $0 > 0x20 && $0 != 0xef && $0 != 0xbb && $0 != 0xbf }
    do {
      if start != UInt8(ascii: "{") { return try YAMLReader.read(bytes, file: file) }
    } catch {
      throw OpenAPIError(error)
    }
    do {
      return try JSONSource(parsing: bytes, file: file, depth: depth)
    } catch {
      guard !file.hasSuffix(".json"), let source = try? YAMLReader.read(bytes, file: file) else {
        throw OpenAPIError(error, in: file)
      }
      return source
    }
  }
}

extension OpenAPIError {
  /// A fault of JSON, under the names that such faults have for all generated code.
  package init(_ error: JSONSyntaxError, in file: String) {
    let (code, values): (Code, [String: String]) =
      switch error.code {
      case .unexpected: (.malformed("source-syntax"), ["found": error.detail])
      case .unfinished: (.malformed("source-unfinished"), [:])
      case .tooDeep: (.malformed("source-too-deep"), ["limit": error.detail])
      case .badNumber: (.malformed("source-bad-number"), ["found": error.detail])
      case .badString: (.malformed("source-bad-string"), [:])
      case .nameTwice: (.malformed("source-syntax"), ["found": error.detail])
      }
    self.init(code, values, at: .text(file: file, line: error.position.line, column: error.position.column))
  }
}
