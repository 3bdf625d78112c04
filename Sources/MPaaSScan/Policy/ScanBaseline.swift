package import MPaaSSupport

/// The findings that were there when a team began to look, by their keys.
package struct ScanBaseline: Sendable {
  package let keys: Set<String>

  /// Reads a file that `document(of:in:)` wrote.
  ///
  /// - Throws: `ScanPolicyError`.
  package init(_ bytes: Bytes, file: String) throws(ScanPolicyError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try withExtendedLifetime(bytes) { () throws(JSONError) in try JSONValue(reading: bytes.buffer) }
    } catch {
      throw ScanPolicyError(
        .baseline, ["file": file], at: .text(file: file, line: error.line, column: error.column))
    }
    guard value.object?["version"]?.integer(Int.self) == 1, let findings = value.object?["findings"]?.array else {
      throw ScanPolicyError(.baseline, ["file": file], at: .file(file))
    }
    var keys: Set<String> = []
    for finding in findings {
      guard let key = finding.object?["key"]?.string else {
        throw ScanPolicyError(.baseline, ["file": file], at: .file(file))
      }
      keys.insert(key)
    }
    self.keys = keys
  }

  /// The baseline of findings: a line each, sorted by key, so that changes of it can be read.
  package static func document(of findings: [ScanFinding], in report: ScanReport) -> String {
    var lines: [String: String] = [:]
    for finding in findings {
      let key = report.key(of: finding)
      let entry: JSONValue = [
        "key": .string(key), "id": .string(finding.id.name), "path": .string(finding.place.path),
        "evidence": .string(finding.evidence),
      ]
      lines[key] = entry.line
    }
    let body = lines.keys.sorted().compactMap { lines[$0] }.map { "    " + $0 }.joined(separator: ",\n")
    return "{\n  \"version\": 1,\n  \"findings\": [\n\(body)\n  ]\n}\n"
  }
}
