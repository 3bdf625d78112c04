import Foundation
import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Metadata of repositories") struct MetadataTests {
  static let header = MetadataHeader(version: 3, expires: Date(timeIntervalSince1970: 1_900_000_000))

  static func read<Body: MetadataBody>(_ file: SignedMetadata<Body>) throws -> SignedMetadata<Body> {
    try file.encoded.withUnsafeBytes { bytes throws(TrustError) in try SignedMetadata<Body>(reading: bytes) }
  }

  @Test("targets with delegations, custom members and odd names are read as they were written")
  func targets() throws {
    var keys = MetadataKeys()
    let key = try SigningKey.generate(.ecdsaP256)
    keys.insert(key.verificationKey)
    let role = RoleKeys(keyIDs: [key.verificationKey.keyID], threshold: 1)
    var body = TargetsMetadata(header: Self.header)
    body.targets["a \"b\" \\ 补丁"] = TargetFile(
      length: 5, digests: .sha256(of: Data("patch".utf8)), custom: ["line": "one\ntwo"])
    body.delegations = Delegations(
      keys: keys,
      roles: .listed([
        DelegatedRole(name: "patches", keys: role, isTerminating: true, scope: .paths(["patches/*"])),
        DelegatedRole(name: "bins", keys: role, scope: .hashPrefixes(["0", "1f"])),
      ]))
    body.header.unknown = ["x-team": "cart"]
    var file = try SignedMetadata(body)
    try file.sign(with: key)
    let read = try Self.read(file)
    #expect(read.body == body)
    #expect(read.signers(of: role, keys: keys.known) == [key.verificationKey])
  }

  @Test("a role's threshold counts keys, not names of keys")
  func threshold() throws {
    let key = try SigningKey.generate()
    var file = try SignedMetadata(TimestampMetadata(header: Self.header, snapshot: MetaFile(version: 1)))
    try file.sign(with: key)
    let twice = SignedMetadata<TimestampMetadata>.Signature(keyID: "other", value: file.signatures[0].value)
    file.signatures.append(twice)
    let role = RoleKeys(keyIDs: [key.verificationKey.keyID, "other"], threshold: 2)
    let keys: ExactMap = [key.verificationKey.keyID: key.verificationKey, "other": key.verificationKey]
    #expect(throws: TrustError.self) { try file.verify(by: role, keys: keys, name: "timestamp") }
  }
}
