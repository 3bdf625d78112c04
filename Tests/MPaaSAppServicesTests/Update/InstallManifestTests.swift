import Foundation
import MPaaSAppServicesTools
import MPaaSSupport
import Testing

@Suite("The manifest of an app") struct InstallManifestTests {
  @Test("is a property list as iOS reads it, and its link leads to it")
  func plist() throws {
    let manifest = try InstallManifest(
      packageURL: "https://e.com/a.ipa?x=1&y=2", bundleIdentifier: "com.e.shop", bundleVersion: "1.1",
      title: "Shop & Co",
      displayImage: "https://e.com/57.png")
    let list =
      try PropertyListSerialization.propertyList(from: Data(manifest.plist.utf8), format: nil) as? [String: Any]
    let item = try #require((list?["items"] as? [[String: Any]])?.first)
    let assets = try #require(item["assets"] as? [[String: String]])
    #expect(
      assets == [
        ["kind": "software-package", "url": "https://e.com/a.ipa?x=1&y=2"],
        ["kind": "display-image", "url": "https://e.com/57.png"],
      ])
    #expect(
      item["metadata"] as? [String: String] == [
        "bundle-identifier": "com.e.shop", "bundle-version": "1.1", "kind": "software", "title": "Shop & Co",
      ])
    #expect(
      InstallManifest.link(to: "https://e.com/m.plist?a=b")
        == "itms-services://?action=download-manifest&url=https%3A%2F%2Fe.com%2Fm.plist%3Fa%3Db")
  }

  @Test("takes https addresses alone")
  func addresses() throws {
    let error = #expect(throws: AppcastError.self) {
      try InstallManifest(packageURL: "http://e.com/a.ipa", bundleIdentifier: "b", bundleVersion: "1", title: "t")
    }
    #expect(error?.code == .manifestAddress)
  }
}
