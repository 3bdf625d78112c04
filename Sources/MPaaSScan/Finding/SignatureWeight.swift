import MPaaSCodeSignature
import MPaaSSupport

extension ScanFinding {
  /// A finding about a signature, with the weight that it has here.
  ///
  /// - Parameter start: The place in the file of the image that its offset counts from.
  init(_ finding: SignatureFinding, _ place: ScanPlace, from start: UInt64) {
    var place = place
    if let offset = finding.offset { place.offset = start &+ offset }
    let evidence = finding.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    self.init(
      id: finding.id, severity: SignatureWeight.severity(finding.id.name),
      masvs: finding.id.name.hasPrefix("scan-entitlement-debug") ? "MASVS-RESILIENCE-4" : "MASVS-RESILIENCE-2", place,
      evidence, values: finding.values)
  }
}

/// The weights of findings about signatures, seals and profiles.
private enum SignatureWeight {
  private static let high: Set<String> = [
    "scan-signature-page", "scan-signature-part-changed", "scan-signature-part-missing", "scan-signature-signer",
    "scan-signature-cdhashes", "scan-signature-uncovered", "scan-resource-changed", "scan-resource-missing",
    "scan-resource-code", "scan-profile-signature", "scan-profile-signer", "scan-entitlements-differ",
    "scan-entitlement-not-allowed", "scan-entitlement-debug",
  ]
  private static let low: Set<String> = [
    "scan-signature-expired", "scan-signature-untrusted", "scan-profile-wildcard",
  ]
  private static let info: Set<String> = ["scan-signature-adhoc", "scan-signature-not-judged", "scan-profile-devices"]

  static func severity(_ id: String) -> ScanSeverity {
    if high.contains(id) { return .high }
    if low.contains(id) { return .low }
    return info.contains(id) ? .info : .medium
  }
}
