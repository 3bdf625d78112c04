package import MPaaSConfig
import MPaaSSupport

extension ProvisioningProfile {
  /// Compares what an image asks for, and who signed it, with what the profile allows.
  ///
  /// - Parameters:
  ///   - entitlements: Those of the main program's signature.
  ///   - signer: The certificate of its signer; nil to leave that unjudged.
  ///   - time: The present, in seconds since 1970.
  package func findings(
    entitlements asked: PropertyListValue?, signer: X509Certificate?, at time: Int
  ) -> [SignatureFinding] {
    var findings: [SignatureFinding] = []
    let named = ["profile": name]
    if !signatureHolds { findings.append(SignatureFinding("scan-profile-signature", at: nil, named)) }
    if let expiration, expiration < time {
      findings.append(
        SignatureFinding("scan-profile-expired", at: nil, ["profile": name, "time": SignatureCheck.date(expiration)]))
    }
    if let signer, !certificates.isEmpty, !certificates.contains(signer.bytes) {
      findings.append(
        SignatureFinding("scan-profile-signer", at: nil, ["profile": name, "signer": signer.subject.short]))
    }
    if let devices {
      findings.append(
        SignatureFinding("scan-profile-devices", at: nil, ["profile": name, "count": "\(devices.count)"]))
    }
    if entitlements["application-identifier"]?.string?.hasSuffix("*") ?? false {
      findings.append(
        SignatureFinding(
          "scan-profile-wildcard", at: nil,
          ["profile": name, "identifier": entitlements["application-identifier"]?.string ?? ""]))
    }
    for member in asked?.members ?? [] {
      let values = ["profile": name, "entitlement": member.key]
      guard let allowed = entitlements[member.key] else {
        findings.append(SignatureFinding("scan-entitlement-not-allowed", at: nil, values))
        continue
      }
      for value in Self.refused(member.value, by: allowed) {
        findings.append(
          SignatureFinding(
            "scan-entitlement-not-allowed", at: nil, values.merging(["value": value]) { $1 }))
      }
    }
    return findings
  }

  /// The values, as texts, that are not among those that are allowed.
  private static func refused(_ asked: PropertyListValue, by allowed: PropertyListValue) -> [String] {
    if let values = asked.values { return values.flatMap { refused($0, by: allowed) } }
    let choices = allowed.values ?? [allowed]
    if choices.contains(where: { covers($0, asked) }) { return [] }
    return [asked.string ?? asked.boolean.map { "\($0)" } ?? asked.element]
  }

  private static func covers(_ allowed: PropertyListValue, _ asked: PropertyListValue) -> Bool {
    if let pattern = allowed.string, let text = asked.string {
      return pattern.hasSuffix("*") ? text.hasPrefix(String(pattern.dropLast())) : pattern == text
    }
    // What is allowed need not be asked for.
    if allowed.boolean == true, asked.boolean == false { return true }
    return allowed.isSame(as: asked)
  }
}

extension SignatureCheck {
  /// Findings of the entitlements by themselves: a debugger may attach, keychain groups of any app.
  package func entitlementFindings() -> [SignatureFinding] {
    guard let entitlements else { return [] }
    var findings: [SignatureFinding] = []
    for key in ["get-task-allow", "com.apple.security.get-task-allow"] where entitlements[key]?.boolean == true {
      findings.append(SignatureFinding("scan-entitlement-debug", at: nil, ["entitlement": key]))
    }
    for key in Self.weakening where entitlements[key]?.boolean == true {
      findings.append(SignatureFinding("scan-entitlement-weakening", at: nil, ["entitlement": key]))
    }
    let groups = entitlements["keychain-access-groups"]?.values?.compactMap(\.string) ?? []
    for group in groups where group.hasSuffix("*") {
      findings.append(
        SignatureFinding(
          "scan-entitlement-wildcard", at: nil, ["entitlement": "keychain-access-groups", "value": group]))
    }
    return findings
  }

  /// Exceptions from the hardened runtime.
  private static let weakening = [
    "com.apple.security.cs.allow-dyld-environment-variables", "com.apple.security.cs.allow-jit",
    "com.apple.security.cs.allow-unsigned-executable-memory",
    "com.apple.security.cs.disable-executable-page-protection",
    "com.apple.security.cs.disable-library-validation", "com.apple.security.cs.debugger",
  ]
}
