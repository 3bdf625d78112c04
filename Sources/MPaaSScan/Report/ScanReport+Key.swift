import MPaaSDigests
import MPaaSSupport

extension ScanReport {
  /// The name by which a finding is known again in the next version.
  ///
  /// It is of the kind, the path below the input, and the evidence: neither processor nor offset, and not the input's
  /// own name, which has a version in it as often as not.
  package func key(of finding: ScanFinding) -> String {
    var digest = RunningDigest(.sha256)
    digest.update(Array("\(finding.id.name)\0\(inner(finding.place.path))\0\(finding.evidence)".utf8))
    return digest.value.prefix(16).hexadecimal
  }
}
