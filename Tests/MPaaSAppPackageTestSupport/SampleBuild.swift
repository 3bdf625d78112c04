package import MPaaSArchive
import MPaaSSupport

/// Small builds that tests make: zips as tools write them, and such as no tool writes.
package enum SampleBuild {
  package typealias Entry = StoredZip.Entry

  package static func entry(_ name: String, _ text: String) -> Entry { Entry(name: name, contents: Array(text.utf8)) }

  package static func zip(_ entries: [Entry]) -> [UInt8] { StoredZip.encoded(entries, .files) }

  /// A property list in XML of texts, which are escaped.
  package static func list(_ texts: [String: String], more: String = "") -> String {
    let members = texts.sorted { $0.key < $1.key }.map { key, value in
      "<key>\(key)</key><string>\(value.escapedMarkup(.html))</string>"
    }
    return
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(members.joined())\(more)</dict></plist>"
  }

  /// An app for iOS.
  ///
  /// - Parameters:
  ///   - profile: The content of its provisioning profile; nil for none.
  ///   - salt: A text that makes the file another one.
  package static func ipa(
    name: String = "Shop", identifier: String = "com.example.shop", version: String = "1.2", build: String = "34",
    profile: [UInt8]? = nil, salt: String = ""
  ) -> [UInt8] {
    let texts = [
      "CFBundleDisplayName": name, "CFBundleIdentifier": identifier, "CFBundleShortVersionString": version,
      "CFBundleVersion": build, "MinimumOSVersion": "15.0", "CFBundleExecutable": "Shop",
    ]
    var entries = [entry("Payload/Shop.app/Info.plist", list(texts)), entry("Payload/Shop.app/Shop", "code" + salt)]
    if let profile { entries.append(Entry(name: "Payload/Shop.app/embedded.mobileprovision", contents: profile)) }
    return zip(entries)
  }

  /// An archive of Xcode's.
  ///
  /// - Parameter files: That are in it, too.
  package static func xcarchive(name: String = "Shop", more files: [Entry] = []) -> [UInt8] {
    let properties = [
      "ApplicationPath": "Applications/Shop.app", "CFBundleIdentifier": "com.example.shop",
      "CFBundleShortVersionString": "1.2", "CFBundleVersion": "34", "Team": "TEAM123456",
    ]
    let members = properties.sorted { $0.key < $1.key }.map { "<key>\($0.key)</key><string>\($0.value)</string>" }
    let more = "<key>ApplicationProperties</key><dict>\(members.joined())</dict>"
    return zip([entry("Shop.xcarchive/Info.plist", list(["Name": name], more: more))] + files)
  }

  /// An app for Android; its name stands in the table of resources, and it has no signature of its own.
  package static func apk(
    name: String = "Shop", package: String = "com.example.shop", version: String = "1.2", build: Int32 = 34,
    isWide: Bool = true
  ) -> [UInt8] {
    let label: UInt32 = 0x7f02_0001
    let manifest = SampleAndroid.Element(
      "manifest",
      [
        .init("versionCode", 0x0101_021b, .integer(build)), .init("versionName", 0x0101_021c, .text(version)),
        .init("package", nil, .text(package)),
      ],
      [
        .init("uses-sdk", [.init("minSdkVersion", 0x0101_020c, .integer(24))]),
        .init("application", [.init("label", 0x0101_0001, .reference(label))]),
      ])
    return zip([
      Entry(name: "AndroidManifest.xml", contents: SampleAndroid.xml(manifest, isWide: isWide)),
      Entry(name: "resources.arsc", contents: SampleAndroid.table(label, name, german: "Laden", isWide: isWide)),
      entry("classes.dex", "dex\n035"),
    ])
  }

  /// The same zip with a signing block of Android's before its directory.
  ///
  /// - Parameters:
  ///   - certificate: In DER.
  ///   - id: Of the scheme: v2 or v3.
  package static func signed(_ apk: [UInt8], _ certificate: [UInt8], id: UInt32 = 0x7109_871a) -> [UInt8] {
    func part(_ bytes: [UInt8]) -> [UInt8] { little(bytes.count, 4) + bytes }
    let data = part(part(little(1, 8))) + part(part(certificate)) + part([])
    let value = part(part(part(data) + part([]) + part([])))
    let pair = little(value.count + 4, 8) + little(Int(id), 4) + value
    let block = pair + little(pair.count + 24, 8) + Array("APK Sig Block 42".utf8)
    let place = directory(of: apk)
    var made = Array(apk[..<place]) + little(pair.count + 24, 8) + block + Array(apk[place...])
    made.replaceSubrange(made.count - 6..<made.count - 2, with: little(place + 8 + block.count, 4))
    return made
  }

  /// The place of a zip's directory, which ends without a comment.
  package static func directory(of zip: [UInt8]) -> Int {
    zip[(zip.count - 6)..<(zip.count - 2)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  package static func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
