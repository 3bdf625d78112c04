import MPaaSConfig
import MPaaSSupport

extension SignatureCheck {
  /// Judges the signer: signature, digests that he names, certificates, team.
  mutating func check(_ message: CMSMessage, _ signature: CodeSignature, _ anchors: [X509Certificate]) {
    let offset = signature.blob(CodeSignature.Slot.signature)?.offset
    if facts.cmsSignatureHolds == false { findings.append(SignatureFinding("scan-signature-signer", at: offset)) }
    checkNamedHashes(message, signature, offset)
    signingTime = message.signingTime
    chain = message.chain(anchors: anchors)
    guard let chain else {
      findings.append(SignatureFinding("scan-signature-no-certificate", at: offset))
      return
    }
    if chain.end != .anchored {
      findings.append(
        SignatureFinding(
          anchors.isEmpty ? "scan-signature-not-judged" : "scan-signature-untrusted", at: offset,
          ["end": chain.endName]))
    }
    for certificate in signingTime.map(chain.invalid(at:)) ?? [] {
      findings.append(
        SignatureFinding(
          "scan-signature-expired", at: offset,
          ["certificate": certificate.subject.short, "time": signingTime.map(Self.date) ?? ""]))
    }
    for directory in signature.directories {
      guard let team = directory.team, let signer = chain.certificates[0].team, team != signer else { continue }
      findings.append(
        SignatureFinding("scan-signature-team", at: directory.offset, ["team": team, "signer": signer]))
    }
  }

  /// The digests of all directories, which the signer names in attributes of his, so that none is exchanged.
  private mutating func checkNamedHashes(_ message: CMSMessage, _ signature: CodeSignature, _ offset: UInt64?) {
    for signer in message.signers {
      if let list = signer.values("1.2.840.113635.100.9.1").first?.octets {
        let named = (try? PropertyListFile(list, file: "cdhashes").root["cdhashes"]?.values) ?? []
        let own = signature.directories.map(\.cdhash)
        let isSame = named.count == own.count && zip(named, own).allSatisfy { $0 == .data($1) }
        if !isSame { findings.append(SignatureFinding("scan-signature-cdhashes", at: offset)) }
      }
      let pairs = signer.values("1.2.840.113635.100.9.2")
      guard !pairs.isEmpty else { continue }
      let digests = signature.directories.map(\.digest)
      let isSame = pairs.allSatisfy { pair in
        pair.members.last?.octets.map { digest in digests.contains { $0.starts(with: digest) } } ?? false
      }
      if !isSame { findings.append(SignatureFinding("scan-signature-cdhashes", at: offset)) }
    }
  }

  /// A moment as `2026-03-01`.
  static func date(_ time: Int) -> String {
    let date = CivilDate.at(secondsSince1970: time).date
    return date.year.padded(to: 4) + "-" + date.month.padded(to: 2) + "-" + date.day.padded(to: 2)
  }
}
