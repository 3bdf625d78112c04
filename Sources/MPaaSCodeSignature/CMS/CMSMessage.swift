package import MPaaSSupport
import SwiftASN1

/// A signed message of CMS (RFC 5652): that of a code signature, or of a provisioning profile.
package struct CMSMessage: Sendable {
  /// The certificates in it, in their order; a signer's need not come first.
  package let certificates: [X509Certificate]
  /// The message itself, where it is inside.
  package let content: [UInt8]?
  let signers: [CMSSigner]

  private static let signedData = "1.2.840.113549.1.7.2"
  private static let mostSigners = 8
  private static let mostCertificates = 64

  /// Reads a message in BER.
  ///
  /// - Throws: `CodeSignatureError` `badASN1`.
  package init(_ bytes: Bytes) throws(CodeSignatureError) {
    var outer = try ASN1Members(of: ASN1Members.root(of: bytes))
    guard try outer.identifier() == Self.signedData, let wrapped = outer.tagged(0) else {
      throw CodeSignatureError(.badASN1, offset: 0)
    }
    var inner = try ASN1Members(of: wrapped)
    var members = try inner.sequence()
    // The version, and the hash functions, which the signers name again.
    _ = try members.any()
    _ = try members.set()
    var encapsulated = try members.sequence()
    _ = try encapsulated.identifier()
    content = encapsulated.tagged(0)?.members.first?.octets
    var certificates: [X509Certificate] = []
    for node in members.tagged(0)?.members ?? [] where node.identifier == .sequence {
      guard certificates.count < Self.mostCertificates else { throw CodeSignatureError(.tooMany, offset: 0) }
      certificates.append(try X509Certificate(node))
    }
    self.certificates = certificates
    // Lists of revoked certificates.
    _ = members.tagged(1)
    var signers: [CMSSigner] = []
    for node in try members.set().rest {
      guard signers.count < Self.mostSigners else { throw CodeSignatureError(.tooMany, offset: 0) }
      signers.append(try CMSSigner(node))
    }
    self.signers = signers
  }

  /// Tells whether the signatures of all signers hold over a message; certificates are not judged.
  package func holds(_ message: [UInt8]) -> Bool {
    !signers.isEmpty
      && signers.allSatisfy { signer in
        signer.certificate(among: certificates).map { signer.holds(message, certificate: $0) } ?? false
      }
  }

  /// The certificates from the first signer's on; nil where his is not there.
  ///
  /// - Parameter anchors: Roots that the caller trusts.
  package func chain(anchors: [X509Certificate] = []) -> CertificateChain? {
    guard let signer = signers.first?.certificate(among: certificates) else { return nil }
    return CertificateChain(from: signer, among: certificates, anchors: anchors)
  }

  /// The moment that the first signer says he signed at, in seconds since 1970.
  package var signingTime: Int? { signers.first?.signingTime }
}
