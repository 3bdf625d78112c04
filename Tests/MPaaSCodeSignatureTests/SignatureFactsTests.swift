import Foundation
import MPaaSCodeSignature
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Facts of code signatures", .fixtures) struct SignatureFactsTests {
  /// The parts of the oracle's answer that are compared.
  struct Expected: Decodable {
    struct Signature: Decodable {
      let directories: [SignatureFacts.Directory]
      let cmsSignatureHolds: Bool?
      let entitlements: String?
    }
    let signature: Signature?
  }

  static let files = [
    "32bitplist", "Demo_dylib", "adhoc_arm64", "allowed_cdhash", "arc", "badbinary",
    "cert_hash_allowed_signingid_blocked", "goodcert", "plain_arm64", "x86_nopie_adhoc",
  ]

  @Test("are those of the oracle: own reader and openssl", arguments: files)
  func oracle(file: String) throws {
    let expected = try JSONDecoder().decode(
      [String: [Expected]].self, from: Fixture.data("scan/macho/expected.json"))
    try compare(SignedImage.all(in: SignedImage.fixture("macho/" + file)), #require(expected[file]))
  }

  @Test("of an app of 2015, signed by SHA-1 alone, are those of the oracle")
  func app() throws {
    let expected = try JSONDecoder().decode(
      [String: [Expected]].self, from: Fixture.data("scan/isign-Test.app.expected.json"))
    try compare(
      SignedImage.all(in: SignedImage.fixture("isign-Test.app/isignTestApp")), #require(expected["isignTestApp"]))
  }

  private func compare(_ images: [SignedImage?], _ expected: [Expected]) throws {
    #expect(images.count == expected.count)
    for (image, expected) in zip(images, expected) {
      guard let wanted = expected.signature else {
        #expect(image == nil)
        continue
      }
      let check = SignatureCheck(try #require(image).signature)
      #expect(check.facts.directories == wanted.directories)
      #expect(check.facts.cmsSignatureHolds == wanted.cmsSignatureHolds)
      #expect((check.entitlements == nil) == (wanted.entitlements == nil))
    }
  }

  @Test("print null where there is no team and no signer")
  func nulls() throws {
    let check = SignatureCheck(try SignedImage.first(of: "macho/adhoc_arm64").signature)
    let json = try #require(String(data: JSONEncoder().encode(check.facts), encoding: .utf8))
    #expect(json.contains("\"team\":null") && json.contains("\"cmsSignatureHolds\":null"))
    #expect(check.isAdHoc && check.flags.contains([.adHoc, .linkerSigned]))
  }

  @Test(
    "name exactly the page of a flipped byte",
    arguments: ["macho/adhoc_arm64", "macho/goodcert", "isign-Test.app/isignTestApp"])
  func flippedByte(file: String) throws {
    for image in try SignedImage.all(in: SignedImage.fixture(file)).compactMap({ $0 }) {
      let directory = try image.signature.directories[0]
      for page in 0..<directory.pageCount {
        let range = directory.range(of: page)
        for place in [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound - 1] {
          let changed = image.changed { $0[place] ^= 1 << UInt8(page % 8) }
          #expect(try changed.signature.badPages() == [[page]], "page \(page), byte \(place)")
        }
      }
    }
  }
}

@Suite("What a signature says", .fixtures) struct SignatureContentTests {
  @Test("is printed as csreq prints it")
  func requirements() throws {
    #expect(
      SignatureCheck(try SignedImage.first(of: "macho/goodcert").signature).requirements == [
        "designated => identifier goodcert and certificate root = H\"a6843b655e811f43f07b0ae1b34ae8c7874b3d63\""
      ])
    #expect(
      SignatureCheck(try SignedImage.first(of: "macho/cert_hash_allowed_signingid_blocked").signature).requirements
        == [
          "designated => identifier \"com.google.blocked_signing_id\" and anchor apple generic and "
            + "certificate leaf[subject.CN] = \"Apple Development: Google Development (69FHSU289T)\" and "
            + "certificate 1[field.1.2.840.113635.100.6.2.1] /* exists */"
        ])
  }

  @Test("tells the signer, his chain and when he signed")
  func chain() throws {
    let check = SignatureCheck(try SignedImage.first(of: "macho/cert_hash_allowed_signingid_blocked").signature)
    let chain = try #require(check.chain)
    #expect(
      chain.certificates.map(\.subject.short) == [
        "Apple Development: Google Development (69FHSU289T)",
        "Apple Worldwide Developer Relations Certification Authority", "Apple Root CA",
      ])
    #expect(chain.end == .selfSigned && chain.endName == "Apple Root CA")
    #expect(check.signingTime == 1_683_217_798)
    #expect(check.findings.map(\.id) == ["scan-signature-not-judged"])
    #expect(check.findings.first?.values["end"] == "Apple Root CA")
  }

  @Test("ends at a root that the caller trusts, and at none where he trusts another one")
  func anchors() throws {
    let signature = try SignedImage.first(of: "macho/cert_hash_allowed_signingid_blocked").signature
    let root = try #require(SignatureCheck(signature).chain?.certificates.last)
    let trusting = SignatureCheck(signature, with: .init(anchors: [root]))
    #expect(trusting.chain?.end == .anchored && trusting.findings.isEmpty)
    let other = try #require(SignatureCheck(SignedImage.first(of: "macho/goodcert").signature).chain?.certificates[0])
    let refusing = SignatureCheck(signature, with: .init(anchors: [other]))
    #expect(refusing.findings.map(\.id) == ["scan-signature-untrusted"])
  }

  @Test("holds no longer when a byte of a directory is another one, though the pages hold")
  func changedDirectory() throws {
    let image = try SignedImage.first(of: "macho/goodcert")
    let directory = try image.signature.directories[0]
    // The first letter of the identifier.
    let place = Int(directory.offset) + directory.bytes.array.count - 13 * 32 - 2 * 32 - "goodcert".utf8.count - 1
    let check = SignatureCheck(try image.changed { $0[place] ^= 1 }.signature)
    #expect(check.facts.directories[0].identifier == "foodcert" && check.facts.directories[0].badPages.isEmpty)
    #expect(check.facts.cmsSignatureHolds == false)
    #expect(Set(check.findings.map(\.id)).isSuperset(of: ["scan-signature-signer", "scan-signature-cdhashes"]))
  }

  @Test("covers Info.plist and the sealed resources")
  func outside() throws {
    let infoPlist = Bytes(try SignedImage.fixture("isign-Test.app/Info.plist"))
    let resources = Bytes(try SignedImage.fixture("isign-Test.app/_CodeSignature/CodeResources"))
    let signature = try SignedImage.first(of: "isign-Test.app/isignTestApp").signature
    let whole = SignatureCheck(signature, with: .init(infoPlist: infoPlist, resources: resources))
    #expect(!whole.findings.contains { $0.id.name.hasPrefix("scan-signature-part") })
    var changed = infoPlist.array
    changed[200] ^= 1
    let check = SignatureCheck(signature, with: .init(infoPlist: Bytes(changed), resources: resources))
    let finding = try #require(check.findings.first { $0.id == "scan-signature-part-changed" })
    #expect(finding.values["part"] == "Info.plist")
    #expect(check.entitlementFindings().map(\.id) == ["scan-entitlement-debug"])
  }
}
