import Foundation
import MPaaSCodeSignature
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Readers of signatures", .fixtures) struct SignatureFuzzTests {
  @Test(
    "take or refuse any change of a signature, and never end the program",
    arguments: ["macho/goodcert", "macho/cert_hash_allowed_signingid_blocked", "isign-Test.app/isignTestApp"])
  func mutations(file: String) throws {
    let image = try SignedImage.first(of: file)
    // The code before it is hashed again for each change: little of it will do.
    var random = SeededRandom(seed: 28)
    let area = Int(image.offset)..<Int(image.offset + image.size)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      let changed = image.changed { bytes in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          // Heads of blobs stand in the first part.
          let place = Int.random(in: area.lowerBound..<area.lowerBound + 9_000, using: &random)
          guard area.contains(place) else { continue }
          bytes[place] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0xff
        }
      }
      if let signature = try? changed.signature {
        let check = SignatureCheck(signature)
        _ = check.entitlementFindings()
      }
    }
  }

  @Test("take or refuse a signature that is cut anywhere", arguments: ["macho/goodcert"])
  func cuts(file: String) throws {
    let image = try SignedImage.first(of: file)
    for size in stride(from: 0, through: Int(image.size), by: 37) {
      if let signature = try? CodeSignature(slice: image.slice, offset: image.offset, size: UInt64(size)) {
        _ = SignatureCheck(signature)
      }
    }
    for offset in [UInt64.max, UInt64(image.slice.count), image.offset + 1] {
      #expect(throws: CodeSignatureError.self) {
        try CodeSignature(slice: image.slice, offset: offset, size: image.size)
      }
    }
  }

  @Test("take or refuse any change of the list of sealed resources and of a message")
  func otherMutations() throws {
    let list = try SignedImage.fixture("isign-Test.app/_CodeSignature/CodeResources")
    let message = try #require(SignedImage.first(of: "macho/goodcert").signature.signedData).array
    var random = SeededRandom(seed: 29)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      for original in [list, message] {
        var bytes = original
        for _ in 0..<3 { bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
        _ = try? SealedResources(Bytes(bytes))
        _ = try? ProvisioningProfile(Bytes(bytes))
        if let message = try? CMSMessage(Bytes(bytes)) {
          _ = message.holds([1, 2, 3])
          _ = message.chain()
        }
      }
    }
  }
}
