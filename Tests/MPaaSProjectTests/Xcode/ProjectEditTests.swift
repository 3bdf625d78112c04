import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@testable import MPaaSProject

@Suite("Edits of Xcode projects") struct ProjectEditTests {
  private func project(_ name: String) throws -> PBXProjectFile {
    try PBXProjectFile(Array(try Fixture.data("project/" + name)), file: name)
  }

  private func operations(_ text: String) throws -> [any ProjectOperation] {
    try ProjectOperations.reading(Array(text.utf8), file: "edits.json")
  }

  private func differences(_ old: [UInt8], _ new: [UInt8]) -> [String] {
    TextDiff(from: String(decoding: old, as: UTF8.self), to: String(decoding: new, as: UTF8.self)).lines
      .filter { $0.change != .kept }.map { ($0.change == .added ? "+" : "-") + $0.text }
  }

  private func changedLines(_ old: [UInt8], _ new: [UInt8]) -> Int {
    TextDiff(from: String(decoding: old, as: UTF8.self), to: String(decoding: new, as: UTF8.self)).lines
      .count { $0.change != .kept }
  }

  @Test(
    "what commits did by hand comes out the same by operations, with no line more, and once more changes nothing",
    .fixtures, arguments: EditPairs.operations.indices)
  func pair(index: Int) throws {
    let (name, text) = EditPairs.operations[index]
    let before = try project("edit_pairs/\(name)/before.pbxproj")
    let after = try project("edit_pairs/\(name)/after.pbxproj")
    let edited = try before.edited(by: operations(text))
    let result = try PBXProjectFile(edited.bytes, file: name)
    let (wanted, found) = (ProjectMeaning(after), ProjectMeaning(result))
    let isSame = found == wanted
    #expect(isSame, "\(name): missing \(wanted.only(besides: found)), instead \(found.only(besides: wanted))")
    #expect(changedLines(before.bytes, edited.bytes) <= changedLines(before.bytes, after.bytes), "\(name)")
    // A file that one operation removed or renamed is not found by another a second time.
    guard !text.contains("\"move\"") else { return }
    let again = try result.edited(by: operations(text))
    #expect(!again.isChanged, "\(name)")
  }

  @Test("what is added and removed again leaves the bytes as they were", .fixtures, arguments: EditRounds.all.indices)
  func round(index: Int) throws {
    let (file, add, remove) = EditRounds.all[index]
    let before = try project(file)
    let added = try before.edited(by: operations(add))
    #expect(added.isChanged, "\(add)")
    let middle = try PBXProjectFile(added.bytes, file: file)
    let removed = try middle.edited(by: operations(remove))
    let rest = differences(before.bytes, removed.bytes)
    #expect(rest.isEmpty, "\(add): \(rest)")
    let again = try PBXProjectFile(removed.bytes, file: file).edited(by: operations(remove))
    #expect(!again.isChanged, "\(remove)")
    #expect(!again.notes.isEmpty, "\(remove)")
  }

  @Test("what cannot be meant is refused with what there is", .fixtures, arguments: EditRefusals.all.indices)
  func refusal(index: Int) throws {
    let (text, id, value) = EditRefusals.all[index]
    let file = try project("edit_pairs/add_group_03/before.pbxproj")
    do throws(ProjectEditError) {
      _ = try file.edited(by: ProjectOperations.reading(Array(text.utf8), file: "edits.json"))
      Issue.record("\(text) was not refused")
    } catch {
      #expect(error.code.id.name == id, "\(text)")
      #expect(error.values.values.contains { $0.contains(value) } || error.place?.description == value, "\(error)")
    }
  }

