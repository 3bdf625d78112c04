import MPaaSSupport
import SwiftASN1

/// A signer of a CMS message (RFC 5652, 5.3): what he signed, and how he is found among the certificates.
struct CMSSigner: Sendable {
  private enum Name: Sendable {
    case issuer([UInt8], serial: [UInt8])
    case key([UInt8])
  }

  private let name: Name
  private let hash: MessageHash?
  private let algorithm: SignatureAlgorithm?
  private let signature: [UInt8]
  /// The signed attributes as their signature covers them: a set, with a length.
  private let attributeBytes: [UInt8]?
  let attributes: [(identifier: String, values: [ASN1Node])]

  init(_ node: ASN1Node) throws(CodeSignatureError) {
    var members = try ASN1Members(of: node)
    // The version.
    _ = try members.any()
    if let key = members.tagged(0) {
      name = .key(key.octets ?? [])
    } else {
      var pair = try members.sequence()
      let issuer = Array(try pair.any().encodedBytes)
      name = .issuer(issuer, serial: Array(try pair.any().primitive ?? []))
    }
    hash = MessageHash(identifier: try members.algorithm())
    let signed = members.tagged(0)
    algorithm = SignatureAlgorithm(identifier: try members.algorithm(), hash: hash)
    guard let signature = try members.any().octets else { throw CodeSignatureError(.badASN1, offset: 0) }
    self.signature = signature
    attributeBytes = signed.map { Self.set($0.members.flatMap(\.encodedBytes)) }
    var attributes: [(String, [ASN1Node])] = []
    for attribute in signed?.members ?? [] {
      var parts = try ASN1Members(of: attribute)
      let identifier = try parts.identifier()
      attributes.append((identifier, try parts.set().rest))
    }
    self.attributes = attributes
  }

  /// The members of a set, with its tag and a definite length before them.
  private static func set(_ content: [UInt8]) -> [UInt8] {
    guard content.count > 0x7f else { return [0x31, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [0x31, 0x80 | UInt8(length.count)] + length + content
  }

  func values(_ identifier: String) -> [ASN1Node] {
    attributes.first { $0.identifier == identifier }?.values ?? []
  }

  /// The signer's certificate, which need not be the first one.
  func certificate(among certificates: [X509Certificate]) -> X509Certificate? {
    certificates.first { certificate in
      switch name {
      case .issuer(let issuer, let serial): certificate.issuer.encoded == issuer && certificate.serial == serial
      case .key(let key): certificate.subjectKeyIdentifier == key
      }
    }
  }

  /// Tells whether the message has the digest of the attributes, and these, or it where there are none, the signature.
  func holds(_ message: [UInt8], certificate: X509Certificate) -> Bool {
    guard let hash, let algorithm else { return false }
    guard let attributeBytes else {
      return algorithm.holds(signature, of: message, by: certificate.subjectPublicKeyInfo)
    }
    guard let digest = values("1.2.840.113549.1.9.4").first?.octets, digest == hash.digest(message) else {
      return false
    }
    return algorithm.holds(signature, of: attributeBytes, by: certificate.subjectPublicKeyInfo)
  }

  /// The moment that the signer says he signed at, in seconds since 1970.
  var signingTime: Int? { values("1.2.840.113549.1.9.5").first?.time }
}
