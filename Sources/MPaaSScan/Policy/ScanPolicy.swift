package import MPaaSSupport
import MPaaSTOML

/// The rules of a team: weights of its own, findings that it allows, facts that its images must have.
package struct ScanPolicy: Sendable {
  /// A finding that is allowed, with the reason, until a day.
  package struct Allowance: Sendable {
    package let id: String
    package let path: Glob?
    package let evidence: Glob?
    package let reason: String
    /// The last day; nil for always.
    package let expires: CivilDate?
  }

  package var failOn: ScanSeverity?
  package var severities: [String: ScanSeverity] = [:]
  package var allowances: [Allowance] = []
  /// Facts of `mpaas scan --json` that images must have, where they have the fact at all.
  package var required: [(name: String, value: JSONValue)] = []

  package init() {}

  /// Reads a policy.
  ///
  /// - Throws: `ScanPolicyError` with the line of the first thing that a policy cannot have.
  package init(_ text: String, file: String) throws(ScanPolicyError) {
    let document: TOMLDocument
    do throws(TOMLError) {
      document = try TOMLDocument(text, file: file)
    } catch {
      throw ScanPolicyError(.policyText, ["file": file, "reason": error.reason], at: error.diagnostic.place)
    }
    let reader = PolicyReader(document: document, file: file)
    for (name, value) in document.values {
      switch name {
      case "fail-on": failOn = try reader.severity(value, [name])
      case "severity":
        for (id, value) in try reader.table(value, [name]) {
          try reader.check(id: id, [name, id])
          severities[id] = try reader.severity(value, [name, id])
        }
      case "allow":
        for entry in try reader.list(value, [name]) { allowances.append(try reader.allowance(entry)) }
      case "require":
        required = try reader.table(value, [name]).map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
      default: throw reader.error([name], name)
      }
    }
  }
}

/// Reads the members of a policy, and says where one stands that it cannot have.
private struct PolicyReader {
  let document: TOMLDocument
  let file: String

  func error(_ path: [String], _ value: String) -> ScanPolicyError {
    let place = document.line(of: path).map { Place.text(file: file, line: $0, column: nil) } ?? .file(file)
    return ScanPolicyError(
      .policyMember, ["file": file, "member": path.joined(separator: "."), "value": value], at: place)
  }

  func table(_ value: JSONValue, _ path: [String]) throws(ScanPolicyError) -> JSONValue.Object {
    guard let object = value.object else { throw error(path, value.line) }
    return object
  }

  func list(_ value: JSONValue, _ path: [String]) throws(ScanPolicyError) -> [JSONValue] {
    guard let array = value.array else { throw error(path, value.line) }
    return array
  }

  func severity(_ value: JSONValue, _ path: [String]) throws(ScanPolicyError) -> ScanSeverity {
    guard let severity = value.string.flatMap(ScanSeverity.init) else { throw error(path, value.line) }
    return severity
  }

  func check(id: String, _ path: [String]) throws(ScanPolicyError) {
    guard id.hasPrefix("scan-") || id == "malformed" else { throw error(path, id) }
  }

  func allowance(_ entry: JSONValue) throws(ScanPolicyError) -> ScanPolicy.Allowance {
    let members = try table(entry, ["allow"])
    for name in members.keys where !["id", "path", "evidence", "reason", "expires"].contains(name) {
      throw error(["allow"], name)
    }
    guard let id = members["id"]?.string else { throw error(["allow"], "id") }
    try check(id: id, ["allow"])
    guard let reason = members["reason"]?.string, !reason.allSatisfy(\.isWhitespace) else {
      throw error(["allow"], "\(id): reason")
    }
    var expires: CivilDate?
    if let value = members["expires"] {
      guard let date = value.string.flatMap(Self.date) else { throw error(["allow"], value.line) }
      expires = date
    }
    return ScanPolicy.Allowance(
      id: id, path: members["path"]?.string.map { Glob($0) }, evidence: members["evidence"]?.string.map { Glob($0) },
      reason: reason, expires: expires)
  }

  /// A day as `2027-01-31`, which may have a time behind it.
  private static func date(_ text: String) -> CivilDate? {
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}
