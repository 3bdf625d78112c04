import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("All keys of a store") struct KeyListingTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  let home: TemporaryFolder
  var store: KeyStore

  init() throws {
    home = try TemporaryFolder()
    store = KeyStore(folder: home.path + "/keys") { Self.now }
    store.workFactor = 10
  }

  @Test("are listed though a record is damaged, which is told")
  func damaged() throws {
    _ = try store.generate("anna", passphrase: nil)
    _ = try store.generate("ben", passphrase: SecretBytes(copying: "correct horse"))
    _ = try store.generate("carla", passphrase: nil)
    try Data("{".utf8).write(to: URL(filePath: store.folder + "/carla.json"))
    let other = KeyStore(folder: home.path + "/others")
    try store.trust(try other.generate("dora", passphrase: nil))
    var problems: [TrustError] = []
    let (own, trusted) = try store.listing { problems.append($0) }
    #expect(own.map(\.record.name) == ["anna", "ben"])
    #expect(own.map(\.isEncrypted) == [false, true])
    #expect(trusted.map(\.name) == ["dora"])
    #expect(problems.map(\.place) == [.file(store.folder + "/carla.json")])
  }

  @Test("are good until they are revoked, expired or followed by another")
  func state() throws {
    var record = try store.generate("anna", passphrase: nil)
    #expect(record.state(at: Self.now) == .good)
    record.rotatedTo = "anna-2"
    #expect(record.state(at: Self.now) == .rotated)
    record.expires = Self.now
    #expect(record.state(at: Self.now - 1) == .rotated)
    #expect(record.state(at: Self.now) == .expired)
    record.revoked = Self.now
    #expect(record.state(at: Self.now) == .revoked)
  }

  @Test("of others are typed or come in files, with the roles that a user gives them")
  func foreign() throws {
    let record = try store.generate("team", .age, passphrase: nil)
    let typed = try KeyFile(foreign: record.publicKey.text).record(
      named: "friend", roles: [.patches], expires: { Self.now + 60 }, at: Self.now)
    #expect(typed.publicKey == record.publicKey)
    #expect(typed.name == "friend")
    #expect(typed.roles == [.patches])
    #expect(typed.expires == Self.now + 60)
    #expect(throws: TrustError.self) { try KeyFile(foreign: home.path + "/none.pub") }
  }

  @Test("are told by their fingerprint, in words or digits of either case")
  func fingerprint() throws {
    let fingerprint = try store.generate("anna", passphrase: nil).publicKey.fingerprint
    try fingerprint.require(fingerprint.words)
    try fingerprint.require(fingerprint.hexadecimal.uppercased())
    let error = #expect(throws: TrustError.self) { try fingerprint.require("other") }
    #expect(error?.identifier == "key-fingerprint-differs")
  }
}
