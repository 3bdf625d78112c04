import CryptoExtras
import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The form of a key for other programs.
package enum KeyFormat: String, Sendable, CaseIterable {
  case pem, minisign, signify, age, ssh, tuf, json
}

extension KeyRecord {
  /// The public key in `format`, with a line's end.
  ///
  /// - Throws: `TrustError` `key-format-unfit` where the format has no such keys.
  package func text(_ format: KeyFormat) throws(TrustError) -> String {
    let unfit = TrustError(.keyFormatUnfit, ["kind": publicKey.kind.rawValue, "format": format.rawValue])
    switch (format, publicKey) {
    case (.json, _): return value.line + "\n"
    case (.pem, .age(let bytes)): return PEMBlock(label: "PUBLIC KEY", der: PublicKey.x25519Prefix + bytes).text
    case (.pem, .signing(let key)): return key.pem
    case (.age, .age): return publicKey.text + "\n"
    case (.tuf, .signing(let key)): return key.metadata.line + "\n"
    case (.ssh, .signing(let key)):
      guard let fields = key.sshFields else { throw unfit }
      let blob = fields.reduce(Data()) { $0 + Self.length($1) + $1 }
      return "\(String(decoding: fields[0], as: UTF8.self)) \(blob.base64EncodedString()) \(name)\n"
    case (.minisign, .signing(let key)) where key.scheme == .ed25519:
      let numbered = NumberedKey(number: minisignNumber, key: key)
      return numbered.text(comment: "minisign public key \(numbered.name)")
    case (.signify, .signing(let key)) where key.scheme == .ed25519:
      return NumberedKey(number: minisignNumber, key: key).text(comment: "\(name) public key")
    default: throw unfit
    }
  }

  private static func length(_ field: Data) -> Data {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: field.count).bigEndian) { Data($0) }
  }

  /// The number of the key in minisign: what its own file called it, else made of the key, so that both halves agree.
  package var minisignNumber: [UInt8] { number ?? Array(publicKey.fingerprint.digest.prefix(8)) }
}

extension VerificationKey {
  /// The fields of a line of `authorized_keys`: the kind first.
  ///
  /// Source: RFC 4253 section 6.6 (RSA), RFC 5656 section 3.1 (ECDSA), RFC 8709 section 4 (Ed25519).
  fileprivate var sshFields: [Data]? {
    switch scheme {
    case .ed25519: return [Data("ssh-ed25519".utf8), bytes]
    // The point is the last 65 bytes of the SubjectPublicKeyInfo.
    case .ecdsaP256: return [Data("ecdsa-sha2-nistp256".utf8), Data("nistp256".utf8), bytes.suffix(65)]
    case .rsaPSS:
      guard let key = try? _RSA.Signing.PublicKey(derRepresentation: bytes),
        let numbers = try? key.getKeyPrimitives()
      else { return nil }
      return [Data("ssh-rsa".utf8), Self.positive(numbers.publicExponent), Self.positive(numbers.modulus)]
    }
  }

  /// A number that is not taken for a negative one.
  private static func positive(_ number: Data) -> Data {
    let digits = number.drop { $0 == 0 }
    return (digits.first ?? 0) < 0x80 ? Data(digits) : Data([0]) + digits
  }
}

extension PrivateKey {
  /// The private key in `format`; without a passphrase it is not encrypted.
  ///
  /// - Parameters:
  ///   - number: What minisign calls the key (`KeyRecord.minisignNumber`).
  ///   - workFactor: The binary logarithm of scrypt's N, where the format takes scrypt.
  /// - Throws: `TrustError` `key-format-unfit` where the format has no such private keys, `signify-no-passphrase`.
  package func text(
    _ format: KeyFormat, passphrase: SecretBytes?, number: [UInt8]? = nil, workFactor: Int = 18
  ) throws(TrustError) -> String {
    switch (format, self) {
    case (.pem, _):
      guard let passphrase else { return pem }
      return try EncryptedPKCS8.text(of: self, passphrase: passphrase)
    case (.age, .age):
      guard let secret = try identity().text else { throw TrustError(.keyDoesNotDecrypt) }
      let lines = "# public key: \(publicKey.text)\n\(secret)\n"
      return String(decoding: try KeyFile.sealed(Array(lines.utf8), passphrase, workFactor), as: UTF8.self)
    case (.minisign, .signing(let key)) where kind == .ed25519:
      let numbered = try NumberedSigningKey(key, number: number ?? Array(publicKey.fingerprint.digest.prefix(8)))
      return try MinisignSecretKey.text(numbered, passphrase: passphrase?.text, workFactor: workFactor)
    case (.signify, .signing(let key)) where kind == .ed25519:
      guard passphrase == nil else { throw TrustError(.signifyNoPassphrase) }
      let numbered = try NumberedSigningKey(key, number: number ?? Array(publicKey.fingerprint.digest.prefix(8)))
      return SignifySecretKey.text(numbered, comment: "signify secret key")
    default: throw TrustError(.keyFormatUnfit, ["kind": kind.rawValue, "format": format.rawValue])
    }
  }
}

extension TrustError.Code {
  package static let keyFormatUnfit = TrustError.Code("key-format-unfit", exit: .usage)
}
