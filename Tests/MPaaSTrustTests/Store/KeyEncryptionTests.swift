import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("Files that keys of a store encrypt and decrypt") struct KeyEncryptionTests {
  let folder: TemporaryFolder
  let store: KeyStore
  var plain: String { folder.path + "/plain" }
  var sealed: String { folder.path + "/plain.age" }

  init() throws {
    folder = try TemporaryFolder()
    store = KeyStore(folder: folder.path + "/keys")
    _ = try store.generate("anna", .age, passphrase: nil)
    try Data("secret".utf8).write(to: folder.url.appending(path: "plain"))
  }

  func decrypt(with word: String?) throws -> String {
    let output = folder.path + "/again"
    try store.decrypt(sealed, with: word, into: output) {
      [try $0.open(with: nil)]
    } passphrase: {
      SecretBytes(copying: "correct horse")
    }
    return try String(contentsOfFile: output, encoding: .utf8)
  }

  @Test("open with the key that they are for, and ask for no passphrase")
  func key() throws {
    try store.encrypt(plain, to: ["anna"], armored: true, into: sealed) {
      Issue.record("a passphrase was asked for")
      return SecretBytes(copying: "")
    }
    #expect(try String(contentsOfFile: sealed, encoding: .utf8).hasPrefix("-----BEGIN AGE ENCRYPTED FILE-----"))
    #expect(try decrypt(with: "anna") == "secret")
  }

  @Test("are not made for keys that sign, or are revoked")
  func refused() throws {
    _ = try store.generate("ben", passphrase: nil)
    _ = try store.update("anna") { $0.revoked = Date(timeIntervalSince1970: 0) }
    for word in ["ben", "anna", "carla"] {
      #expect(throws: TrustError.self) {
        try store.encrypt(plain, to: [word], armored: false, into: sealed) { SecretBytes(copying: "") }
      }
    }
    #expect(FileStatus(sealed) == nil)
  }
}
