/// Certificates from a signer's on, each with its issuer's behind it.
package struct CertificateChain: Sendable {
  /// The place where the chain ends.
  package enum End: Sendable, Equatable {
    /// At one of the roots that the caller trusts.
    case anchored
    /// At a certificate that has signed itself and is none of the trusted ones: not judged.
    case selfSigned
    /// At a certificate whose issuer is not there: not judged.
    case issuerAbsent
  }

  package let certificates: [X509Certificate]
  package let end: End

  /// The most certificates of a chain.
  private static let longest = 10

  /// Follows the issuers of a signer's certificate; a link counts where the key of the next one has signed it.
  init(from signer: X509Certificate, among others: [X509Certificate], anchors: [X509Certificate]) {
    var certificates = [signer]
    var end = End.issuerAbsent
    while let last = certificates.last, certificates.count <= Self.longest {
      if anchors.contains(last) {
        end = .anchored
        break
      }
      let issuer = (anchors + others).first { candidate in
        candidate.subject == last.issuer && candidate.isAuthority && !certificates.contains(candidate)
          && last.isSigned(by: candidate)
      }
      guard let issuer else {
        if last.subject == last.issuer, last.isSigned(by: last) { end = .selfSigned }
        break
      }
      certificates.append(issuer)
    }
    self.certificates = certificates
    self.end = end
  }

  /// The name at which the chain ends: of its last certificate, or of the issuer that is absent.
  package var endName: String {
    guard let last = certificates.last else { return "" }
    return end == .issuerAbsent ? last.issuer.short : last.subject.short
  }

  /// The certificates that were not valid at a moment, in seconds since 1970.
  package func invalid(at time: Int) -> [X509Certificate] { certificates.filter { !$0.validity.contains(time) } }
}
