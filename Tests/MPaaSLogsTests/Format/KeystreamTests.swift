import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import MPaaSLogs

@Suite("The keystream of staged records") struct KeystreamTests {
  @Test("is that of AES-CTR behind the bytes that no record is encrypted in")
  func counter() throws {
    let secret = LogSecret((0..<32).map { UInt8($0) })
    let size = 100_003
    let own = try #require(secret.keystream(7, size: size))
    let nonce = try AES._CTR.Nonce(nonceBytes: LogSecret.nonce(7))
    let other = try AES._CTR.encrypt([UInt8](repeating: 0, count: size), using: secret.stagingKey, nonce: nonce)
    #expect(own.count == size)
    #expect(own.dropFirst(32) == other.dropFirst(32))
    #expect(StagedRecord.headerSize >= 32)
  }
}
