import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@testable import MPaaSProject

@Suite("Targets, configurations, entitlements and schemes of Xcode projects") struct TargetEditTests {
  private static let countries = "project/edit_pairs/add_group_03/before.pbxproj"

  private func project(_ name: String = countries) throws -> PBXProjectFile {
    try PBXProjectFile(Array(try Fixture.data(name)), file: name)
  }

  private func operations(_ text: String) throws -> [any ProjectOperation] {
    try ProjectOperations.reading(Array(text.utf8), file: "edits.json")
  }

  private func surroundings(_ files: [String: String]) -> ProjectSurroundings {
    var surroundings = ProjectSurroundings.none(bundle: "Countries.xcodeproj")
    surroundings.read = { (path) throws(ProjectEditError) in files[path].map { Array($0.utf8) } }
    surroundings.names = { folder in
      files.keys.compactMap { PathWords.folder($0) == folder ? PathWords.last($0) : nil }
    }
    return surroundings
  }

  private func text(_ file: SurroundingFile?) -> String { String(decoding: file?.new ?? [], as: UTF8.self) }

  @Test("a project with new targets of every kind holds together", .fixtures, arguments: TargetKind.allCases)
  func kinds(kind: TargetKind) throws {
    var operation = AddTarget("New 目标", kind)
    operation.host = kind == .aggregate ? nil : "CountriesSwiftUI"
    operation.deployment = kind == .aggregate ? nil : "17.0"
    let edited = try project().edited(by: [operation])
    let result = try PBXProjectFile(edited.bytes, file: "after")
    #expect(ProjectCheck.findings(in: result).isEmpty)
    let target = try #require(result.target(named: "New 目标"))
    #expect(target.string("productType") == kind.productType)
    let names = result.configurations(of: target).compactMap { $0.string("name") }
    #expect(names == ["Debug", "Release"])
    let again = try result.edited(by: [operation])
    #expect(!again.isChanged)
  }

  @Test(
    "a new target is settled into its host: tests run in it, frameworks and extensions are copied into it", .fixtures)
  func hosts() throws {
    let edited = try project().edited(
      by: operations(
        """
        [{"operation": "add-target", "name": "Core", "kind": "framework", "host": "CountriesSwiftUI"},
         {"operation": "add-target", "name": "Widget", "kind": "app-extension", "host": "CountriesSwiftUI",
          "extension_point": "com.apple.widgetkit-extension", "folder": "Widget"},
         {"operation": "add-target", "name": "CoreTests", "kind": "unit-tests", "host": "CountriesSwiftUI"}]
        """))
    let result = try PBXProjectFile(edited.bytes, file: "after")
    let app = try #require(result.target(named: "CountriesSwiftUI"))
    let embedded = result.buildPhases(of: app).filter { $0.isa == "PBXCopyFilesBuildPhase" }
    #expect(embedded.map { $0.string("dstSubfolderSpec") } == ["10", "13"])
    let tests = try #require(result.target(named: "CoreTests"))
    let settings = result.configurations(of: tests).compactMap { $0["buildSettings"] }
    let host = "$(BUILT_PRODUCTS_DIR)/CountriesSwiftUI.app/$(BUNDLE_EXECUTABLE_FOLDER_PATH)/CountriesSwiftUI"
    #expect(settings.allSatisfy { $0["TEST_HOST"]?.string == host })
    let identifiers = result.objects("XCBuildConfiguration").compactMap {
      $0["buildSettings"]?["PRODUCT_BUNDLE_IDENTIFIER"]?.string
    }
    #expect(Set(identifiers).count == 5, "\(identifiers)")
    let attributes = result.project?["attributes"]?["TargetAttributes"]?[tests.id]
    #expect(attributes?["TestTargetID"]?.string == app.id)
    #expect(edited.files.map(\.path) == ["Widget/Info.plist"])
    #expect(text(edited.files.first).contains("<string>com.apple.widgetkit-extension</string>"))
    let exceptions = result.objects("PBXFileSystemSynchronizedBuildFileExceptionSet")
    #expect(exceptions.map { $0.strings("membershipExceptions") } == [["Info.plist"]])
    #expect(ProjectCheck.findings(in: result).isEmpty)
  }

