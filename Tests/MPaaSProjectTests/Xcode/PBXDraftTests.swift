import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@testable import MPaaSProject

@Suite("Edits of Xcode projects") struct PBXDraftTests {
  static let pairs: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: Fixture.path("project/edit_pairs")).sorted()) ?? []

  @Test("make of the project before a commit the one behind it, line for line", .fixtures, arguments: pairs)
  func pair(name: String) throws {
    let before = try XcodeFixtures.read("project/edit_pairs/\(name)/before.pbxproj")
    let after = try XcodeFixtures.read("project/edit_pairs/\(name)/after.pbxproj")
    var draft = PBXDraft(before)
    draft.rootMembers = after.rootMembers
    for id in before.ids where !after.contains(id) { draft.remove(id) }
    for id in after.ids {
      if let object = after.object(id) { draft.put(object) }
    }
    let result = try draft.finished()
    // Xcode laid out this one anew and changed nothing.
    let expected = name == "sync_group_01" ? before : after
    let diff = TextDiff(
      from: String(decoding: expected.bytes, as: UTF8.self), to: String(decoding: result.bytes, as: UTF8.self))
    let wrong = diff.lines.filter { $0.change != .kept }
    #expect(wrong.isEmpty, "\(wrong.prefix(12).map { "\($0.change) \($0.text)" }.joined())")
  }
}

extension PBXDraftTests {
  /// Adds a file, a phase with it, settings of all forms and a package to a project.
  private static func edit(_ file: PBXProjectFile) -> PBXDraft {
    var draft = PBXDraft(file)
    let reference = draft.add(
      "PBXFileReference", ["lastKnownFileType": "sourcecode.swift", "path": "新 file.swift", "sourceTree": "<group>"],
      seed: "file")
    let build = draft.add("PBXBuildFile", ["fileRef": .string(reference)], seed: "build file")
    let phase = draft.add(
      "PBXRezBuildPhase",
      ["buildActionMask": "2147483647", "files": .strings([build]), "runOnlyForDeploymentPostprocessing": "0"],
      seed: "phase")
    if let group = file.mainGroup { draft.append(.string(reference), to: "children", of: group.id) }
    if let target = file.targets.first { draft.append(.string(phase), to: "buildPhases", of: target.id) }
    for configuration in file.objects("XCBuildConfiguration") {
      draft.update(configuration.id) {
        $0["buildSettings"]?["OTHER_LDFLAGS[sdk=x]"] = ["$(inherited)", "-ObjC"]
        $0["buildSettings"]?["AAA"] = "a b"
      }
    }
    let package = draft.add(
      "XCRemoteSwiftPackageReference",
      [
        "repositoryURL": "https://x.org/Kit.git",
        "requirement": ["kind": "upToNextMajorVersion", "minimumVersion": "1.0.0"],
      ], seed: "package")
    if let project = file.project { draft.append(.string(package), to: "packageReferences", of: project.id) }
    return draft
  }

  @Test("can be undone: every project is again what it was, byte for byte", .fixtures)
  func undone() throws {
    for name in try XcodeFixtures.files() {
      let file = try XcodeFixtures.read(name)
      guard !file.targets.isEmpty, file.mainGroup != nil else { continue }
      let draft = Self.edit(file)
      let changed = try draft.finished()
      let old = String(decoding: file.bytes, as: UTF8.self)
      let diff = TextDiff(from: old, to: String(decoding: changed.bytes, as: UTF8.self))
      // One-line objects are changed where they are; everything else is only added.
      let removed = diff.lines.filter {
        $0.change == .removed && !$0.text.contains("{isa = ") && !$0.text.contains("{}")
      }
      #expect(removed.isEmpty, "\(name): \(removed.prefix(3))")
      var back = PBXDraft(changed)
      back.rootMembers = file.rootMembers
      for id in draft.added { back.remove(id) }
      for id in file.ids { if let object = file.object(id), changed.object(id) != object { back.put(object) } }
      let undone = try back.finished()
      if undone.bytes != file.bytes {
        let lines = TextDiff(from: old, to: String(decoding: undone.bytes, as: UTF8.self)).lines
        Issue.record("\(name): \(lines.filter { $0.change != .kept }.prefix(6).map { "\($0.change) \($0.text)" })")
      }
    }
  }

  @Test("done twice change nothing the second time, and ids follow from their seeds", .fixtures)
  func twice() throws {
    let file = try XcodeFixtures.read("project/edit_pairs/spm_01/before.pbxproj")
    let (first, second) = (try Self.edit(file).finished(), try Self.edit(file).finished())
    #expect(first.bytes == second.bytes)
    var draft = PBXDraft(first)
    for id in first.ids { draft.update(id) { $0["isa"] = $0["isa"] } }
    #expect(try draft.finished().bytes == first.bytes)
    #expect(PBXDraft(first).unusedID(seed: "file") != PBXDraft(file).unusedID(seed: "file"))
  }

  @Test("are written as Xcode writes them: order, comments, quotes, sections", .fixtures)
  func layout() throws {
    let file = try XcodeFixtures.read("project/edit_pairs/build_setting_01/before.pbxproj")
    let changed = String(decoding: try Self.edit(file).finished().bytes, as: UTF8.self)
    for text in [
      "/* 新 file.swift in Rez */ = {isa = PBXBuildFile; fileRef = ",
      "= {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = \"新 file.swift\"; sourceTree = \"<group>\"; };",
      "\n/* Begin PBXRezBuildPhase section */\n", "/* Rez */ = {\n\t\t\tisa = PBXRezBuildPhase;\n",
      "\t\t\t\t\"OTHER_LDFLAGS[sdk=x]\" = (\n\t\t\t\t\t\"$(inherited)\",\n\t\t\t\t\t\"-ObjC\",\n\t\t\t\t);\n",
      "/* XCRemoteSwiftPackageReference \"Kit\" */ = {\n", "\t\t\t\tAAA = \"a b\";\n",
      "\t\t\trequirement = {\n\t\t\t\tkind = upToNextMajorVersion;\n\t\t\t\tminimumVersion = 1.0.0;\n\t\t\t};\n",
    ] {
      #expect(changed.contains(text), "\(text)")
    }
  }

  @Test("keep the ends of lines, the byte order mark and the indentation of a file", .fixtures)
  func derived() throws {
    for name in ["p_crlf", "p_bom", "p_spaces_indent", "p_no_final_newline", "p_cjk_emoji"] {
      let file = try XcodeFixtures.read("project/pbxproj_derived/\(name).pbxproj")
      let bytes = try Self.edit(file).finished().bytes
      let text = String(decoding: bytes, as: UTF8.self)
      if name == "p_crlf" { #expect(bytes.count { $0 == 0x0a } == bytes.count { $0 == 0x0d }) }
      if name == "p_spaces_indent" { #expect(!text.contains("\t")) }
      #expect(bytes.starts(with: [0xef, 0xbb, 0xbf]) == (name == "p_bom"))
      #expect((bytes.last == 0x0a) == (name != "p_no_final_newline"))
    }
  }
}
