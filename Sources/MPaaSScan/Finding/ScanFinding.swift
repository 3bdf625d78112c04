package import MPaaSSupport

/// The place of a finding: a path through archives and folders, a processor, a byte.
package struct ScanPlace: Sendable, Hashable {
  /// The path, from the input on; through an archive as `App.ipa/Payload/App.app/App`.
  package var path: String
  package var architecture: String?
  /// Bytes from the start of the file at `path`.
  package var offset: UInt64?

  package init(_ path: String, architecture: String? = nil, offset: UInt64? = nil) {
    self.path = path
    self.architecture = architecture
    self.offset = offset
  }
}

/// Something that a scan found, with the evidence for it.
package struct ScanFinding: Sendable, Hashable {
  package let id: DiagnosticID
  package var severity: ScanSeverity
  package let masvs: String?
  package let place: ScanPlace
  /// The names, values or bytes that it was found by, as the text of `{evidence}`.
  package let evidence: String
  /// Further values that the texts name.
  package let values: [String: String]

  package init(_ rule: ScanRule, _ place: ScanPlace, _ evidence: String) {
    self.init(id: rule.id, severity: rule.severity, masvs: rule.masvs, place, evidence)
  }

  package init(
    id: DiagnosticID, severity: ScanSeverity, masvs: String?, _ place: ScanPlace, _ evidence: String,
    values: [String: String] = [:]
  ) {
    self.id = id
    self.severity = severity
    self.masvs = masvs
    self.place = place
    self.evidence = evidence
    self.values = values
  }
}

extension ScanFinding {
  /// The order of a report: the heaviest first, then by path, kind and processor.
  package static func precedes(_ left: ScanFinding, _ right: ScanFinding) -> Bool {
    if left.severity != right.severity { return left.severity > right.severity }
    if left.place.path != right.place.path { return left.place.path < right.place.path }
    if left.id != right.id { return left.id.name < right.id.name }
    if left.evidence != right.evidence { return left.evidence < right.evidence }
    return (left.place.architecture ?? "") < (right.place.architecture ?? "")
  }
}
