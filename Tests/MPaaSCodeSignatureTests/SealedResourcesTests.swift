import Foundation
import MPaaSCodeSignature
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Sealed resources", .fixtures) struct SealedResourcesTests {
  private func resources() throws -> SealedResources {
    try SealedResources(Bytes(SignedImage.fixture("isign-Test.app/_CodeSignature/CodeResources")))
  }

  private static let files = [
    "Info.plist", "PkgInfo", "isignTestApp", "Frameworks/libswiftContacts.dylib", "_CodeSignature/CodeResources",
  ]

  private func paths(_ findings: [SignatureFinding], _ id: DiagnosticID) -> [String] {
    findings.filter { $0.id == id }.compactMap { $0.values["path"] }
  }

  @Test("name the files that the app lacks, and none of those that it has")
  func missing() throws {
    var check = SealedResourcesCheck(try resources(), executable: "isignTestApp")
    for file in Self.files { check.add(file, content: Bytes(try SignedImage.fixture("isign-Test.app/" + file))) }
    let findings = check.findings()
    #expect(paths(findings, "scan-resource-changed").isEmpty && paths(findings, "scan-resource-added").isEmpty)
    let missing = paths(findings, "scan-resource-missing")
    #expect(missing.contains("Assets.car") && missing.contains("Frameworks/libswiftCore.dylib"))
    // Optional languages may be absent.
    #expect(!missing.contains { $0.hasPrefix("Base.lproj/") || Self.files.contains($0) })
  }

  @Test("name a file that was changed and one that was added")
  func changed() throws {
    var check = SealedResourcesCheck(try resources(), executable: "isignTestApp")
    check.add("PkgInfo", content: Bytes(Array("APPL!!!!".utf8)))
    check.add("Assets.car", content: Bytes(Array("other".utf8)))
    check.add("more.js", content: .empty)
    check.add("folder/.DS_Store", content: .empty)
    check.add("de.lproj/locversion.plist", content: .empty)
    #expect(paths(check.findings(), "scan-resource-changed").contains("Assets.car"))
    #expect(paths(check.findings(), "scan-resource-added") == ["more.js"])
  }

  @Test("of version 2 hold links and code by their own seals")
  func versionTwo() throws {
    let text = """
      <plist version="1.0"><dict><key>files2</key><dict>
      <key>Link</key><dict><key>symlink</key><string>A</string></dict>
      <key>Frameworks/X.framework</key><dict><key>cdhash</key><data>AQIDBAUGBwgJCgsMDQ4PEBESExQ=</data>
      <key>requirement</key><string>anchor apple</string></dict>
      </dict><key>rules2</key><dict><key>^</key><true/></dict></dict></plist>
      """
    var check = SealedResourcesCheck(try SealedResources(Bytes(Array(text.utf8))), executable: nil)
    #expect(check.nestedCode == ["Frameworks/X.framework"])
    check.add("Link", linkTo: "B")
    check.add("Frameworks/X.framework/X", content: .empty)
    check.add("Frameworks/X.framework", cdhashes: [[1]])
    #expect(paths(check.findings(), "scan-resource-changed") == ["Link"])
    #expect(paths(check.findings(), "scan-resource-code") == ["Frameworks/X.framework"])
    #expect(paths(check.findings(), "scan-resource-added").isEmpty)
  }
}
