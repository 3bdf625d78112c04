import Foundation
import MPaaSTestSupport
import Testing

/// A project that `mpaas createapp` made of one of the kit's templates.
private struct CreatedProject {
  let folder: TemporaryFolder
  let url: URL

  init(_ template: String, name: String = "My Shop", _ options: String...) throws {
    folder = try TemporaryFolder()
    let outcome = try mpaas(
      ["createapp", name, "--template", template, "--output", folder.path, "--no-input"] + options, home: folder)
    try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    url = folder.url.appending(path: name)
  }

  /// Paths in the project, but not what the kit keeps for itself.
  var files: [String] {
    let all = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return all.filter { path in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: url.path + "/" + path, isDirectory: &isFolder)
      return exists && !isFolder.boolValue && !path.hasPrefix(".mpaas/")
    }.sorted()
  }

  func text(_ path: String) throws -> String { try String(contentsOf: url.appending(path: path), encoding: .utf8) }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url.path + "/" + path) }

  func propertyList(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: url.appending(path: path))
    return try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  /// Reads it by other programs.
  func read() throws -> Command.Outcome {
    try Command.run(Fixture.package.appending(path: "scripts/check-project").path, [url.path])
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the readers of Xcode projects are installed that are not ours.
  fileprivate static var projectReaders: Self {
    let kin = Fixture.package.appending(path: ".build/peers/bin/kin").path
    return .enabled(
      if: FileManager.default.isExecutableFile(atPath: kin), "kin is not installed: run scripts/bootstrap --peers")
  }
}

@Suite("Projects that the kit's templates make") struct SkeletonTests {
  private static let names = ["My Shop", "购物车", "2048", "Ünder & Söhne", "string"]

  @Test("are whole: no tag is left, and each property list and JSON file can be read", arguments: names)
  func whole(name: String) throws {
    for template in ["tabs", "single", "framework"] {
      let project = try CreatedProject(template, name: name)
      for file in project.files {
        let text = try project.text(file)
        // ${{ … }} is GitHub's.
        #expect(!text.replacing("${{", with: "").contains("{{"), "\(template): \(file)")
        switch URL(filePath: file).pathExtension {
        case "plist", "xcprivacy", "pbxproj": _ = try project.propertyList(file)
        case "json", "xctestplan", "xcstrings": _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        default: break
        }
      }
      #expect(FileManager.default.isExecutableFile(atPath: project.url.path + "/.ci/run"))
    }
  }

  @Test(
    "have texts and projects in which nothing is wrong, missing or unused", arguments: ["tabs", "single"],
    ["77", "26.3", "xcproj"])
  func texts(template: String, format: String) throws {
    let project = try CreatedProject(template, "--format", format)
    let path = project.url.path
    let check = try mpaas(["i18n", "check", path, "--sources", path], home: project.folder)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(check.output.contains("nothing wrong"), "\(check.output)\(check.errors)")
    let merge = try mpaas(["i18n", "merge", path, "--from", path, "--dry-run"], home: project.folder)
    #expect(merge.status == 0, "\(merge.output)\(merge.errors)")
    #expect(!merge.output.contains("+++"), "\(merge.output)\(merge.errors)")
    let checked = try json(
      mpaas(["project", "check", path + "/App/MyShop.xcodeproj", "--json"], home: project.folder).output)
    #expect((checked["findings"] as? [Any])?.isEmpty == true, "\(checked)")
  }

  @Test("have no texts and no project where they are packages: nothing is to be found there")
  func packages() throws {
    let project = try CreatedProject("framework")
    let path = project.url.path
    let suffixes = [".strings", ".stringsdict", ".xcstrings", ".pbxproj", ".xcproj"]
    #expect(!project.files.contains { file in suffixes.contains { file.hasSuffix($0) } })
    for words in [["i18n", "check", path, "--sources", path], ["i18n", "merge", path, "--from", path, "--dry-run"]] {
      let outcome = try mpaas(words, home: project.folder)
      #expect(outcome.status == 66, "\(outcome)")
      #expect(outcome.errors.contains("no table of texts"), "\(outcome)")
    }
    #expect(try mpaas(["project", "check", path], home: project.folder).status == 66)
  }