  @Test("projects of the fixtures take a run of operations, and give all of it back", .fixtures)
  func everyProject() throws {
    let folder = try Fixture.path("project/pbxproj")
    let names = try FileSystem.names(in: folder).sorted()
    // All of them with MPAAS_FUZZ_ROUNDS.
    let step = max(1, names.count / max(1, SeededRandom.rounds(or: 10)))
    for name in stride(from: 0, to: names.count, by: step).map({ names[$0] }) {
      let file = try project("pbxproj/" + name)
      guard !file.targets.isEmpty else { continue }
      let add = try operations(
        """
        [{"operation": "add-framework", "names": ["Neverland.xcframework"], "targets": "*", "embed": true},
         {"operation": "add-file", "paths": "a/b/Neverland.swift"},
         {"operation": "set", "settings": {"NEVERLAND": ["a b", "$(c)"]}}]
        """)
      let added = try file.edited(by: add)
      let middle = try PBXProjectFile(added.bytes, file: name)
      #expect(middle.objects("PBXFileReference").contains { $0.string("path") == "Neverland.swift" }, "\(name)")
      #expect(try !middle.edited(by: add).isChanged, "\(name)")
      let removed = try middle.edited(
        by: operations(
          """
          [{"operation": "remove-framework", "names": "Neverland.xcframework"},
           {"operation": "remove-file", "paths": "a"},
           {"operation": "unset", "settings": "NEVERLAND"}]
          """))
      // A phase that was missing stays, as do lists that were not there.
      let lines = changedLines(file.bytes, removed.bytes)
      #expect(lines <= 12 * file.targets.count, "\(name): \(lines)")
    }
  }

  @Test("a local package goes with the products that its manifest declares, those of another stay", .fixtures)
  func localPackages() throws {
    let file = try project("edit_pairs/add_group_03/before.pbxproj")
    let added = try file.edited(
      by: operations(
        """
        [{"operation": "add-package", "package": "../One", "products": ["A", "B"], "targets": "UnitTests"},
         {"operation": "add-package", "package": "../Two", "products": "C", "targets": "UnitTests"}]
        """))
    let middle = try PBXProjectFile(added.bytes, file: "middle")
    let manifest = """
      let package = Package(name: "One", products: [
        .library(name: "A", targets: ["A"]), // .library(name: "C")
        // .library(name: "C"),
        .executable(
          name: "B", targets: ["B"]),
      ])
      """
    #expect(PackageManifest.products(manifest) == ["A", "B"])
    let remove = try operations(#"[{"operation": "remove-package", "package": "One"}]"#)
    var around = ProjectSurroundings.none()
    around.products = { $0 == "../One" ? PackageManifest.products(manifest) : nil }
    let removed = try middle.edited(by: remove, files: around)
    let result = try PBXProjectFile(removed.bytes, file: "result")
    let names = result.objects("XCSwiftPackageProductDependency").compactMap { $0.string("productName") }
    #expect(names.filter { ["A", "B", "C"].contains($0) } == ["C"])
    #expect(removed.notes.isEmpty)
    #expect(result.objects("XCLocalSwiftPackageReference").compactMap { $0.string("relativePath") } == ["../Two"])
    // The owner of a product is not known between two packages without manifests.
    let unknown = try middle.edited(by: remove)
    #expect(unknown.notes.map(\.kind) == [.localProducts])
  }

  @Test("files of languages share a group, and the project knows their languages", .fixtures)
  func languages() throws {
    let file = try project("edit_pairs/add_group_03/before.pbxproj")
    let paths = #""CountriesSwiftUI/en.lproj/Pay.strings", "CountriesSwiftUI/zh-Hans.lproj/Pay.strings""#
    let text = #"[{"operation": "add-file", "paths": [\#(paths)], "targets": "CountriesSwiftUI"}]"#
    let edited = try file.edited(by: operations(text))
    let result = try PBXProjectFile(edited.bytes, file: "after")
    let group = try #require(result.objects("PBXVariantGroup").first { $0.displayName == "Pay.strings" })
    #expect(result.children(of: group).map { $0.string("name") } == ["en", "zh-Hans"])
    #expect(
      result.children(of: group).map { $0.string("path") } == ["en.lproj/Pay.strings", "zh-Hans.lproj/Pay.strings"])
    #expect(result.project?.strings("knownRegions").contains("zh-Hans") == true)
    #expect(result.objects("PBXBuildFile").count { $0.string("fileRef") == group.id } == 1)
    #expect(try !result.edited(by: operations(text)).isChanged)
  }

