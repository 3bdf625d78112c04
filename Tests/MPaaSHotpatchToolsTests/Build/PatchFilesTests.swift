import Foundation
import MPaaSHotpatch
import MPaaSHotpatchTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSHotpatchTools

@Suite("Building a patch from files") struct PatchFilesTests {
  let folder: TemporaryFolder
  var source: String { folder.path + "/patch" }

  init() throws {
    folder = try TemporaryFolder()
    try Directories.create(folder.path + "/patch")
    try write(BundleSample.script, "patch/main.lua")
    try write("icon", "patch/icon.png")
  }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  @Test("a folder becomes a bundle that passes, with the functions that it patches")
  func bundle() throws {
    let sample = try BundleSample()
    let patch = try PatchFiles(reading: [source])
    #expect(patch.symbols == ["Cart.total"])
    #expect(try patch.entry == "main.lua")
    var builder = sample.builder
    builder.files = patch.files
    let output = folder.path + "/cart.mpatch"
    let built = try builder.write(to: output)
    #expect(built.isReproducible)
    #expect(built.keys == sample.keys.map(\.verificationKey))
    let bytes = try BundlePath.read(output)
    #expect(bytes.count == built.size)
    #expect(try sample.verifier.verify(bytes).files?.map(\.path) == ["icon.png", "main.lua"])
    let inspection = try BundleInspection(reading: bytes)
    #expect(inspection.payloadMatches)
    #expect(inspection.keyIDs == sample.keys.map(\.verificationKey.keyID))
    #expect(BundlePath.names(output))
    #expect(!BundlePath.names(source + "/main.lua"))
  }

  @Test("what the linter refuses is not built")
  func lint() throws {
    try write("local x = = 1\n", "patch/main.lua")
    let error = #expect(throws: TrustError.self) { try PatchFiles(reading: [source]) }
    #expect(error?.identifier == "lua-syntax")
  }

  @Test("an old script has one file, and nothing is written for more")
  func legacy() throws {
    let output = folder.path + "/old.js"
    var warnings: [Diagnostic] = []
    let error = #expect(throws: TrustError.self) {
      try PatchFiles(reading: [source]).writeScript(
        to: output, aesKey: String(repeating: "0", count: 32), rsaKey: folder.path + "/none.pem"
      ) { warnings.append($0) }
    }
    #expect(error?.identifier == "bundle-legacy-one-file")
    #expect(warnings.isEmpty)
    #expect(FileStatus(output) == nil)
  }

  @Test("signers are files of public keys, or keys of the store; where none is named, those for patches")
  func signers() throws {
    let store = KeyStore(folder: folder.path + "/keys")
    _ = try store.generate("patches", roles: [.patches], passphrase: nil)
    _ = try store.generate("root", roles: [.root], passphrase: nil)
    let key = try SigningKey.generate().verificationKey
    try write(key.pem, "other.pem")
    let file = folder.path + "/other.pem"
    let named = try TrustedSigners([file, "root"], of: store, threshold: 2)
    #expect(named.signers.map(\.name) == [file, "root"])
    #expect(named.signers[0].key == key)
    #expect(named.signers[0].record == nil)
    #expect(named.threshold == 2)
    #expect(try TrustedSigners([], of: store, threshold: 1).signers.map(\.name) == ["patches"])
  }

  @Test("the signer of an old script is an RSA key")
  func legacySigner() throws {
    let signers = TrustedSigners(keys: [try SigningKey.generate().verificationKey])
    let error = #expect(throws: TrustError.self) {
      try LegacyScript.signer(of: Bytes(LegacyScript.separator), among: signers, isAllowed: true)
    }
    #expect(error?.identifier == "trust-root-missing")
  }
}