  @Test("a target that goes leaves nothing behind that names it, and tells which schemes and tests do", .fixtures)
  func remove() throws {
    let file = try project()
    let app = try #require(file.target(named: "CountriesSwiftUI"))
    let scheme = "Countries.xcodeproj/xcshareddata/xcschemes/Countries.xcscheme"
    let files = surroundings([scheme: "<BuildableReference\n   BlueprintIdentifier = \"\(app.id)\""])
    let edited = try file.edited(
      by: operations(#"[{"operation": "remove-target", "names": "CountriesSwiftUI"}]"#), files: files)
    let result = try PBXProjectFile(edited.bytes, file: "after")
    let text = String(decoding: edited.bytes, as: UTF8.self)
    #expect(!text.contains(app.id))
    #expect(ProjectCheck.findings(in: result).isEmpty)
    #expect(edited.notes.map(\.kind) == [.testHost, .schemeTarget])
    #expect(edited.notes.map(\.name) == ["UnitTests", "Countries"])
  }

  @Test("what every project of the fixtures gets by way of targets it gives back", .fixtures)
  func everyProject() throws {
    let folder = try Fixture.path("project/pbxproj")
    let names = try FileSystem.names(in: folder).sorted()
    let step = max(1, names.count / max(1, SeededRandom.rounds(or: 10)))
    for name in stride(from: 0, to: names.count, by: step).map({ names[$0] }) {
      let file = try project("project/pbxproj/" + name)
      guard let host = file.targets.first(where: { $0.isa == "PBXNativeTarget" })?.string("name") else { continue }
      let before = Set(ProjectCheck.findings(in: file).map { "\($0.rule) \($0.values.sorted { $0.key < $1.key })" })
      let added = try file.edited(by: [
        AddConfiguration("Neverland"), AddTarget("NeverlandKit", .framework), hosted("NeverlandTests", by: host),
      ])
      let middle = try PBXProjectFile(added.bytes, file: name)
      let after = Set(ProjectCheck.findings(in: middle).map { "\($0.rule) \($0.values.sorted { $0.key < $1.key })" })
      #expect(after.subtracting(before).isEmpty, "\(name)")
      let removed = try middle.edited(by: [
        RemoveTarget(["NeverlandTests", "NeverlandKit"]), RemoveConfiguration(["Neverland"]),
      ])
      let lines = TextDiff(
        from: String(decoding: file.bytes, as: UTF8.self), to: String(decoding: removed.bytes, as: UTF8.self)
      ).lines.filter { $0.change != .kept }.map(\.text)
      // A group of products that was missing stays.
      let rest = lines.filter { !$0.contains("Products") && !$0.contains("productRefGroup") }
      #expect(rest.count <= 7, "\(name): \(rest)")
    }
  }

  private func hosted(_ name: String, by host: String) -> AddTarget {
    var operation = AddTarget(name, .unitTests)
    operation.host = host
    return operation
  }

  @Test("a configuration begins with what another one says, in the project and in all targets", .fixtures)
  func configurations() throws {
    let file = try project()
    let edited = try file.edited(by: [AddConfiguration("Staging", like: "Debug")])
    let result = try PBXProjectFile(edited.bytes, file: "after")
    for owner in [try #require(result.project)] + result.targets {
      let all = result.configurations(of: owner)
      #expect(all.map { $0.string("name") } == ["Debug", "Release", "Staging"])
      #expect(all[2]["buildSettings"] == all[0]["buildSettings"])
    }
    let other = try result.edited(by: [RemoveConfiguration(["Release"])])
    let left = try PBXProjectFile(other.bytes, file: "after")
    #expect(left.objects("XCConfigurationList").allSatisfy { $0.string("defaultConfigurationName") == "Staging" })
  }

  @Test("entitlements go into the file that the target names, with their types, and leave the rest of it", .fixtures)
  func entitlements() throws {
    let set = """
      [{"operation": "set-entitlement", "targets": "UnitTests", "entitlements": {
        "aps-environment": "development", "com.apple.developer.healthkit": true,
        "com.apple.security.application-groups": "group.a.b"}}]
      """
    let edited = try project().edited(by: operations(set))
    #expect(edited.files.count == 1)
    let file = try #require(edited.files.first)
    #expect(file.path.hasSuffix("UnitTests.entitlements"))
    #expect(text(file).contains("<key>com.apple.developer.healthkit</key>\n\t<true/>"))
    #expect(text(file).contains("<array>\n\t\t<string>group.a.b</string>\n\t</array>"))
    let middle = try PBXProjectFile(edited.bytes, file: "middle")
    let around = surroundings([file.path: text(file).replacing("<dict>", with: "<dict>\n<!-- ours -->")])
    #expect(try !middle.edited(by: operations(set), files: around).isChanged)
    let one = try middle.edited(
      by: operations(
        """
        [{"operation": "remove-entitlement", "targets": "UnitTests", "keys": ["aps-environment", "none"]}]
        """), files: around)
    #expect(text(one.files.first).contains("<!-- ours -->"))
    #expect(!text(one.files.first).contains("aps-environment"))
    #expect(one.notes == [EditNote(kind: .absent, name: "none")])
    let all = try middle.edited(
      by: operations(#"[{"operation": "remove-entitlement", "targets": "UnitTests", "all": true}]"#),
      files: around)
    let bytes = try project().bytes
    #expect(all.files.isEmpty)
    #expect(all.bytes.elementsEqual(bytes))
  }

  @Test("a path of entitlements that only the build knows is refused, one of the source root is understood", .fixtures)
  func variablePath() throws {
    func set(_ path: String) throws -> EditedProject {
      let setting = try PBXProjectFile(
        try project().edited(
          by: operations(
            """
            [{"operation": "set", "targets": "UnitTests", "settings": {"CODE_SIGN_ENTITLEMENTS": "\(path)"}}]
            """)
        ).bytes, file: "middle")
      return try setting.edited(
        by: operations(
          #"[{"operation": "set-entitlement", "targets": "UnitTests", "entitlements": {"get-task-allow": true}}]"#))
    }
    #expect(try set("$(SRCROOT)/a/$(TARGET_NAME).entitlements").files.map(\.path) == ["a/UnitTests.entitlements"])
    let error = try #require(throws: ProjectEditError.self) { try set("$(PLATFORM_NAME).entitlements") }
    #expect(error.code == .variablePath)
  }

  @Test("a scheme is written as Xcode writes it, and one that says something else is never written over", .fixtures)
  func schemes() throws {
    let add = """
      [{"operation": "add-scheme", "name": "A & B", "targets": "CountriesSwiftUI", "tests": "UnitTests"}]
      """
    let edited = try project().edited(by: operations(add), files: surroundings([:]))
    let scheme = try #require(edited.files.first)
    #expect(scheme.path == "Countries.xcodeproj/xcshareddata/xcschemes/A & B.xcscheme")
    #expect(!edited.isProjectChanged)
    let written = text(scheme)
    #expect(written.contains("               BuildableName = \"CountriesSwiftUI.app\"\n"))
    #expect(written.contains("<Testables>"))
    #expect(written.contains("ReferencedContainer = \"container:Countries.xcodeproj\">"))
    let same = surroundings([scheme.path: written])
    #expect(try !project().edited(by: operations(add), files: same).isChanged)
    let other = surroundings([scheme.path: written.replacing("YES", with: "NO")])
    let error = try #require(throws: ProjectEditError.self) {
      try project().edited(by: operations(add), files: other)
    }
    #expect(error.code == .schemeExists)
    let remove = #"[{"operation": "remove-scheme", "names": "A & B"}]"#
    let removed = try project().edited(by: operations(remove), files: same)
    #expect(removed.files == [SurroundingFile(path: scheme.path, old: scheme.new, new: nil)])
    #expect(try project().edited(by: operations(remove), files: surroundings([:])).notes.map(\.kind) == [.absent])
  }
}
