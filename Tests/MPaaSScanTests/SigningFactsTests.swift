import Foundation
import MPaaSTestSupport
import Testing

@Suite("Terms of a signature", .fixtures) struct SigningFactsTests {
  /// The terms as `mpaas scan --json` has them, of the first image of a file.
  private func signing(_ name: String) throws -> NSDictionary {
    let facts = try #require(try ScanFactsTests.facts(of: "scan/macho/\(name)").first)
    return try #require(facts["signing"] as? NSDictionary)
  }

  /// As `openssl cms` and `openssl pkcs7` tell of the same bytes.
  @Test("name the signer, the issuers up to a root that signed itself, and the day")
  func issued() throws {
    let chain = [
      [
        "name": "Apple Development: Google Development (69FHSU289T)", "from": "2023-02-13", "until": "2024-02-13",
      ],
      [
        "name": "Apple Worldwide Developer Relations Certification Authority", "from": "2020-02-19",
        "until": "2030-02-20",
      ],
      ["name": "Apple Root CA", "from": "2006-04-25", "until": "2035-02-09"],
    ]
    let signing = try signing("cert_hash_allowed_signingid_blocked")
    #expect(
      signing == [
        "adHoc": false, "flags": 0, "hardenedRuntime": false, "runtimeVersion": NSNull(), "libraryValidation": false,
        "day": "2023-05-04", "chain": chain, "chainEnd": "self-signed",
      ])
  }

  @Test("tell a certificate that no one else has signed")
  func selfSigned() throws {
    let signing = try signing("goodcert")
    #expect(
      signing == [
        "adHoc": false, "flags": 0, "hardenedRuntime": false, "runtimeVersion": NSNull(), "libraryValidation": false,
        "day": "2021-10-15", "chain": [["name": "localhost", "from": "2021-10-15", "until": "2021-10-25"]],
        "chainEnd": "self-signed",
      ])
  }

  @Test("of an ad hoc signature are its flags alone")
  func adHoc() throws {
    let signing = try signing("adhoc_arm64")
    #expect(
      signing == [
        "adHoc": true, "flags": 0x20002, "hardenedRuntime": false, "runtimeVersion": NSNull(),
        "libraryValidation": false, "day": NSNull(), "chain": [], "chainEnd": NSNull(),
      ])
  }
}
