import Foundation
import MPaaSCodeSignature
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Provisioning profiles, as OpenSSL signs them", .tool("openssl")) struct ProvisioningProfileTests {
  /// A root, a certificate that it has signed, and a profile with the signature of that one.
  struct Made {
    let folder: TemporaryFolder
    let profile: [UInt8]
    let root: X509Certificate
    let leaf: X509Certificate
  }

  private func make(_ curve: String, days: Int = 30, _ options: [String] = []) throws -> Made {
    let folder = try TemporaryFolder()
    func openssl(_ words: String...) throws {
      let outcome = try Command.run("openssl", words, directory: folder.url)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let key = curve == "rsa" ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:\(curve)"]
    func request(_ words: [String]) throws {
      let outcome = try Command.run("openssl", ["req", "-nodes", "-newkey"] + key + words, directory: folder.url)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    try request(["-x509", "-keyout", "root.key", "-out", "root.pem", "-subj", "/CN=Root/O=Example", "-sha384"])
    try request(["-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=Signer/OU=TEAM123456"])
    try Data("subjectKeyIdentifier=hash\n".utf8).write(to: folder.url.appending(path: "extensions"))
    try openssl(
      "x509", "-req", "-extfile", "extensions", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key",
      "-CAcreateserial", "-out",
      "leaf.pem", "-days", "\(days)", "-sha256")
    for name in ["root", "leaf"] {
      try openssl("x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der")
    }
    let leaf = Array(try Data(contentsOf: folder.url.appending(path: "leaf.der")))
    try Data(Self.list(certificate: leaf).utf8).write(to: folder.url.appending(path: "list"))
    let sign = [
      "cms", "-sign", "-in", "list", "-binary", "-nodetach", "-signer", "leaf.pem", "-inkey", "leaf.key", "-certfile",
      "root.pem", "-outform", "DER", "-out", "profile",
    ]
    let outcome = try Command.run("openssl", sign + options, directory: folder.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    func certificate(_ name: String) throws -> X509Certificate {
      try X509Certificate(Bytes(Array(try Data(contentsOf: folder.url.appending(path: name)))))
    }
    return Made(
      folder: folder, profile: Array(try Data(contentsOf: folder.url.appending(path: "profile"))),
      root: try certificate("root.der"), leaf: try certificate("leaf.der"))
  }

  private static func list(certificate: [UInt8]) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>Name</key><string>Demo</string>
    <key>TeamIdentifier</key><array><string>TEAM123456</string></array>
    <key>ExpirationDate</key><date>2027-01-02T03:04:05Z</date>
    <key>ProvisionedDevices</key><array><string>a</string><string>b</string></array>
    <key>DeveloperCertificates</key><array><data>\(Data(certificate).base64EncodedString())</data></array>
    <key>Entitlements</key><dict><key>application-identifier</key><string>TEAM123456.*</string>
    <key>get-task-allow</key><false/>
    <key>keychain-access-groups</key><array><string>TEAM123456.*</string></array></dict></dict></plist>
    """
  }

  @Test(
    "hold with RSA and with elliptic curves, whatever the hash and however the signer is named",
    arguments: [
      ("rsa", []), ("prime256v1", ["-md", "sha256"]), ("secp384r1", ["-md", "sha384"]), ("rsa", ["-md", "sha512"]),
      ("prime256v1", ["-keyid"]), ("rsa", ["-noattr"]), ("rsa", ["-stream", "-indef"]),
    ])
  func holds(curve: String, options: [String]) throws {
    let made = try make(curve, options)
    let profile = try ProvisioningProfile(Bytes(made.profile), anchors: [made.root])
    #expect(profile.signatureHolds && profile.chain?.end == .anchored)
    #expect(profile.chain?.certificates.map(\.subject.short) == ["Signer", "Root"])
    #expect(profile.name == "Demo" && profile.devices == ["a", "b"] && profile.expiration == 1_798_859_045)
    // A byte of the list is another one.
    var changed = made.profile
    let place = try #require(Self.place(of: Array("Demo".utf8), in: changed))
    changed[place] ^= 1
    #expect(try !ProvisioningProfile(Bytes(changed)).signatureHolds)
  }

  private static func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: part) }
  }

  @Test("trust roots of files in DER and in PEM, with text around them")
  func certificateFiles() throws {
    let made = try make("prime256v1")
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: made.folder.url.appending(path: name))) }
    let pem = try Array("Root\n".utf8) + bytes("root.pem") + Array("\n# Signer\n".utf8) + bytes("leaf.pem")
    #expect(try X509Certificate.all(in: Bytes(pem)) == [made.root, made.leaf])
    #expect(try X509Certificate.all(in: Bytes(bytes("root.der"))) == [made.root])
    for bad in [[], Array("-----BEGIN CERTIFICATE-----\nMIIB\n".utf8), Array(pem.dropLast(40)), [0x30, 0x03, 1, 1, 1]] {
      #expect(throws: CodeSignatureError.self) { try X509Certificate.all(in: Bytes(bad)) }
    }
  }

  @Test("allow what they name, and tell what they do not allow")
  func allowances() throws {
    let made = try make("prime256v1")
    let profile = try ProvisioningProfile(Bytes(made.profile))
    #expect(profile.chain?.end == .selfSigned)
    func findings(_ members: [(String, PropertyListValue)], signer: X509Certificate? = nil, at time: Int = 0)
      -> [String]
    {
      profile.findings(entitlements: .dictionary(members), signer: signer, at: time).map {
        $0.id.name + ($0.values["entitlement"].map { " " + $0 } ?? "") + ($0.values["value"].map { " " + $0 } ?? "")
      }
    }
    let always = ["scan-profile-devices", "scan-profile-wildcard"]
    let fine: [(String, PropertyListValue)] = [
      ("application-identifier", .string("TEAM123456.com.example.app")), ("get-task-allow", .boolean(false)),
      ("keychain-access-groups", .array([.string("TEAM123456.a"), .string("TEAM123456.b")])),
    ]
    #expect(findings(fine, signer: made.leaf) == always)
    #expect(findings([], signer: made.root) == ["scan-profile-signer"] + always)
    #expect(findings([], at: 1_800_000_000) == ["scan-profile-expired"] + always)
    #expect(
      findings([
        ("get-task-allow", .boolean(true)), ("aps-environment", .string("production")),
        ("keychain-access-groups", .array([.string("TEAM123456.a"), .string("OTHER.b")])),
      ]) == always + [
        "scan-entitlement-not-allowed get-task-allow true", "scan-entitlement-not-allowed aps-environment",
        "scan-entitlement-not-allowed keychain-access-groups OTHER.b",
      ])
  }
}
