import Crypto
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An authority and a server's certificate, made for one run of a double (RFC 5280).
package struct DoubleCertificates: Sendable {
  /// The authority's certificate in PEM.
  package let authority: String
  /// The server's certificate in PEM.
  package let server: String
  /// The server's private key in PEM.
  package let key: String

  /// Makes both, good for 30 days.
  ///
  /// - Parameters:
  ///   - hosts: The names and addresses of the server, IPv4 in four bytes and IPv6 in sixteen.
  ///   - now: Seconds since 1970.
  package init(names: [String], addresses: [[UInt8]], now: Double) throws(PushError) {
    let authorityKey = P256.Signing.PrivateKey()
    let serverKey = P256.Signing.PrivateKey()
    let issuer = Party(name: "mpaas push double CA", key: authorityKey.publicKey)
    let subject = Party(name: names.first ?? "mpaas push double", key: serverKey.publicKey)
    let hosts = names.map { DERValue.tagged(0x82, Array($0.utf8)) } + addresses.map { DERValue.tagged(0x87, $0) }
    do {
      authority = try Self.pem(
        Self.certificate(of: issuer, by: issuer, Self.authorityExtensions(issuer), authorityKey, now: now))
      server = try Self.pem(
        Self.certificate(of: subject, by: issuer, Self.serverExtensions(subject, issuer, hosts), authorityKey, now: now)
      )
    } catch {
      throw PushError(.keyMalformed)
    }
    key = serverKey.pemRepresentation
  }

  /// A name, its public key, and the identifier of the key.
  private struct Party {
    let name: [UInt8]
    let key: P256.Signing.PublicKey
    let identifier: [UInt8]

    init(name: String, key: P256.Signing.PublicKey) {
      let common = DERValue.sequence(DERValue.identifier("2.5.4.3"), DERValue.text(name))
      self.name = DERValue.sequence(DERValue.set(common))
      self.key = key
      identifier = DoubleCertificates.random(20)
    }
  }

  private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }

  private static func certificate(
    of subject: Party, by issuer: Party, _ extensions: [UInt8], _ key: P256.Signing.PrivateKey, now: Double
  ) throws -> [UInt8] {
    // ecdsa-with-SHA256
    let algorithm = DERValue.sequence(DERValue.identifier("1.2.840.10045.4.3.2"))
    let validity = DERValue.sequence(time(now - 86_400), time(now + 30 * 86_400))
    let content = DERValue.sequence(
      DERValue.tagged(0xa0, DERValue.integer([2])), DERValue.integer([0x4d] + random(15)), algorithm, issuer.name,
      validity, subject.name, Array(subject.key.derRepresentation), DERValue.tagged(0xa3, extensions))
    let signature = try key.signature(for: content).derRepresentation
    return DERValue.sequence(content, algorithm, DERValue.bits(Array(signature)))
  }

  private static func authorityExtensions(_ party: Party) -> [UInt8] {
    DERValue.sequence(
      member("2.5.29.19", isCritical: true, DERValue.sequence(DERValue.yes)),
      // keyCertSign and cRLSign
      member("2.5.29.15", isCritical: true, DERValue.bits([0x06], unused: 1)),
      member("2.5.29.14", DERValue.octets(party.identifier)))
  }

  private static func serverExtensions(_ party: Party, _ issuer: Party, _ hosts: [[UInt8]]) -> [UInt8] {
    DERValue.sequence(
      member("2.5.29.19", isCritical: true, DERValue.sequence()),
      // digitalSignature
      member("2.5.29.15", isCritical: true, DERValue.bits([0x80], unused: 7)),
      // serverAuth
      member("2.5.29.37", DERValue.sequence(DERValue.identifier("1.3.6.1.5.5.7.3.1"))),
      member("2.5.29.17", DERValue.tagged(0x30, Array(hosts.joined()))),
      member("2.5.29.14", DERValue.octets(party.identifier)),
      member("2.5.29.35", DERValue.sequence(DERValue.tagged(0x80, issuer.identifier))))
  }

  private static func member(_ identifier: String, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    DERValue.sequence(DERValue.identifier(identifier), isCritical ? DERValue.yes : [], DERValue.octets(value))
  }

  /// UTCTime, which has two digits of the year.
  private static func time(_ seconds: Double) -> [UInt8] {
    let (date, second) = CivilDate.at(secondsSince1970: Int(max(0, min(seconds, 2_524_607_999))))
    let parts = [date.year % 100, date.month, date.day, second / 3600, second / 60 % 60, second % 60]
    return DERValue.tagged(0x17, Array((parts.map { $0.padded(to: 2) }.joined() + "Z").utf8))
  }

  private static func pem(_ bytes: [UInt8]) -> String {
    let digits = Base64.digits(bytes)
    let lines = stride(from: 0, to: digits.count, by: 64).map { start in
      String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self)
    }
    return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
  }
}
