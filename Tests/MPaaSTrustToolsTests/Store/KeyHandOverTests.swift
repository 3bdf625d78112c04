import Foundation
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The hand-over of a key") struct KeyHandOverTests {
  let home: TemporaryFolder
  let mine: KeyStore
  let theirs: KeyStore

  init() throws {
    home = try TemporaryFolder()
    mine = KeyStore(folder: home.path + "/mine")
    theirs = KeyStore(folder: home.path + "/theirs")
  }

  private func handOver(_ path: String) throws -> KeyHandOver {
    try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { try KeyHandOver(reading: $0) }
  }

  @Test(
    "a successor is trusted by who trusts the old key, with no more roles", arguments: [KeyKind.ed25519, .p256, .rsa])
  func trust(kind: KeyKind) throws {
    _ = try mine.generate("team", kind, roles: [.patches, .modules], passphrase: nil)
    let (old, new, path) = try mine.rotate(
      "team", to: mine.successorName(of: "team"), passphrase: nil, newPassphrase: nil)
    #expect(new.name == "team-2")
    #expect(old.rotatedTo == "team-2")
    #expect(new.rotatedFrom == "team")
    #expect(new.roles == old.roles)
    let statement = try handOver(#require(path))
    #expect(refusal { try theirs.trust(statement) } == "rotation-not-trusted")
    try theirs.trust(KeyRecord(name: "vendor", publicKey: old.publicKey, roles: [.patches], created: .now))
    let trusted = try theirs.trust(statement)
    #expect(trusted.publicKey == new.publicKey)
    #expect(trusted.roles == [.patches])
    #expect(try theirs.trustedKeys(for: .patches).count == 2)
    #expect(mine.successorName(of: "team-2") == "team-3")
  }

  @Test("a revoked key hands nothing over, and is not believed")
  func revoked() throws {
    let record = try mine.generate("team", passphrase: nil)
    let (_, _, path) = try mine.rotate("team", to: "next", passphrase: nil, newPassphrase: nil)
    try theirs.trust(KeyRecord(name: "vendor", publicKey: record.publicKey, created: .now))
    _ = try theirs.update("vendor", isTrusted: true) { $0.revoked = .now }
    let statement = try handOver(#require(path))
    #expect(refusal { try theirs.trust(statement) } == "key-revoked")
    _ = try mine.update("team") { $0.revoked = .now }
    #expect(refusal { try mine.rotate("team", to: "x", passphrase: nil, newPassphrase: nil) } == "key-revoked")
    #expect(try mine.names() == ["next", "team"])
  }

  @Test("no bit of a statement can be changed")
  func bits() throws {
    _ = try mine.generate("team", passphrase: nil)
    let path = try #require(try mine.rotate("team", to: "next", passphrase: nil, newPassphrase: nil).statement)
    let bytes = try Data(contentsOf: URL(filePath: path))
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[place] ^= 1 << UInt8(place % 8)
      #expect(throws: TrustError.self, "byte \(place)") {
        try changed.withUnsafeBytes { try KeyHandOver(reading: $0) }
      }
    }
  }
}
