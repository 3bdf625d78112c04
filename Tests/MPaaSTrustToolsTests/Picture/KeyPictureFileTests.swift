import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSTrustTools

@Suite("A key picture in a file") struct KeyPictureFileTests {
  static let bundle = "com.example.shop"
  let folder: TemporaryFolder
  var path: String { folder.path + "/keys.png" }

  init() throws {
    folder = try TemporaryFolder()
  }

  func make(passphrase: String? = nil) throws {
    var pairs = KeyPairs()
    try pairs.set("gateway", "s3cr3t")
    try KeyPictureFile.make(pairs, carrier: nil, at: path, bundleIdentifier: Self.bundle) {
      passphrase.map { SecretBytes(copying: $0) }
    }
  }

  @Test("is changed in place, and asks for no passphrase where it has none")
  func edit() throws {
    try make()
    let file = try KeyPictureFile(path, bundleIdentifier: Self.bundle) { throw TrustError(.passphraseMissing) }
    #expect(!file.isProtected)
    let pairs = try file.edit { pairs in
      try pairs.add("push=a=b")
      try pairs.remove(["gateway"])
    }
    #expect(pairs.values == ["push": "a=b"])
    let again = try KeyPictureFile(path, bundleIdentifier: Self.bundle) { throw TrustError(.passphraseMissing) }
    #expect(try again.picture.editable == pairs)
  }

  @Test("a change that fails leaves the file as it was")
  func refused() throws {
    try make()
    let before = try Data(contentsOf: URL(filePath: path))
    let file = try KeyPictureFile(path, bundleIdentifier: Self.bundle) { throw TrustError(.passphraseMissing) }
    #expect(throws: TrustError(.keyPairUnknown, ["name": "none"])) { try file.edit { try $0.remove(["none"]) } }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("of another app is refused with its path")
  func otherApp() throws {
    try make()
    let error = #expect(throws: TrustError.self) {
      try KeyPictureFile(path, bundleIdentifier: "com.example.bank") { throw TrustError(.passphraseMissing) }
    }
    #expect(error?.identifier == "key-picture-closed")
    #expect(error?.place == .file(path))
  }

  @Test("pairs are lines or an object of JSON, and the line of a mistake is told")
  func text() throws {
    var pairs = KeyPairs()
    try pairs.add(Bytes(Array("# keys\n\na=1\r\nb=2=3\n".utf8)), name: "keys.txt")
    try pairs.add(Bytes(Array(#" {"c": "4"}"#.utf8)), name: "keys.json")
    #expect(pairs.values == ["a": "1", "b": "2=3", "c": "4"])
    #expect(throws: TrustError(.keyPairsMalformed, ["path": "keys.txt", "line": "2"])) {
      try pairs.add(Bytes(Array("a=1\nb\n".utf8)), name: "keys.txt")
    }
    #expect(throws: TrustError(.keyPairsMalformed, ["path": "keys.json", "line": "1"])) {
      try pairs.add(Bytes(Array(#"{"c": 4}"#.utf8)), name: "keys.json")
    }
  }

  @Test("the value in a file ends before the last line end")
  func value() throws {
    for (text, value) in [("v\n", "v"), ("v\r\n", "v"), ("v\n\n", "v\n"), ("v", "v")] {
      try Data(text.utf8).write(to: folder.url.appending(path: "value"))
      #expect(try KeyPairs.value(in: folder.path + "/value") == value)
    }
  }
}
