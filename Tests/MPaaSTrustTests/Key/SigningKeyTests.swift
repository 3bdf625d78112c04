import Foundation
import MPaaSTrust
import Testing

@Suite("Keys that sign") struct SigningKeyTests {
  @Test("a signature is accepted by the key's public half only", arguments: SignatureScheme.allCases)
  func signatures(scheme: SignatureScheme) throws {
    let key = try SigningKey.generate(scheme)
    let other = try SigningKey.generate(scheme)
    let message = Data("the fix".utf8)
    let signature = try key.sign(message)
    #expect(key.verificationKey.verifies(signature, of: message))
    #expect(!key.verificationKey.verifies(signature, of: Data("another fix".utf8)))
    #expect(!other.verificationKey.verifies(signature, of: message))
  }

  @Test("a public key survives PEM and metadata", arguments: SignatureScheme.allCases)
  func roundTrips(scheme: SignatureScheme) throws {
    let key = try SigningKey.generate(scheme).verificationKey
    #expect(try VerificationKey(pem: key.pem) == key)
    #expect(try VerificationKey(metadata: key.metadata) == key)
    #expect(key.keyID.count == 64)
  }
}
