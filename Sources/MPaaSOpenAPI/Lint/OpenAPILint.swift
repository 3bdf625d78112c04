package import MPaaSJSON
import MPaaSJSONSchema
package import MPaaSSupport

/// Judges descriptions: against the specification, and for what cannot work.
package enum OpenAPILint {
  /// Compares one document with the objects of its version; references and schemas' values are not looked at.
  ///
  /// - Throws: `openapi-unknown-format`, `openapi-unknown-version`.
  package static func document(_ source: JSONSource) throws(OpenAPIError) -> [OpenAPIFinding] {
    let version = try OpenAPIDocument.version(of: source)
    var check = OpenAPIShapeCheck(source, version)
    check.run()
    var schemas = OpenAPISchemas(OpenAPILibrary(source), version)
    schemas.compileAll()
    return sorted(check.findings + schemas.findings.filter { $0.error.code != .referenceMissing })
  }

  /// Judges a description with all of its files.
  package static func whole(_ document: OpenAPIDocument) throws(OpenAPIError) -> [OpenAPIFinding] {
    var check = OpenAPIShapeCheck(document.source, document.version)
    check.run()
    var further = OpenAPIMeaningCheck(document)
    further.run()
    return sorted(check.findings + further.findings)
  }

  /// Judges a file; one that cannot be read at all is a finding, too.
  ///
  /// - Parameter documentOnly: Compares this file alone with the specification.
  /// - Throws: `FileError`.
  package static func file(
    _ file: String, _ files: OpenAPIFiles = OpenAPIFiles(), documentOnly: Bool
  ) throws(FileError) -> [OpenAPIFinding] {
    let bytes = try files.client.read(file)
    do throws(OpenAPIError) {
      let source = try OpenAPIConversion.converted(try OpenAPISource.read(bytes, file: file))
      if documentOnly { return try document(source) }
      return try whole(try OpenAPIDocument(OpenAPILibrary(source, files: files)))
    } catch {
      return [OpenAPIFinding(severity: .error, error: error, pointer: "")]
    }
  }

  private static func sorted(_ findings: [OpenAPIFinding]) -> [OpenAPIFinding] {
    var seen: Set<String> = []
    let once = findings.filter { finding in
      let values = finding.error.values.sorted { $0.key < $1.key }.map { $0.key + "=" + $0.value }
      let place = finding.error.place.map { "\($0)" } ?? ""
      return seen.insert(([finding.error.code.id.name, place] + values).joined(separator: "\n")).inserted
    }
    return once.sorted { key($0) < key($1) }
  }

  private static func key(_ finding: OpenAPIFinding) -> (String, Int, Int) {
    guard case .text(let file, let line, let column)? = finding.error.place else { return ("", 0, 0) }
    return (file, line, column ?? 0)
  }
}
