import CryptoExtras
import Foundation
import Testing

@testable import MPaaSVerification

@Suite("The wrapping of an RSA key") struct RSAKeyInfoTests {
  @Test("is written and read as swift-crypto does", arguments: [2048, 3072])
  func both(_ bits: Int) throws {
    let key = try _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits)).publicKey
    let info = key.derRepresentation
    #expect(RSAKeyInfo.subjectPublicKeyInfo(of: key.pkcs1DERRepresentation) == info)
    #expect(RSAKeyInfo.bareKey(in: info) == key.pkcs1DERRepresentation)
  }

  @Test("is refused where it is cut, longer, or of another kind")
  func others() throws {
    let info = RSAKeyInfo.subjectPublicKeyInfo(of: Data(repeating: 7, count: 270))
    for size in 0..<info.count { #expect(RSAKeyInfo.bareKey(in: info.prefix(size)) == nil) }
    #expect(RSAKeyInfo.bareKey(in: info + [0]) == nil)
    var other = info
    other[other.startIndex + 10] ^= 1
    #expect(RSAKeyInfo.bareKey(in: other) == nil)
  }
}
