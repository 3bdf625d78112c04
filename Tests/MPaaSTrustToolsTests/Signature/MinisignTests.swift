import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSTrustTools

@Suite("minisign") struct MinisignTests {
  static let message = Data("the fix\n".utf8)

  static func key() throws -> NumberedSigningKey { try NumberedSigningKey(SigningKey.generate()) }

  static func sign(_ key: NumberedSigningKey, isLegacy: Bool = false) throws -> MinisignSignature {
    try message.withUnsafeBytes {
      try MinisignSignature($0, by: key, trustedComment: "version:2\tfile:m", isLegacy: isLegacy)
    }
  }

  static func verify(_ text: some Collection<UInt8>, _ key: NumberedKey, _ message: Data = message) throws {
    let signature = try MinisignSignature(reading: text)
    try message.withUnsafeBytes { try signature.verify($0, by: key) }
  }

  @Test("a signature holds for its message, its comment and its key", arguments: [false, true])
  func signs(isLegacy: Bool) throws {
    let key = try Self.key()
    let text = try Self.sign(key, isLegacy: isLegacy).text
    try Self.verify(text.utf8, key.publicKey)
    #expect(throws: TrustError.self) { try Self.verify(text.utf8, key.publicKey, Data("another".utf8)) }
    #expect(throws: TrustError.self) {
      try Self.verify(text.replacingOccurrences(of: "version:2", with: "version:3").utf8, key.publicKey)
    }
    let other = #expect(throws: TrustError.self) { try Self.verify(text.utf8, Self.key().publicKey) }
    #expect(other?.identifier == "signature-other-key")
    let sameNumber = try NumberedSigningKey(SigningKey.generate(), number: key.number).publicKey
    let forged = #expect(throws: TrustError.self) { try Self.verify(text.utf8, sameNumber) }
    #expect(forged?.identifier == "signature-invalid")
  }

  @Test("keys survive their files, with and without a passphrase", arguments: [nil, "", "geheim 密码"])
  func secretKeys(passphrase: String?) throws {
    let key = try Self.key()
    let text = try MinisignSecretKey.text(key, passphrase: passphrase, workFactor: 10)
    let read = try MinisignSecretKey.read(text.utf8, passphrase: passphrase)
    #expect(read.secret == key.secret)
    #expect(read.number == key.number)
    #expect(try NumberedKey(reading: key.publicKey.text(comment: "x").utf8) == key.publicKey)
    guard passphrase != nil else { return }
    let wrong = #expect(throws: TrustError.self) { try MinisignSecretKey.read(text.utf8, passphrase: "wrong") }
    #expect(wrong?.identifier == "passphrase-wrong")
    let missing = #expect(throws: TrustError.self) { try MinisignSecretKey.read(text.utf8, passphrase: nil) }
    #expect(missing?.identifier == "passphrase-missing")
  }

  @Test("scrypt's parameters are those that libsodium chooses")
  func costs() throws {
    let sensitive = try ScryptCosts(operations: 33_554_432, memory: 1 << 30)
    #expect(sensitive.workFactor == 20)
    #expect(sensitive.parallelism == 1)
    let interactive = try ScryptCosts(operations: 524_288, memory: 16_777_216)
    #expect(interactive.workFactor == 14)
    #expect(interactive.parallelism == 1)
    let short = try ScryptCosts(operations: 32_768, memory: 1 << 30)
    #expect(short.workFactor == 10)
    #expect(short.parallelism == 1)
    #expect(throws: TrustError.self) { try ScryptCosts(operations: .max, memory: .max) }
  }

  @Test("a comment of several lines is not signed")
  func comments() throws {
    let key = try Self.key()
    for comment in ["a\nb", "a\rb", "\u{0}"] {
      #expect(throws: TrustError.self) {
        try Self.message.withUnsafeBytes { try MinisignSignature($0, by: key, trustedComment: comment) }
      }
    }
  }

  @Test("no bit of a signature can be flipped, but in the comment that is not trusted")
  func flips() throws {
    let key = try Self.key()
    let signature = try Self.sign(key)
    let bytes = Array(signature.text.utf8)
    let end = try #require(bytes.firstIndex(of: 0x0a))
    for place in bytes.indices {
      for bit in Flips.bits(of: place) {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        guard (try? Self.verify(changed, key.publicKey)) != nil else { continue }
        #expect(place < end, "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test("mutated files are read or refused")
  func fuzz() throws {
    var random = SeededRandom(seed: 24)
    let key = try Self.key()
    let samples = [
      try Self.sign(key).text, key.publicKey.text(comment: "k"), try MinisignSecretKey.text(key, passphrase: nil),
      SignifySecretKey.text(key, comment: "k"),
    ].map { Array($0.utf8) }
    for round in 0..<SeededRandom.rounds(or: 1000) {
      var bytes = samples[round % samples.count]
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(place...) }
        if bytes.isEmpty { bytes = [10] }
      }
      _ = try? MinisignSignature(reading: bytes)
      _ = try? NumberedKey(reading: bytes)
      _ = try? MinisignSecretKey.read(bytes, passphrase: nil)
      _ = try? SignifySecretKey.read(bytes)
      _ = try? SignifySignature(reading: bytes)
    }
  }
}
