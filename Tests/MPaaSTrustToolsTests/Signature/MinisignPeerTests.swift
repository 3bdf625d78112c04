import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSTrustTools

/// Against the programs themselves, in both directions.
@Suite("minisign and signify, the programs") struct MinisignPeerTests {
  let folder: TemporaryFolder
  let message = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 13) })

  init() throws {
    folder = try TemporaryFolder()
    try message.write(to: folder.url.appending(path: "m"))
  }

  func run(_ tool: String, _ arguments: [String], input: String? = nil) throws -> Command.Outcome {
    try Command.run(tool, arguments, input: input, directory: folder.url)
  }

  func text(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.url.appending(path: name))) }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  @Test("we read minisign's keys and verify its signatures", .tool("minisign"), arguments: [[], ["-l"]])
  func theirs(options: [String]) throws {
    #expect(try run("minisign", ["-G", "-W", "-f", "-p", "k.pub", "-s", "k.key"]).status == 0)
    let signed = try run("minisign", ["-S", "-s", "k.key", "-m", "m", "-t", "version:7"] + options)
    #expect(signed.status == 0, "\(signed.errors)")
    let key = try NumberedKey(reading: try text("k.pub"))
    let signature = try MinisignSignature(reading: try text("m.minisig"))
    try message.withUnsafeBytes { try signature.verify($0, by: key) }
    #expect(signature.trustedComment == "version:7")
    #expect((signature.algorithm == .file) == options.contains("-l"))
    let secret = try MinisignSecretKey.read(try text("k.key"), passphrase: nil)
    #expect(secret.publicKey == key)
    // minisign writes the number of its key without leading zeros.
    let number = String(key.name.drop { $0 == "0" })
    #expect(String(decoding: try text("k.pub"), as: UTF8.self) == key.text(comment: "minisign public key \(number)"))
  }

  @Test("minisign verifies our signatures, with our public key", .tool("minisign"), arguments: [false, true])
  func ours(isLegacy: Bool) throws {
    let key = try MinisignTests.key()
    let signature = try message.withUnsafeBytes {
      try MinisignSignature($0, by: key, trustedComment: "version 8 ü", isLegacy: isLegacy)
    }
    try write(signature.text, "m.minisig")
    try write(key.publicKey.text(comment: "ours"), "o.pub")
    let verified = try run("minisign", ["-V", "-p", "o.pub", "-m", "m"])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(verified.output.contains("version 8 ü"), "\(verified.errors)")
  }

  @Test("minisign signs with our private keys", .tool("minisign"), arguments: [nil, "geheim"])
  func ourSecretKeys(passphrase: String?) throws {
    let key = try MinisignTests.key()
    try write(try MinisignSecretKey.text(key, passphrase: passphrase, workFactor: 12), "o.key")
    let signed = try run("minisign", ["-S", "-s", "o.key", "-m", "m"], input: passphrase.map { $0 + "\n" })
    #expect(signed.status == 0, "\(signed.errors)")
    let signature = try MinisignSignature(reading: try text("m.minisig"))
    try message.withUnsafeBytes { try signature.verify($0, by: key.publicKey) }
  }

  @Test(
    "we read minisign's encrypted keys (1 GiB of memory: MPAAS_LARGE_TESTS)", .tool("minisign"),
    .enabled(if: ProcessInfo.processInfo.environment["MPAAS_LARGE_TESTS"] != nil))
  func theirEncryptedKeys() throws {
    let made = try run("minisign", ["-G", "-f", "-p", "k.pub", "-s", "k.key"], input: "geheim\ngeheim\n")
    #expect(made.status == 0, "\(made.errors)")
    let secret = try MinisignSecretKey.read(try text("k.key"), passphrase: "geheim")
    #expect(try secret.publicKey == NumberedKey(reading: try text("k.pub")))
  }

  @Test("signify and we verify each other's signatures, with each other's keys", .tool("signify-openbsd"))
  func signify() throws {
    #expect(try run("signify-openbsd", ["-G", "-n", "-p", "s.pub", "-s", "s.sec"]).status == 0)
    #expect(try run("signify-openbsd", ["-S", "-s", "s.sec", "-m", "m", "-x", "m.sig"]).status == 0)
    let theirs = try NumberedKey(reading: try text("s.pub"))
    let signature = try SignifySignature(reading: try text("m.sig"))
    try message.withUnsafeBytes { try signature.verify($0, by: theirs) }
    #expect(try SignifySecretKey.read(try text("s.sec")).publicKey == theirs)

    let key = try MinisignTests.key()
    try write(SignifySecretKey.text(key, comment: "ours secret key"), "o.sec")
    try write(key.publicKey.text(comment: "ours public key"), "o.pub")
    try write(
      try message.withUnsafeBytes { try SignifySignature($0, by: key, comment: "verify with o.pub") }.text, "o.sig")
    #expect(try run("signify-openbsd", ["-V", "-p", "o.pub", "-m", "m", "-x", "o.sig"]).status == 0)
    #expect(try run("signify-openbsd", ["-S", "-s", "o.sec", "-m", "m", "-x", "p.sig"]).status == 0)
    #expect(try text("p.sig").suffix(101) == Array(try text("o.sig")).suffix(101))
  }

  @Test("signify's keys with a passphrase are refused by name")
  func encryptedSignify() throws {
    var bytes = try #require(
      Base64.decode(
        SignifySecretKey.text(try MinisignTests.key(), comment: "k").split(separator: "\n")[1].utf8))
    bytes[7] = 42
    let text = "untrusted comment: k\n\(Base64.encode(bytes))\n"
    let error = #expect(throws: TrustError.self) { try SignifySecretKey.read(text.utf8) }
    #expect(error?.identifier == "signify-key-encrypted")
  }
}
