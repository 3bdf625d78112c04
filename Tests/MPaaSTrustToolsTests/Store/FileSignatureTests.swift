import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Signatures of files") struct FileSignatureTests {
  let folder: TemporaryFolder
  let store: KeyStore
  var file: String { folder.path + "/release.tar" }

  init() throws {
    folder = try TemporaryFolder()
    store = KeyStore(folder: folder.path + "/keys") { Date(timeIntervalSince1970: 1_800_000_000) }
    _ = try store.generate("anna", passphrase: nil)
    try Data("release".utf8).write(to: folder.url.appending(path: "release.tar"))
  }

  func sign(
    _ format: SignatureFormat, comment: String? = nil, by key: String = "anna"
  ) throws -> FileSignature {
    try store.sign(file, with: key, format, comment: comment, to: nil) { keys in try keys.map { try $0.open(with: nil) }
    }
  }

  @Test("lie beside the file, and the comment of minisign is signed too")
  func minisign() throws {
    let signed = try sign(.minisign)
    #expect(signed.signature == file + ".minisig")
    #expect(signed.comment == "timestamp:1800000000\tfile:release.tar")
    #expect(try store.verify(file, by: "anna", prehashed: true) == signed)
    #expect(try sign(.minisign, comment: "1.0").comment == "1.0")
  }

  @Test("of signify are found where minisign has none, and are never over a digest")
  func signify() throws {
    let signed = try sign(.signify)
    #expect(signed.signature == file + ".sig")
    #expect(signed.comment == nil)
    #expect(try store.verify(file, by: "anna") == signed)
    #expect(throws: TrustError(.signatureNotPrehashed)) { try store.verify(file, by: "anna", prehashed: true) }
    _ = try sign(.minisign)
    #expect(FileSignature.path(of: file) == file + ".minisig")
  }

  @Test("are refused for a file that was changed, and by a key of another kind")
  func refused() throws {
    _ = try sign(.minisign)
    try Data("other".utf8).write(to: folder.url.appending(path: "release.tar"))
    let changed = #expect(throws: TrustError.self) { try store.verify(file, by: "anna") }
    #expect(changed?.identifier == "signature-invalid")
    _ = try store.generate("web", .p256, passphrase: nil)
    let kind = #expect(throws: TrustError.self) { try sign(.minisign, by: "web") }
    #expect(kind?.identifier == "key-not-minisign")
  }
}
