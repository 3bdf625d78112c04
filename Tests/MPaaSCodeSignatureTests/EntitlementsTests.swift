import MPaaSCodeSignature
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Entitlements and parts of a signature") struct EntitlementsTests {
  private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
  private static func pair(_ key: String, _ value: [UInt8]) -> [UInt8] {
    tagged(0x30, tagged(0x0c, Array(key.utf8)) + value)
  }

  private static let list = Array(
    """
    <plist version="1.0"><dict><key>keychain-access-groups</key><array><string>T.*</string></array>
    <key>get-task-allow</key><true/><key>count</key><integer>300</integer></dict></plist>
    """.utf8)

  private static func der(debug: Bool, isOld: Bool = false) -> [UInt8] {
    let members =
      pair("count", [0x02, 0x02, 0x01, 0x2c]) + pair("get-task-allow", [0x01, 0x01, debug ? 0xff : 0])
      + pair("keychain-access-groups", tagged(0x30, tagged(0x0c, Array("T.*".utf8))))
    return isOld ? tagged(0x31, members) : tagged(0x70, [0x02, 0x01, 0x01] + tagged(0xb0, members))
  }

  private func made(_ der: [UInt8]) -> MadeSignature {
    MadeSignature(
      code: [UInt8](repeating: 7, count: 10_000),
      parts: [5: MadeSignature.blob(0xfade_7171, Self.list), 7: MadeSignature.blob(0xfade_7172, der)])
  }

  @Test("in DER say what those in XML say, in either form of DER", arguments: [false, true])
  func same(isOld: Bool) throws {
    let check = SignatureCheck(try made(Self.der(debug: true, isOld: isOld)).signature)
    #expect(check.findings.map(\.id) == ["scan-signature-adhoc"])
    #expect(check.entitlementFindings().map(\.id) == ["scan-entitlement-debug", "scan-entitlement-wildcard"])
  }

  @Test("that differ are named by their keys")
  func different() throws {
    let check = SignatureCheck(try made(Self.der(debug: false)).signature)
    let finding = try #require(check.findings.first { $0.id == "scan-entitlements-differ" })
    #expect(finding.values["keys"] == "get-task-allow")
  }

  @Test("that are no entitlements are findings with the part's place")
  func malformed() throws {
    for der in [
      [], [0x30], [0x70, 0x80], [UInt8](repeating: 0x30, count: 200), Self.tagged(0x70, [0x01, 0x01, 0xff]),
    ] {
      let signature = try made(der).signature
      let finding = try #require(
        SignatureCheck(signature).findings.first { $0.id == "scan-signature-malformed" }, "\(der)")
      #expect(finding.values["part"] == "DER entitlements" && finding.offset != nil)
    }
  }

  @Test("are sealed by each directory, as all parts are")
  func sealed() throws {
    var signature = made(Self.der(debug: true))
    signature.hashes = [.sha1, .sha256, .sha384]
    signature.sealed = [5: Array("other".utf8), 3: Array("resources".utf8)]
    let check = SignatureCheck(
      try signature.signature, with: .init(infoPlist: Bytes([1, 2]), resources: Bytes(Array("resources".utf8))))
    #expect(check.facts.directories.map(\.hash) == ["sha1", "sha256", "sha384"])
    #expect(check.facts.directories.allSatisfy { $0.team == "TEAM123456" && $0.badPages.isEmpty })
    let changed = check.findings.filter { $0.id == "scan-signature-part-changed" }
    #expect(changed.map { $0.values["hash"] } == ["sha1", "sha256", "sha384"])
    #expect(changed.allSatisfy { $0.values["part"] == "entitlements" })
    #expect(check.findings.filter { $0.id == "scan-signature-part-unsealed" }.count == 3)
  }

  @Test("are judged beside pages, of which a changed one is named for each directory")
  func pages() throws {
    var signature = made(Self.der(debug: true))
    signature.hashes = [.sha1, .truncatedSHA256, .sha384]
    var bytes = signature.slice.array
    bytes[9_999] ^= 1
    let size = bytes.count - 10_000
    let changed = try CodeSignature(slice: Bytes(bytes), offset: 10_000, size: UInt64(size))
    #expect(changed.badPages() == [[2], [2], [2]])
    #expect(
      SignatureCheck(changed).findings.filter { $0.id == "scan-signature-page" }.map(\.offset) == [8_192, 8_192, 8_192])
  }
}
