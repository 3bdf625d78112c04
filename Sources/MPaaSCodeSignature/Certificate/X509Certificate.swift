package import MPaaSSupport
import SwiftASN1

/// A certificate of X.509 (RFC 5280), as far as chains of code signatures need it.
package struct X509Certificate: Sendable, Equatable {
  /// The whole certificate in DER.
  package let bytes: [UInt8]
  package let subject: DistinguishedName
  package let issuer: DistinguishedName
  /// The number by which the issuer knows it, as bytes of an integer.
  package let serial: [UInt8]
  /// Seconds since 1970 between which it is valid, both included.
  package let validity: ClosedRange<Int>
  /// Tells whether it may sign other certificates (the basic constraints).
  package let isAuthority: Bool
  /// Identifiers of its extensions, such as Apple's that tell the purpose.
  package let extensions: [String]
  let subjectPublicKeyInfo: [UInt8]
  let subjectKeyIdentifier: [UInt8]?
  private let signed: [UInt8]
  private let signature: [UInt8]
  private let algorithm: String

  package init(_ bytes: Bytes) throws(CodeSignatureError) { try self.init(ASN1Members.root(of: bytes)) }

  init(_ node: ASN1Node) throws(CodeSignatureError) {
    var certificate = try ASN1Members(of: node)
    let body = try certificate.any()
    algorithm = try certificate.algorithm()
    guard let bits = try certificate.any().primitive, bits.first == 0 else {
      throw CodeSignatureError(.badASN1, offset: 0)
    }
    bytes = Array(node.encodedBytes)
    signed = Array(body.encodedBytes)
    signature = Array(bits.dropFirst())
    var members = try ASN1Members(of: body)
    // The version.
    _ = members.tagged(0)
    guard let serial = try members.any().primitive else { throw CodeSignatureError(.badASN1, offset: 0) }
    self.serial = Array(serial)
    _ = try members.algorithm()
    issuer = try DistinguishedName(members.any())
    var times = try members.sequence()
    guard let start = try times.any().time, let end = try times.any().time, start <= end else {
      throw CodeSignatureError(.badASN1, offset: 0)
    }
    validity = start...end
    subject = try DistinguishedName(members.any())
    subjectPublicKeyInfo = Array(try members.any().encodedBytes)
    let extensions = try Self.extensions(members)
    self.extensions = extensions.map(\.identifier)
    isAuthority = Self.isAuthority(extensions.first { $0.identifier == "2.5.29.19" }?.value)
    subjectKeyIdentifier = Self.octets(extensions.first { $0.identifier == "2.5.29.14" }?.value)
  }

  private static func extensions(
    _ members: ASN1Members
  ) throws(CodeSignatureError) -> [(identifier: String, value: [UInt8])] {
    var members = members
    _ = members.tagged(1)
    _ = members.tagged(2)
    guard let node = members.tagged(3) else { return [] }
    var found: [(String, [UInt8])] = []
    var outer = try ASN1Members(of: node)
    for entry in try outer.sequence().rest {
      let parts = entry.members
      guard let identifier = parts.first?.objectIdentifier, let value = parts.last?.octets else {
        throw CodeSignatureError(.badASN1, offset: 0)
      }
      found.append((identifier, value))
    }
    return found
  }

  private static func isAuthority(_ value: [UInt8]?) -> Bool {
    guard let value, let node = try? ASN1Members.root(of: value) else { return false }
    return node.members.first.map { $0.identifier == .boolean && $0.primitive?.first ?? 0 != 0 } ?? false
  }

  private static func octets(_ value: [UInt8]?) -> [UInt8]? {
    guard let value else { return nil }
    return (try? ASN1Members.root(of: value))?.octets
  }

  /// Tells whether the key of another certificate has signed this one.
  func isSigned(by issuer: X509Certificate) -> Bool {
    guard let algorithm = SignatureAlgorithm(identifier: algorithm, hash: nil) else { return false }
    return algorithm.holds(signature, of: signed, by: issuer.subjectPublicKeyInfo)
  }

  /// The team of Apple's developers that it was given to: ten letters and digits.
  package var team: String? { subject["OU"] }

  package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
}
