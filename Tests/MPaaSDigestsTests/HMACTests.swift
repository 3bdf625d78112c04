import MPaaSDigests
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A keyed digest") struct HMACTests {
  @Test("is that of RFC 4231 and RFC 2202, with short and long keys")
  func standards() throws {
    let long = [UInt8](repeating: 0xaa, count: 131)
    let jefe = try #require(HMAC(.sha256, key: Array("Jefe".utf8)))
    #expect(
      jefe.code(of: "what do ya want for nothing?".utf8).hexadecimal
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let large = try #require(HMAC(.sha256, key: long))
    #expect(
      large.code(of: "Test Using Larger Than Block-Size Key - Hash Key First".utf8).hexadecimal
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    let md5 = try #require(HMAC(.md5, key: "Jefe".utf8))
    #expect(md5.code(of: "what do ya want for nothing?".utf8).hexadecimal == "750c783e6ab0b503eaa86e310a5db738")
  }

  @Test("is refused over digests whose blocks are of another size")
  func blocks() {
    #expect(HMAC(.sha512, key: [1]) == nil)
    #expect(HMAC(.crc32c, key: [1]) == nil)
  }

  @Test("agrees with OpenSSL over SM3, whatever the lengths of key and message", .tool("openssl"))
  func openSSL() throws {
    var random = SeededRandom(seed: 32905)
    let folder = try TemporaryFolder()
    for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000] {
      let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let key = (0..<(1 + length % 90)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let path = folder.path + "/message"
      try Bytes(message).write(to: path)
      let digest = try Command.run("openssl", ["dgst", "-sm3", "-r", path]).output
      #expect(digest.hasPrefix(DigestAlgorithm.sm3.digest(of: message).hexadecimal))
      let code = try Command.run(
        "openssl", ["dgst", "-sm3", "-r", "-mac", "HMAC", "-macopt", "hexkey:\(key.hexadecimal)", path]
      ).output
      #expect(HMAC(.sm3, key: key).map { code.hasPrefix($0.code(of: message).hexadecimal) } == true)
    }
  }

  @Test("is compared byte for byte, and never equal to a part of it")
  func comparison() {
    let code: [UInt8] = [1, 2, 3]
    #expect(code.isEqualInConstantTime(to: [1, 2, 3]))
    #expect(!code.isEqualInConstantTime(to: [1, 2]))
    #expect(!code.isEqualInConstantTime(to: [1, 2, 2]))
    #expect([UInt8]().isEqualInConstantTime(to: [UInt8]()))
  }
}