  @Test("have what an app starts with", arguments: ["tabs", "single"])
  func parts(template: String) throws {
    let project = try CreatedProject(template)
    let files = [
      "Package.swift", "README.md", "README.zh-CN.md", ".gitignore", ".github/workflows/ci.yml",
      "MyShop.xcworkspace/contents.xcworkspacedata", "Sources/MyShopCore/MobileRuntime.plist",
      "Sources/MyShopCore/HotpatchKeys.json", "Sources/MyShopCore/Theme.plist", "App/MyShop/PrivacyInfo.xcprivacy",
      "App/MyShop/Localizable.xcstrings", "App/MyShop/Settings.bundle/zh-Hans.lproj/Root.strings",
      "App/MyShop/Assets.xcassets/AppIcon.appiconset/Contents.json",
      "App/MyShop.xcodeproj/xcshareddata/xcschemes/MyShop.xcscheme", "App/MyShopTests/StageTests.swift",
    ]
    for file in files { #expect(project.exists(file), "\(file)") }
    let gateway = try project.propertyList("Sources/MyShopCore/GatewayConfig.plist")
    #expect(Set(gateway.keys) == ["Debug", "Pre-release", "Release"])
  }

  @Test("have one form of the Xcode project, in the format that was asked for")
  func formats() throws {
    for (format, version) in [("77", "77"), ("26.3", "100")] {
      let project = try CreatedProject("tabs", "--format", format)
      let root = try project.propertyList("App/MyShop.xcodeproj/project.pbxproj")
      #expect(root["objectVersion"] as? String == version)
      #expect(!project.exists("App/MyShop.xcodeproj/project.xcproj"))
    }
    let project = try CreatedProject("single", "--format", "xcproj")
    #expect(project.exists("App/MyShop.xcodeproj/project.xcproj"))
    #expect(!project.exists("App/MyShop.xcodeproj/project.pbxproj"))
  }

  @Test(
    "refer to objects that there are, each defined once, and to the scheme's target by its id",
    arguments: ["77", "26.3"])
  func objects(format: String) throws {
    let project = try CreatedProject("tabs", "--format", format)
    let path = "App/MyShop.xcodeproj/project.pbxproj"
    let objects = try #require(try project.propertyList(path)["objects"] as? [String: [String: Any]])
    let text = try project.text(path)
    let defined = text.matches(of: /(?m)^\t\t([0-9A-F]{24})(?: \/\*.*?\*\/)? = \{/).map { String($0.1) }
    #expect(Set(defined) == Set(objects.keys))
    #expect(defined.count == objects.count)
    let named = Set(text.matches(of: /\b[0-9A-F]{24}\b/).map { String($0.0) })
    #expect(named == Set(objects.keys))
    let targets = objects.filter { $0.value["isa"] as? String == "PBXNativeTarget" }
    let scheme = try project.text("App/MyShop.xcodeproj/xcshareddata/xcschemes/MyShop.xcscheme")
    let blueprints = Set(scheme.matches(of: /BlueprintIdentifier = "(.*?)"/).map { String($0.1) })
    #expect(!blueprints.isEmpty)
    for blueprint in blueprints { #expect(targets[blueprint]?["name"] as? String == "MyShop") }
  }

  @Test("hold the public keys that they were given")
  func keys() throws {
    let home = try TemporaryFolder()
    for name in ["release", "spare"] {
      try #require(try mpaas("key", "generate", "--name", name, "--unencrypted", home: home).status == 0)
    }
    let outcome = try mpaas(
      "createapp", "Shop", "--output", home.path, "--no-input", "--hotpatch-key", "release", "--hotpatch-key", "spare",
      home: home)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let data = try Data(contentsOf: home.url.appending(path: "Shop/Sources/ShopCore/HotpatchKeys.json"))
    let keys = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: String]])
    #expect(keys.map { $0["name"] } == ["release", "spare"])
    let exported = try mpaas("key", "export", "--name", "release", "--public", home: home).output
    #expect(exported.replacing("\n", with: "").contains(keys[0]["publicKey"] ?? "-"))
  }

  @Test("are accepted by readers that are not ours", .projectReaders, .tool("plistutil"), arguments: names)
  func readers(name: String) throws {
    for (template, format) in [("tabs", "77"), ("single", "26.3"), ("tabs", "xcproj"), ("framework", "77")] {
      let outcome = try CreatedProject(template, name: name, "--format", format).read()
      let told = "\(template) \(format): \(outcome.output)\(outcome.errors)"
      #expect(outcome.status == 0, "\(told)")
      #expect(outcome.output.isEmpty, "\(told)")
    }
  }

  @Test("are refused by those readers where something is taken away or changed", .projectReaders, .tool("plistutil"))
  func faults() throws {
    let project = try CreatedProject("tabs")
    func expect(_ fault: String, after change: () throws -> Void) throws {
      try change()
      let outcome = try project.read()
      #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output.contains(fault), "\(outcome.output)\(outcome.errors)")
    }
    let path = "App/MyShop.xcodeproj/project.pbxproj"
    let text = try project.text(path)
    func write(_ text: String) throws { try Data(text.utf8).write(to: project.url.appending(path: path)) }
    try expect("there is no App/Config/Debug.xcconfig") {
      try FileManager.default.removeItem(at: project.url.appending(path: "App/Config/Debug.xcconfig"))
    }
    try expect("there is no object") {
      try write(text.replacing("mainGroup = 8A61C001", with: "mainGroup = 8A61C0FF"))
    }
    try expect("Error") { try write(text.replacing("rootObject = ", with: "rootObject ")) }
    try expect("no target MyShop of that id") {
      let folder = project.url.appending(path: "App/MyShop.xcodeproj/xcshareddata/xcschemes")
      let scheme = folder.appending(path: "MyShop.xcscheme")
      let other = try String(contentsOf: scheme, encoding: .utf8).replacing("8A61C004", with: "8A61C0FF")
      try Data(other.utf8).write(to: scheme)
      try write(text)
    }
  }
}
