import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The private keys of a store at work") struct KeyUseTests {
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

  @Test("open the files that are for them, and ask for no passphrase")
  func key() throws {
    try store.encrypt(plain, to: ["anna"], armored: true, into: sealed) {
      Issue.record("a passphrase was asked for")
      return SecretBytes(copying: "")
    }
    #expect(try String(contentsOfFile: sealed, encoding: .utf8).hasPrefix("-----BEGIN AGE ENCRYPTED FILE-----"))
    #expect(try decrypt(with: "anna") == "secret")
  }

  @Test("get no files where they sign, or are revoked")
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

  @Test("come out as text for other programs, signify's without a passphrase only")
  func export() throws {
    _ = try store.generate("ben", passphrase: nil)
    let text = try store.privateText(of: "ben", .pem, unencrypted: true) {
      [try $0.open(with: nil)]
    } passphrase: { _ in
      Issue.record("a passphrase was asked for")
      return SecretBytes(copying: "")
    }
    let key = try KeyFile(SecretBytes(copying: text), name: "text").open(with: nil, name: "text")
    #expect(try key.publicKey == store.record("ben").publicKey)
    #expect(throws: TrustError(.signifyNoPassphrase)) {
      try store.privateText(of: "ben", .signify, unencrypted: false) { _ in
        Issue.record("the key was opened")
        return []
      } passphrase: { _ in
        SecretBytes(copying: "")
      }
    }
  }
}
