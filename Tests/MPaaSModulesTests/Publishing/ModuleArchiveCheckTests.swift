import Foundation
import MPaaSArchive
import MPaaSDigests
import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@Suite("Checking archives of modules") struct ModuleArchiveCheckTests {
  /// The findings, as `severity kind subject`.
  private func found(_ sample: SampleModule) throws -> [String] {
    try sample.check().findings.map { "\($0.severity) \($0.kind.rawValue) \($0.subject)" }
  }

  @Test("a good module has no findings and is known by its module.toml", arguments: ModuleArchive.Format.allCases)
  func good(format: ModuleArchive.Format) throws {
    let bytes = try SampleModule().pack(format)
    let check = try ModuleArchiveCheck(bytes, name: "x")
    #expect(check.findings.isEmpty)
    #expect(check.archive.name == "CartKit-2.1.0." + format.rawValue)
    #expect(check.archive.fileCount == 5)
    #expect(check.archive.size == UInt64(bytes.count))
    #expect(check.archive.sha256 == bytes.sha256.hexadecimal)
    #expect(ModuleArchiveCheck.matches(bytes))
    #expect(!ModuleArchiveCheck.matches(Bytes(Array("name = 1".utf8))))
  }

  @Test("contents that are not there, listed twice, of another kind or not listed are named")
  func contents() throws {
    let sample = try SampleModule()
    let list = "frameworks = [\"CartKit.framework\"]"
    try sample.replace(list, by: "frameworks = [\"Other.framework\", \"CartKit.framework\", \"CartKit.framework\"]")
    #expect(try found(sample) == ["error content-twice CartKit.framework", "error content-missing Other.framework"])
    try sample.replace(list, by: "headers = [\"LICENSE\"]")
    #expect(try found(sample) == ["error content-kind LICENSE", "warning content-unlisted CartKit.framework"])
  }

  @Test("two contents that would get one name are an error")
  func clash() throws {
    let sample = try SampleModule()
    try sample.write("more/cart.bundle/a", "a")
    try sample.replace("[\"Cart.bundle\"]", by: "[\"Cart.bundle\", \"more/cart.bundle\"]")
    #expect(try found(sample) == ["error content-clash more/cart.bundle"])
  }

  private static let code: [([UInt8], String?)] = [
    (SampleModule.machO(), nil), (SampleModule.machO(platform: nil), nil),
    (SampleModule.machO(processor: 0x0100_0007, platform: 7), "architecture"),
    (SampleModule.machO(processor: 0x0100_0007, platform: nil), "architecture"),
    (SampleModule.machO(platform: 7), "platform"), (SampleModule.machO(platform: 1), "platform"),
    (SampleModule.machO(minimum: 13), "minimum"), (Array("text".utf8), "binary-unreadable"), ([], "binary-unreadable"),
  ]

  @Test("code for another processor, another system or a newer one is an error", arguments: 0..<9)
  func code(index: Int) throws {
    let (bytes, kind) = Self.code[index]
    let sample = try SampleModule()
    try sample.write("CartKit.framework/CartKit", bytes)
    #expect(try found(sample) == (kind.map { ["error \($0) CartKit.framework/CartKit"] } ?? []))
  }

  @Test("a framework without a binary of its name is an error, and a binary behind links is found")
  func binary() throws {
    let sample = try SampleModule()
    try sample.remove("CartKit.framework/CartKit")
    #expect(try found(sample) == ["error binary-missing CartKit.framework"])
    try sample.write("CartKit.framework/Versions/A/CartKit", SampleModule.machO())
    let links = [("Versions/Current", "A"), ("CartKit", "Versions/Current/CartKit")]
    for (link, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: sample.path + "/CartKit.framework/" + link, withDestinationPath: target)
    }
    #expect(try found(sample).isEmpty)
  }

  @Test("an XCFramework's list, its libraries and their processors are looked at")
  func xcframework() throws {
    let sample = try SampleModule()
    try sample.replace("frameworks = [\"CartKit.framework\"]", by: "xcframeworks = [\"X.xcframework\"]")
    try sample.remove("CartKit.framework")
    try sample.write("X.xcframework/ios-arm64/X.framework/X", SampleModule.machO())
    #expect(try found(sample) == ["error slice-list X.xcframework"])
    func list(_ slice: String, _ architecture: String = "arm64", _ more: String = "") throws {
      try sample.write(
        "X.xcframework/Info.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>AvailableLibraries</key><array><dict>
        <key>LibraryIdentifier</key><string>\(slice)</string><key>LibraryPath</key><string>X.framework</string>
        <key>SupportedArchitectures</key><array><string>\(architecture)</string></array>
        <key>SupportedPlatform</key><string>ios</string>\(more)</dict></array></dict></plist>
        """)
    }
    try list("ios-arm64")
    #expect(try found(sample).isEmpty)
    try list("ios-arm64", "armv7")
    #expect(try found(sample) == ["error slice-architecture X.xcframework/ios-arm64/X.framework/X"])
    try list("ios-arm65")
    #expect(try found(sample) == ["error slice-missing X.xcframework"])
    try list("ios-arm64", "arm64", "<key>SupportedPlatformVariant</key><string>simulator</string>")
    #expect(try found(sample) == ["error slice-platform X.xcframework"])
    try list("../ios-arm64")
    #expect(try found(sample) == ["error slice-list X.xcframework"])
  }

  @Test("what module.toml leaves out or misspells is a warning")
  func texts() throws {
    let sample = try SampleModule()
    try sample.remove("LICENSE")
    let text = SampleModule.toml.replacing("license = ", with: "licence = ").replacing("zh-Hans = \"更快。\"", with: "")
      .replacing(", zh-Hans = \"购物车。\"", with: "")
    try sample.write("module.toml", text)
    #expect(
      try Set(found(sample)) == [
        "warning license-file LICENSE", "warning license module.license", "warning key-unknown module.licence",
        "warning summary module.summary.zh-Hans", "warning notes notes.zh-Hans",
      ])
    #expect(try sample.check().findings.first { $0.kind == .keyUnknown }?.values["meant"] == "license")
    try sample.write(
      "module.toml", SampleModule.toml.replacing("\"MIT\"", with: "\"MIT or\"").replacing("https:", with: "file:"))
    #expect(try found(sample).contains("warning license-expression MIT or"))
    #expect(try found(sample).contains("warning homepage file://example.com"))
  }

  @Test(
    "SPDX expressions are known by their grammar",
    arguments: [
      ("MIT", true), ("MIT OR Apache-2.0", true), ("(GPL-2.0+ WITH Classpath-exception-2.0) AND (MIT OR 0BSD)", true),
      ("LicenseRef-ours", true), ("DocumentRef-a:LicenseRef-b", true), ("", false), ("MIT OR", false),
      ("MIT MIT", false),
      ("(MIT", false), ("MIT)", false), ("a/b", false), ("WITH MIT", false), ("a:b", false), ("()", false),
    ])
  func spdx(text: String, isValid: Bool) { #expect(SPDXExpression.isValid(text) == isValid) }

  @Test("any change of an archive's bytes gives a check or an error", arguments: ModuleArchive.Format.allCases)
  func fuzz(format: ModuleArchive.Format) throws {
    let bytes = try SampleModule().pack(format).array
    var random = SeededRandom(seed: 53)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<changed.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
        case 1: changed.removeLast(Int.random(in: 0..<min(changed.count, 40), using: &random))
        default: changed.insert(contentsOf: changed[place..<min(place + 30, changed.count)], at: place)
        }
      }
      _ = ModuleArchiveCheck.matches(Bytes(changed))
      _ = try? ModuleArchiveCheck(Bytes(changed), name: "x")
    }
  }
}
