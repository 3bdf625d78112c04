import Crypto
import CryptoExtras
import Foundation
import MPaaSTestSupport
import MPaaSTrust
import Testing

/// A file of Google's vectors: groups of cases, each with what a library must say to it.
private struct WycheproofFile: Decodable {
  struct Key: Decodable {
    let pk: String?
  }

  struct Group: Decodable {
    let publicKey: Key?
    let publicKeyPem: String?
    let tests: [Case]
  }

  struct Case: Decodable {
    let tcId: Int
    let result: String
    let flags: [String]
    let msg: String?
    let sig: String?
    let key: String?
    let iv: String?
    let aad: String?
    let ct: String?
    let tag: String?
    let `public`: String?
    let `private`: String?
    let shared: String?
  }

  let numberOfTests: Int
  let testGroups: [Group]

  static func reading(_ name: String) throws -> WycheproofFile {
    let file = try JSONDecoder().decode(Self.self, from: Fixture.data("wycheproof/\(name)_test.json"))
    #expect(file.testGroups.map(\.tests.count).reduce(0, +) == file.numberOfTests)
    return file
  }
}

private func bytes(_ text: String?) throws -> Data {
  try #require(Data(hexadecimal: text ?? "none"))
}

@Suite("Google's vectors", .fixtures) struct WycheproofTests {
  @Test("Ed25519: every signature is accepted or refused as it says")
  func ed25519() throws {
    for group in try WycheproofFile.reading("ed25519").testGroups {
      let key = try VerificationKey(ed25519: bytes(group.publicKey?.pk))
      for test in group.tests {
        let found = try key.verifies(bytes(test.sig), of: bytes(test.msg))
        #expect(found == (test.result == "valid"), "\(test.tcId) \(test.flags)")
      }
    }
  }

  @Test("RSA, PKCS #1 v1.5: what is valid passes, what is not does not")
  func rsa() throws {
    for group in try WycheproofFile.reading("rsa_signature_2048_sha256").testGroups {
      let key = try _RSA.Signing.PublicKey(pemRepresentation: #require(group.publicKeyPem))
      for test in group.tests {
        let digest = try SHA256.hash(data: bytes(test.msg))
        let signature = try _RSA.Signing.RSASignature(rawRepresentation: bytes(test.sig))
        let found = key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        // "Acceptable" is a digest's name without its empty parameters, which does not have to be written.
        #expect(found == (test.result == "valid"), "\(test.tcId) \(test.flags)")
      }
    }
  }

  @Test("X25519: every secret is as it says, and one of zeros is none")
  func x25519() throws {
    for test in try WycheproofFile.reading("x25519").testGroups.flatMap(\.tests) {
      let own = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes(test.private))
      let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes(test.public))
      let secret = try? own.sharedSecretFromKeyAgreement(with: other).withUnsafeBytes { Data($0) }
      let expected = try bytes(test.shared)
      // "Acceptable" are points that are not canonical, not on the curve, or of small order. Only the last give zeros.
      if expected.allSatisfy({ $0 == 0 }) {
        // Not every library refuses by itself: whoever uses the secret must.
        #expect(secret == nil || secret == expected, "\(test.tcId)")
        let recipient = AgeRecipient(.x25519(other))
        #expect(throws: TrustError.self) { try Age.encrypt(.init(start: nil, count: 0), to: [recipient]) }
      } else {
        #expect(secret == expected, "\(test.tcId) \(test.flags)")
      }
    }
  }

  @Test("AES-CBC with PKCS #7 padding: what is valid is decrypted, what is not is refused")
  func aesCBC() throws {
    for test in try WycheproofFile.reading("aes_cbc_pkcs5").testGroups.flatMap(\.tests) {
      let key = try SymmetricKey(data: bytes(test.key))
      let vector = try AES._CBC.IV(ivBytes: bytes(test.iv))
      let plaintext = try? AES._CBC.decrypt(bytes(test.ct), using: key, iv: vector)
      #expect(try plaintext == (test.result == "valid" ? bytes(test.msg) : nil), "\(test.tcId) \(test.flags)")
    }
  }

  @Test("ChaCha20-Poly1305: what is valid is opened, what is not is refused")
  func chaChaPoly() throws {
    for test in try WycheproofFile.reading("chacha20_poly1305").testGroups.flatMap(\.tests) {
      let key = try SymmetricKey(data: bytes(test.key))
      let plaintext: Data? = try? {
        let nonce = try ChaChaPoly.Nonce(data: bytes(test.iv))
        let box = try ChaChaPoly.SealedBox(nonce: nonce, ciphertext: bytes(test.ct), tag: bytes(test.tag))
        return try ChaChaPoly.open(box, using: key, authenticating: bytes(test.aad))
      }()
      #expect(try plaintext == (test.result == "valid" ? bytes(test.msg) : nil), "\(test.tcId) \(test.flags)")
    }
  }

  @Test("Ed25519 keys of small order, and such that are not canonical, are no keys")
  func keys() throws {
    for point in Ed25519Spellings.smallOrders {
      #expect(throws: TrustError.self) { try VerificationKey(ed25519: point) }
    }
  }
}
