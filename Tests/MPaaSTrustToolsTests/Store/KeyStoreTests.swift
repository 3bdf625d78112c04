import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The key store") struct KeyStoreTests {
  let home: TemporaryFolder
  var store: KeyStore
  let passphrase = SecretBytes(copying: "correct horse")

  init() throws {
    home = try TemporaryFolder()
    store = KeyStore(folder: home.path + "/keys", now: { Date(timeIntervalSince1970: 1_800_000_000) })
    // The usual work takes seconds; one test of the command does it.
    store.workFactor = 10
  }

  private func files() -> [String] {
    (FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []).sorted()
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: store.folder + "/" + path)[.posixPermissions] as? Int)
  }

  @Test(
    "a key of each kind comes back as it was made, its private half for the owner only", arguments: KeyKind.allCases)
  func generate(kind: KeyKind) throws {
    let record = try store.generate("a", kind, roles: [.patches], passphrase: passphrase)
    #expect(try store.record("a") == record)
    #expect(record.publicKey.kind == kind)
    #expect(try mode("a.key") == 0o600)
    #expect(try mode("a.json") == 0o644)
    #expect(try FileManager.default.attributesOfItem(atPath: store.folder)[.posixPermissions] as? Int == 0o700)
    let text = try String(contentsOfFile: store.folder + "/a.key", encoding: .utf8)
    #expect(text.hasPrefix("-----BEGIN AGE ENCRYPTED FILE-----"))
    let key = try store.sealedKey("a").open(with: passphrase)
    #expect(key.publicKey == record.publicKey)
    if kind == .age {
      #expect(refusal { try store.signingKey("a", for: .patches, passphrase: passphrase) } == "key-does-not-sign")
    }
  }

  @Test("age opens a stored private key, and OpenSSL what is inside", .tool("age"), .tool("openssl"), .tool("script"))
  func peers() throws {
    _ = try store.generate("a", passphrase: passphrase)
    let path = store.folder + "/a.key"
    let line = "age -d '\(path)' > '\(home.path)/plain'"
    _ = try Command.run("script", ["-qec", line, "/dev/null"], input: "correct horse\n")
    let shown = try Command.run("openssl", ["pkey", "-in", home.path + "/plain", "-pubout"])
    #expect(try shown.output == store.record("a").text(.pem), "\(shown.errors)")
  }

  @Test(
    "a name that is taken or no name changes nothing", arguments: ["a", "", "../b", ".b", "b/c", "trusted", "b c", "键"])
  func names(name: String) throws {
    _ = try store.generate("a", passphrase: nil)
    let before = files()
    #expect(refusal { try store.generate(name, passphrase: nil) } == (name == "a" ? "key-exists" : "key-name"))
    #expect(files() == before)
  }

  @Test("refusal 25: a revoked key and an expired one sign nothing, before anybody types a passphrase")
  func revoked() throws {
    _ = try store.generate("a", expires: Date(timeIntervalSince1970: 1_800_000_000), passphrase: passphrase)
    let late = #expect(throws: TrustError.self) { try store.signingKey("a", for: .patches, passphrase: nil) }
    #expect(late?.identifier == "key-expired")
    #expect(late?.code.exit.rawValue == 77)
    _ = try store.generate("b", passphrase: passphrase)
    _ = try store.update("b") { $0.revoked = Date(timeIntervalSince1970: 1_700_000_000) }
    let error = #expect(throws: TrustError.self) { try store.signingKey("b", for: .patches, passphrase: nil) }
    #expect(error?.identifier == "key-revoked")
    #expect(error?.code.exit.rawValue == 77)
  }

  @Test("refusal 26: a key signs for its roles only, and for what stands under them")
  func roles() throws {
    let team = try #require(KeyRole(rawValue: "sdk/cart"))
    _ = try store.generate("a", roles: [.snapshot, try #require(KeyRole(rawValue: "sdk"))], passphrase: nil)
    let error = #expect(throws: TrustError.self) { try store.signingKey("a", for: .patches, passphrase: nil) }
    #expect(error?.identifier == "key-not-for-role")
    #expect(error?.code.exit.rawValue == 77)
    #expect(try store.signingKey("a", for: .snapshot, passphrase: nil).verificationKey.scheme == .ed25519)
    #expect(refusal { try store.signingKey("a", for: team, passphrase: nil) } == nil)
    _ = try store.generate("b", passphrase: nil)
    #expect(refusal { try store.signingKey("b", for: .root, passphrase: nil) } == nil)
  }

  @Test("refusal 27: a key whose private half is published is neither kept, nor trusted, nor used from a file")
  func published() throws {
    // RFC 8410 section 10.3.
    let text = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----
      """
    let key = try PrivateKey(pem: text)
    let before = files()
    let error = #expect(throws: TrustError.self) { try store.add(key, "a", passphrase: nil) }
    #expect(error?.identifier == "key-published")
    #expect(error?.code.exit.rawValue == 77)
    let record = KeyRecord(name: "a", publicKey: key.publicKey, created: .now)
    #expect(refusal { try store.trust(record) } == "key-published")
    #expect(files() == before)
    let path = home.path + "/demo.pem"
    #expect(
      FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    #expect(refusal { try store.signingKey(path, for: .patches, passphrase: nil) } == "key-published")
    for byte in [UInt8(0), 1, 0xff] {
      let pem = PEMBlock(label: "PRIVATE KEY", der: key.pkcs8.dropLast(32) + Data(repeating: byte, count: 32)).text
      #expect(refusal { try store.add(PrivateKey(pem: pem), "a", passphrase: nil) } == "key-published", "\(byte)")
    }
  }

  @Test(
    "refusal 66: a private key that others can read or change is not used", arguments: [0o640, 0o604, 0o620, 0o666])
  func permissions(mode: Int) throws {
    _ = try store.generate("a", passphrase: nil)
    let path = store.folder + "/a.key"
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = #expect(throws: TrustError.self) { try store.signingKey("a", for: .patches, passphrase: nil) }
    #expect(error?.identifier == "key-file-permissions")
    #expect(error?.code.exit.rawValue == 77)
  }

  @Test("refusal 67: a wrong passphrase opens nothing, and none is told apart from a wrong one")
  func wrong() throws {
    _ = try store.generate("a", passphrase: passphrase)
    let error = #expect(throws: TrustError.self) {
      try store.signingKey("a", for: .patches, passphrase: SecretBytes(copying: "correct house"))
    }
    #expect(error?.identifier == "passphrase-wrong")
    #expect(error?.code.exit.rawValue == 77)
    #expect(refusal { try store.signingKey("a", for: .patches, passphrase: nil) } == "passphrase-missing")
  }

  @Test("a private key that was exchanged for another one is noticed")
  func exchanged() throws {
    _ = try store.generate("a", passphrase: nil)
    _ = try store.generate("b", passphrase: nil)
    let key = try Data(contentsOf: URL(filePath: store.folder + "/b.key"))
    let handle = try FileHandle(forWritingTo: URL(filePath: store.folder + "/a.key"))
    try handle.write(contentsOf: key)
    try handle.close()
    #expect(refusal { try store.signingKey("a", for: .patches, passphrase: nil) } == "key-record-mismatch")
  }

  @Test(
    "a record whose fingerprint, name or key was edited is damaged",
    arguments: ["fingerprint", "sha256", "key_id", "kind", "name", "roles"])
  func edited(field: String) throws {
    _ = try store.generate("a", passphrase: nil)
    let path = store.folder + "/a.json"
    var members = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any])
    members[field] = field == "roles" ? ["UPPER CASE"] : "rsa"
    try JSONSerialization.data(withJSONObject: members).write(to: URL(filePath: path))
    #expect(refusal { try store.record("a") } == "key-record-malformed")
  }

  @Test("another passphrase replaces the old one")
  func change() throws {
    let record = try store.generate("a", passphrase: passphrase)
    try store.changePassphrase(of: "a", from: passphrase, to: SecretBytes(copying: "new"))
    #expect(refusal { try store.sealedKey("a").open(with: passphrase) } == "passphrase-wrong")
    #expect(try store.sealedKey("a").open(with: SecretBytes(copying: "new")).publicKey == record.publicKey)
  }

  @Test("a removed key is gone, and one that is not there is named with the nearest")
  func remove() throws {
    _ = try store.generate("release", passphrase: nil)
    #expect(refusal { try store.remove("relaese") } == "key-unknown-near")
    try store.remove("release")
    #expect(try store.names().isEmpty)
    #expect(!files().contains { $0.hasSuffix(".key") || $0.hasSuffix(".json") })
    #expect(refusal { try store.record("release") } == "key-unknown")
  }

  @Test("a trusted name does not change to another key, and revoked keys are not among the trusted")
  func trust() throws {
    let one = KeyRecord(name: "team", publicKey: try PrivateKey.generate(.ed25519).publicKey, created: store.now())
    let two = KeyRecord(name: "team", publicKey: try PrivateKey.generate(.p256).publicKey, created: store.now())
    try store.trust(one)
    #expect(refusal { try store.trust(two) } == "key-exists")
    #expect(try store.trustedKeys(for: .patches) == [one])
    _ = try store.update("team", isTrusted: true) { $0.revoked = store.now() }
    #expect(try store.trustedKeys(for: .patches).isEmpty)
  }
}
