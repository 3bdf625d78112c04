import Foundation
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatch

@Suite("Bundles") struct BundleTests {
  @Test("a bundle is accepted by its signers' keys, and says what it is for")
  func accepted() throws {
    var sample = try BundleSample(keys: 2)
    sample.files = ["main.lua": BundleSample.script, "lib/tax.lua": "return 1\n", "images/badge.png": ""]
    let verified = try sample.verifier.verify(Bytes(try sample.bundle()))
    #expect(verified.manifest.app == "com.example.shop")
    #expect(verified.manifest.version.text == "1.2")
    #expect(verified.manifest.notes == "Totals.\n\n修正总价。")
    #expect(verified.files?.map(\.path) == ["images/badge.png", "lib/tax.lua", "main.lua"])
    #expect(verified.files?.last?.text == BundleSample.script)
    #expect(Set(verified.signatures.map(\.key)) == Set(sample.keys.map(\.verificationKey)))
    #expect(
      verified.checks == [.container, .envelope, .signatures, .manifest, .keys, .payloadDigest, .decryption, .files])
  }

  @Test("without an identity the content is not looked at, and the result says so")
  func unopened() throws {
    let sample = try BundleSample()
    let verified = try sample.verifier(threshold: 1, opening: false).verify(Bytes(try sample.bundle()))
    #expect(verified.files == nil)
    #expect(verified.checks.last == .payloadDigest)
  }

  @Test("app and channel are checks of their own where they are asked for")
  func target() throws {
    let sample = try BundleSample()
    var verifier = sample.verifier
    verifier.app = "com.example.shop"
    verifier.channel = "stable"
    let checks = try verifier.verify(Bytes(try sample.bundle())).checks
    #expect(checks.contains(.app))
    #expect(checks.contains(.channel))
  }

  @Test("the same input and keys give the same bytes, in whatever order keys and files come")
  func reproducible() throws {
    var sample = try BundleSample(keys: 2)
    sample.files["a.lua"] = "return 1"
    let bundle = try sample.bundle()
    #expect(sample.builder.isReproducible)
    var builder = sample.builder
    builder.keys.reverse()
    builder.files.sort { $0.path > $1.path }
    #expect(try builder.build().bytes == bundle)
  }

  @Test("another text, recipient, manifest or key gives another encryption")
  func seeds() throws {
    let sample = try BundleSample()
    let other = AgeIdentity.generate()
    func payload(_ change: (inout BundleBuilder) throws -> Void = { _ in }) throws -> [UInt8] {
      var builder = sample.builder
      try change(&builder)
      return try BundleContainer(reading: Bytes(try builder.build().bytes)).payload.array
    }
    let all = try [
      payload(), payload { $0.files[0] = PayloadFile(path: "main.lua", contents: Bytes(Array("return 1".utf8))) },
      payload { $0.recipients = [try #require(other.recipient)] }, payload { $0.manifest.notes = "" },
      payload { $0.keys = [try SigningKey.generate()] },
    ]
    // The nonce follows the header: no two are alike, nor are the recipients' keys.
    #expect(Set(all.map { Array($0.prefix(80)) }).count == all.count)
    #expect(try payload() == all[0])
  }

  @Test("signatures that are random make a bundle that is not reproducible, which is known beforehand")
  func randomSignatures() throws {
    var builder = try BundleSample().builder
    builder.keys.append(try SigningKey.generate(.ecdsaP256))
    #expect(!builder.isReproducible)
    #expect(try builder.build().bytes != builder.build().bytes)
  }

  @Test("a bundle is at most 6 KiB larger than a file, and 1.5 KiB for each further one")
  func overhead() throws {
    for keys in [1, 3] {
      var sample = try BundleSample(keys: keys)
      for index in 0..<4 { sample.files["lib/part\(index).lua"] = String(repeating: "-- x\n", count: 1000 * index) }
      let size = sample.files.values.reduce(0) { $0 + $1.utf8.count }
      #expect(try sample.bundle().count - size <= 6144 + 4 * 1536)
      sample.files = ["main.lua": BundleSample.script]
      #expect(try sample.bundle().count - BundleSample.script.utf8.count <= 6 << 10)
    }
  }

  @Test("what a reader would refuse is not built")
  func notBuilt() throws {
    let sample = try BundleSample()
    func refusal(_ change: (inout BundleBuilder) -> Void) -> String? {
      var builder = sample.builder
      change(&builder)
      do {
        _ = try builder.build()
        return nil
      } catch {
        return error.identifier
      }
    }
    #expect(refusal { $0.keys = [] } == "bundle-no-keys")
    #expect(refusal { $0.recipients = [] } == "age-recipients")
    #expect(refusal { $0.files = [] } == "manifest-schema")
    #expect(refusal { $0.files = [PayloadFile(path: "../x", contents: .empty)] } == "payload-path")
    #expect(refusal { $0.manifest.app = "a b" } == "manifest-schema")
    #expect(refusal { $0.manifest.notes = "a\u{202e}b" } == "json-string-not-clean")
    #expect(refusal { $0.manifest.expires = $0.manifest.issued } == "manifest-schema")
    #expect(refusal { $0.manifest.symbols = ["b", "a"] } == "manifest-schema")
    #expect(refusal { $0.limits.payload = 100 } != nil)
  }
}
