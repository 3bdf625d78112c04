import Crypto
import CryptoExtras
import MPaaSPush
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The algorithms of signatures that are taken: none without a key, and none whose key both sides have.
enum SigningAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case es256 = "ES256"
  case edDSA = "EdDSA"
}

/// A public key by which an issuer's signatures are verified (RFC 7517, RFC 7518, RFC 8037).
struct IssuerKey: Sendable {
  private enum Key: Sendable {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  let id: String?
  let algorithm: SigningAlgorithm
  private let key: Key

  private static let longestModulus = 1024
  private static let longestExponent = 4

  /// Reads a key; nil for one that is not for signatures of those that are taken, or is malformed.
  init?(_ object: JSONValue.Object) {
    // A key with a private part is no public one.
    guard object["d"] == nil, object["k"] == nil, object["use"].map({ $0.string == "sig" }) ?? true else { return nil }
    if let uses = object["key_ops"] { guard uses.array?.contains("verify") ?? false else { return nil } }
    func bytes(_ member: String) -> [UInt8]? { object[member]?.string.flatMap { Base64URL.decode($0.utf8) } }
    switch (object["kty"]?.string, object["crv"]?.string) {
    case ("RSA", _):
      guard let modulus = bytes("n"), let exponent = bytes("e"), modulus.count <= Self.longestModulus,
        (1...Self.longestExponent).contains(exponent.count), let last = exponent.last, last & 1 == 1,
        exponent != [1], let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
      else { return nil }
      (self.key, algorithm) = (.rsa(key), .rs256)
    case ("EC", "P-256"):
      guard let x = bytes("x"), let y = bytes("y"), x.count == 32, y.count == 32,
        let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
      else { return nil }
      (self.key, algorithm) = (.p256(key), .es256)
    case ("OKP", "Ed25519"):
      guard let x = bytes("x"), x.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else {
        return nil
      }
      (self.key, algorithm) = (.ed25519(key), .edDSA)
    default: return nil
    }
    let name = algorithm.rawValue
    guard object["alg"].map({ $0.string == name }) ?? true else { return nil }
    id = object["kid"]?.string
  }

  /// Tells whether a token is signed by the owner of the key.
  func verifies(_ token: JSONWebToken) -> Bool {
    switch key {
    case .rsa(let key):
      let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
      return key.isValidSignature(signature, for: token.signed, padding: .insecurePKCS1v1_5)
    case .p256(let key):
      guard token.signature.count == 64,
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
      else { return false }
      return key.isValidSignature(signature, for: token.signed)
    case .ed25519(let key):
      return token.signature.count == 64 && key.isValidSignature(token.signature, for: token.signed)
    }
  }
}

/// The keys of an issuer.
struct IssuerKeys: Sendable {
  let keys: [IssuerKey]

  private static let most = 100

  init(_ keys: [IssuerKey]) { self.keys = keys }

  /// Reads a set of keys; those of other kinds are left out.
  ///
  /// - Throws: `oidc-answer` where it is no set of keys.
  init(_ bytes: [UInt8], from address: OpenIDAddress) throws(ServerError) {
    guard let list = OpenIDJSON.object(bytes)?["keys"]?.array, list.count <= Self.most else {
      throw ServerError(.openIDAnswer, ["endpoint": address.url, "reason": "keys"])
    }
    keys = list.compactMap { $0.object.flatMap(IssuerKey.init) }
  }

  /// The keys that a token may be signed with: the one that it names, or all where it names none.
  func candidates(_ algorithm: SigningAlgorithm, id: String?) -> [IssuerKey] {
    keys.filter { key in
      key.algorithm == algorithm && (id.map { key.id?.utf8.elementsEqual($0.utf8) ?? false } ?? true)
    }
  }
}