  @Test("groups, headers, flags and places follow from paths and options", .fixtures)
  func places() throws {
    let file = try project("edit_pairs/add_group_03/before.pbxproj")
    let edited = try file.edited(
      by: operations(
        """
        [{"operation": "add-file", "paths": ["Vendor/Deep/a.m", "../Other/b.m", "/opt/c.m", "readme.md"],
          "targets": "UnitTests", "compiler_flags": "-fno-objc-arc"},
         {"operation": "add-file", "paths": "Vendor/Deep/a.h", "targets": "UnitTests", "header": "public"},
         {"operation": "move", "paths": "Vendor/Deep/a.m", "group": "Vendor", "position": "first"},
         {"operation": "rename", "path": "Vendor/Deep/a.m", "name": "d.mm"}]
        """))
    let result = try PBXProjectFile(edited.bytes, file: "after")
    let vendor = try #require(result.objects("PBXGroup").first { $0.string("path") == "Vendor" })
    #expect(result.children(of: vendor).map(\.displayName) == ["d.mm", "Deep"])
    let moved = try #require(result.children(of: vendor).first)
    #expect(moved.string("path") == "Deep/d.mm")
    #expect(moved.string("lastKnownFileType") == "sourcecode.cpp.objcpp")
    let references = result.objects("PBXFileReference")
    #expect(references.first { $0.displayName == "b.m" }?.string("path") == "b.m")
    #expect(references.first { $0.displayName == "c.m" }?.string("sourceTree") == "<absolute>")
    let target = try #require(result.target(named: "UnitTests"))
    let headers = try #require(result.buildPhase("PBXHeadersBuildPhase", of: target))
    let entry = try #require(headers.strings("files").first.flatMap { result.object($0) })
    #expect(entry["settings"] == ["ATTRIBUTES": ["Public"]])
    #expect(result.objects("PBXBuildFile").count { $0["settings"]?["COMPILER_FLAGS"] == "-fno-objc-arc" } == 3)
  }

  @Test("settings that are lists take values in both forms, once")
  func values() {
    #expect(SettingWords.adding("-ObjC", to: nil) == ["$(inherited)", "-ObjC"])
    #expect(SettingWords.adding("-ObjC", to: "-lz") == "-lz -ObjC")
    #expect(SettingWords.adding("-lz", to: "-lz -ObjC") == "-lz -ObjC")
    #expect(SettingWords.adding("-framework Pay", to: ["-lz"]) == ["-lz", "-framework", "Pay"])
    #expect(SettingWords.adding("-framework Pay", to: ["-framework", "Pay"]) == ["-framework", "Pay"])
    #expect(SettingWords.adding("\"a b\"", to: ["c"]) == ["c", "\"a b\""])
    #expect(SettingWords.removing("-framework Pay", from: ["-lz", "-framework", "Pay"]) == ["-lz"])
    #expect(SettingWords.removing("-ObjC", from: ["$(inherited)", "-ObjC"]) == nil)
    #expect(SettingWords.removing("-ObjC", from: "-lz -ObjC") == "-lz")
    #expect(SettingWords.split("-D \"a b\" 'c d' e\\ f") == ["-D", "\"a b\"", "'c d'", "e\\ f"])
  }

  @Test("keys of settings may hold a condition, and several values make a list")
  func assignments() throws {
    let read = try EditAssignment.reading(["A[sdk=iphoneos*]=x=y", "B=1", "B=2", "C="])
    #expect(read.map(\.key) == ["A[sdk=iphoneos*]", "B", "C"])
    #expect(read.map(\.values) == [["x=y"], ["1", "2"], [""]])
    #expect(read.map(\.isList) == [false, true, false])
    #expect(throws: ProjectEditError.self) { try EditAssignment.reading(["=1"]) }
  }
}
