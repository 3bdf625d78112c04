import Foundation
import MPaaSAppPackage
import MPaaSAppPackageTestSupport
import MPaaSDigests
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Facts of a build") struct AppPackageTests {
  @Test("are those that Python finds in an app of another project, zipped by Python", .fixtures, .tool("python3"))
  func real() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/Test.ipa"
    let script = """
      import json, os, plistlib, sys, zipfile
      root, path = sys.argv[1:]
      with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as z:
          for folder, _, names in os.walk(root):
              for name in names:
                  p = os.path.join(folder, name)
                  z.write(p, 'Payload/isignTestApp.app/' + os.path.relpath(p, root))
      d = plistlib.load(open(root + '/Info.plist', 'rb'))
      print(json.dumps([d.get('CFBundleDisplayName', d['CFBundleName']), d['CFBundleIdentifier'],
          d['CFBundleShortVersionString'], d['CFBundleVersion'], d['MinimumOSVersion']]))
      """
    let outcome = try Command.run("python3", ["-c", script, Fixture.path("scan/isign-Test.app"), path])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let told = try JSONDecoder().decode([String].self, from: Data(outcome.output.utf8))
    let package = try AppPackage(Bytes.mapping(path))
    let facts = [package.name, package.identifier, package.version, package.build, package.minimumSystem]
    #expect(facts == told && package.kind == .ipa && package.signature == nil)
  }

  @Test(
    "of an Android app come from its compiled files, with UTF-8 or UTF-16, in the usual language",
    arguments: [true, false])
  func android(isWide: Bool) throws {
    let package = try AppPackage(Bytes(SampleBuild.apk(name: "商店", isWide: isWide)))
    #expect(package.kind == .apk && package.name == "商店" && package.identifier == "com.example.shop")
    #expect(package.version == "1.2" && package.build == "34" && package.minimumSystem == "24")
    #expect(package.signature == nil)
  }

  @Test("of an archive of Xcode's come from its list")
  func xcode() throws {
    let package = try AppPackage(Bytes(SampleBuild.xcarchive()))
    #expect(package.kind == .xcarchive && package.name == "Shop" && package.identifier == "com.example.shop")
    #expect(package.version == "1.2" && package.build == "34" && package.signature?.team == "TEAM123456")
  }

  @Test("have no line ends and no lengths that no name has")
  func plain() throws {
    let package = try AppPackage(Bytes(SampleBuild.ipa(name: "a\nb" + String(repeating: "c", count: 1000))))
    #expect(package.name.hasPrefix("abc") && package.name.count == 200)
  }

  /// A certificate in DER.
  static func certificate(in folder: TemporaryFolder) throws -> [UInt8] {
    let words = [
      "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-keyout", "key.pem", "-out", "cert.pem", "-subj",
      "/CN=Signer/OU=TEAM123456",
    ]
    for call in [words, ["x509", "-in", "cert.pem", "-outform", "DER", "-out", "cert.der"]] {
      let outcome = try Command.run("openssl", call, directory: folder.url)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    return Array(try Data(contentsOf: folder.url.appending(path: "cert.der")))
  }

  @Test("name the certificate that signed an Android app, by the newest scheme", .tool("openssl"))
  func signer() throws {
    let folder = try TemporaryFolder()
    let certificate = try Self.certificate(in: folder)
    let two = SampleBuild.signed(SampleBuild.apk(), certificate)
    let package = try AppPackage(Bytes(two))
    #expect(package.signature?.scheme == "v2")
    #expect(package.signature?.certificate == certificate.sha256.hexadecimal)
    let three = try AppPackage(Bytes(SampleBuild.signed(SampleBuild.apk(), certificate, id: 0xf053_68c0)))
    #expect(three.signature?.scheme == "v3" && three.signature?.certificate == certificate.sha256.hexadecimal)
  }

  /// A provisioning profile as Apple's are: a list inside a signed message.
  private func profile(_ terms: String, in folder: TemporaryFolder) throws -> [UInt8] {
    let list = SampleBuild.list(
      ["Name": "Shop profile"],
      more: """
        <key>TeamIdentifier</key><array><string>TEAM123456</string></array>
        <key>ExpirationDate</key><date>2027-01-02T03:04:05Z</date>\(terms)
        """)
    try Data(list.utf8).write(to: folder.url.appending(path: "list"))
    let outcome = try Command.run(
      "openssl",
      [
        "cms", "-sign", "-in", "list", "-binary", "-nodetach", "-signer", "cert.pem", "-inkey", "key.pem", "-outform",
        "DER", "-out", "profile",
      ], directory: folder.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return Array(try Data(contentsOf: folder.url.appending(path: "profile")))
  }

  @Test("tell by the profile where an app may run, and until when", .tool("openssl"))
  func profiles() throws {
    let folder = try TemporaryFolder()
    _ = try Self.certificate(in: folder)
    let devices = "<key>ProvisionedDevices</key><array><string>a</string></array>"
    func entitlements(_ debug: Bool) -> String {
      "<key>Entitlements</key><dict><key>get-task-allow</key><\(debug)/></dict>"
    }
    let cases: [(String, AppPackage.Signature.Distribution)] = [
      (devices + entitlements(true), .development), (devices + entitlements(false), .adHoc),
      ("<key>ProvisionsAllDevices</key><true/>" + entitlements(false), .enterprise), (entitlements(false), .store),
    ]
    for (terms, distribution) in cases {
      let package = try AppPackage(Bytes(SampleBuild.ipa(profile: try profile(terms, in: folder))))
      let signature = try #require(package.signature)
      #expect(signature.distribution == distribution && signature.team == "TEAM123456")
      #expect(signature.profile == "Shop profile" && signature.expires == 1_798_859_045)
    }
  }
}
