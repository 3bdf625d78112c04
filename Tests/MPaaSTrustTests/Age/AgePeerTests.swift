import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

/// Against the program age and the Rust implementation behind pyrage, in both directions.
@Suite("age, the program, and pyrage") struct AgePeerTests {
  static var sizes: [Int] {
    let large = ProcessInfo.processInfo.environment["MPAAS_LARGE_TESTS"] != nil
    return [0, 1, 65_535, 65_536, 65_537, 1 << 20] + (large ? [100 << 20] : [])
  }

  let folder: TemporaryFolder
  let identity = AgeIdentity.generate()
  let recipient: AgeRecipient

  init() throws {
    folder = try TemporaryFolder()
    recipient = try #require(identity.recipient)
    try write(Data(try #require(identity.text).utf8), "key")
  }

  func path(_ name: String) -> String { folder.url.appending(path: name).path }
  func write(_ data: Data, _ name: String) throws { try data.write(to: folder.url.appending(path: name)) }
  func data(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

  func run(_ tool: String, _ arguments: [String]) throws {
    let outcome = try Command.run(tool, arguments, directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("age reads ours and we read age's", .tool("age"), arguments: sizes, [false, true])
  func age(size: Int, armored: Bool) throws {
    let plaintext = AgeTests.bytes(size)
    try Age.encrypt(Bytes(plaintext), to: [recipient], armored: armored, into: path("ours.age"))
    try run("age", ["-d", "-i", "key", "-o", "read", "ours.age"])
    // The program makes no file where there is nothing to write.
    let read = try FileManager.default.fileExists(atPath: path("read")) ? data("read") : Data()
    #expect(read == plaintext)

    try write(plaintext, "plain")
    try run("age", (armored ? ["-a"] : []) + ["-r", try #require(recipient.text), "-o", "theirs.age", "plain"])
    try Age.decrypt(Bytes.mapping(path("theirs.age")), with: [identity], limit: size, into: path("back"))
    #expect(try data("back") == plaintext)
  }

  @Test("pyrage reads ours and we read pyrage's", .pythonPeers, arguments: sizes, [false, true])
  func pyrage(size: Int, armored: Bool) throws {
    let plaintext = AgeTests.bytes(size)
    try plaintext.withUnsafeBytes { bytes in
      try write(Data(try Age.encrypt(bytes, to: [recipient], armored: armored)), "ours.age")
    }
    let script = """
      import sys, pyrage
      key = pyrage.x25519.Identity.from_str(open("key").read())
      plain = pyrage.decrypt(open("ours.age", "rb").read(), [key])
      open("read", "wb").write(plain)
      open("theirs.age", "wb").write(pyrage.encrypt(plain, [key.to_public()], armored=len(sys.argv) > 1))
      """
    try run(Fixture.python, ["-c", script] + (armored ? ["-a"] : []))
    #expect(try data("read") == plaintext)
    let back = try data("theirs.age").withUnsafeBytes { try Age.decrypt($0, with: [identity], limit: size) }
    #expect(Data(back) == plaintext)
  }

  @Test("pyrage opens our passphrases and we open its", .pythonPeers)
  func passphrases() throws {
    let ours = try AgeTests.bytes(100).withUnsafeBytes {
      try Age.encrypt($0, to: [.passphrase("geheim ü", workFactor: 12)])
    }
    try write(Data(ours), "ours.age")
    let script = """
      import pyrage
      plain = pyrage.passphrase.decrypt(open("ours.age", "rb").read(), "geheim ü")
      open("theirs.age", "wb").write(pyrage.passphrase.encrypt(plain, "geheim ü"))
      """
    try run(Fixture.python, ["-c", script])
    let back = try data("theirs.age").withUnsafeBytes {
      try Age.decrypt($0, with: [.passphrase("geheim ü")], limit: 100)
    }
    #expect(Data(back) == AgeTests.bytes(100))
  }
}
