import Foundation
import MPaaSTestSupport
import Testing

/// A folder with a project of the fixtures.
private struct EditedFolder {
  let folder: TemporaryFolder
  var file: String { folder.path + "/App.xcodeproj/project.pbxproj" }

  init(_ fixture: String = "edit_pairs/add_group_03/before.pbxproj") throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/App.xcodeproj", withIntermediateDirectories: true)
    try Fixture.data("project/" + fixture).write(to: URL(filePath: file))
  }

  func edit(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    let words = Array(arguments.prefix(1)) + [folder.path + "/App.xcodeproj"] + arguments.dropFirst()
    return try mpaas(["project", "edit"] + words, input: input)
  }

  func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  /// Makes a file beside the project, or a folder where the path ends in a slash.
  func make(_ paths: String...) throws {
    for path in paths {
      let url = folder.url.appending(path: path)
      let parent = path.hasSuffix("/") ? url : url.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      if !path.hasSuffix("/") { try Data().write(to: url) }
    }
  }
}

@Suite("mpaas project edit", .fixtures) struct ProjectEditCommandTests {
  @Test("an operation changes the project once, and says so in JSON too")
  func once() throws {
    let project = try EditedFolder()
    let before = try project.text()
    let plan = try project.edit("add-framework", "CoreData", "--target", "UnitTests", "--dry-run")
    #expect(plan.status == 0)
    #expect(plan.output.contains("+\t\t\t\t"))
    #expect(plan.output.contains("CoreData.framework"))
    #expect(try project.text() == before)
    let first = try json(project.edit("add-framework", "CoreData", "--target", "UnitTests", "--json").output)
    #expect(first["changed"] as? Bool == true)
    #expect(first["dry_run"] as? Bool == false)
    let after = try project.text()
    let second = try project.edit("add-framework", "CoreData", "--target", "UnitTests")
    #expect(second.status == 0)
    #expect(second.output.hasPrefix("Nothing to do"))
    #expect(try project.text() == after)
    #expect(after != before)
    #expect(try project.edit("remove-framework", "CoreData").status == 0)
    #expect(try project.text() == before)
    let absent = try json(project.edit("remove-framework", "CoreData", "--json").output)
    #expect((absent["notes"] as? [[String: String]])?.first == ["kind": "absent", "name": "CoreData"])
  }

  @Test("every operation has its words")
  func words() throws {
    let project = try EditedFolder()
    try project.make("CountriesSwiftUI/UI/New.swift", "Config/Debug.xcconfig", "Sync/")
    let runs: [[String]] = [
      ["add-file", "CountriesSwiftUI/UI/New.swift", "--target", "CountriesSwiftUI", "--position", "first"],
      ["rename", "New.swift", "Newer.swift"], ["move", "Newer.swift", "--group", "UnitTests/UI"],
      ["remove-file", "Newer.swift"], ["add-group", "More", "--path", "CountriesSwiftUI/More"],
      ["add-library", "z", "--target", "UnitTests"], ["remove-library", "z"],
      ["add-package", "https://github.com/a/b", "--from", "1.0.0", "--product", "B", "--target", "UnitTests"],
      ["remove-package", "b"], ["set", "A=1", "B[sdk=x]=2", "--target", "*", "--configuration", "Debug"],
      ["unset", "A", "--target", "UnitTests"], ["add-flag", "--target", "UnitTests", "--", "-ObjC", "-framework Pay"],
      ["remove-flag", "--target", "UnitTests", "--", "-ObjC"],
      ["add-search-path", "--kind", "header", "$(SRCROOT)/My Vendor"],
      ["remove-search-path", "--kind", "header", "$(SRCROOT)/My Vendor"],
      ["base-configuration", "Config/Debug.xcconfig", "--configuration", "Debug"], ["base-configuration", "--none"],
      ["add-script", "--name", "Lint", "--script", "swiftlint", "--target", "UnitTests", "--always-run"],
      ["remove-script", "Lint"], ["add-synced-folder", "Sync", "--target", "UnitTests", "--except", "Info.plist"],
      ["include", "Sync", "Info.plist", "--target", "UnitTests"],
      ["exclude", "Sync", "a.swift", "--target", "UnitTests"],
      ["remove-synced-folder", "Sync"], ["add-dependency", "UnitTests", "--target", "CountriesSwiftUI"],
      ["remove-dependency", "UnitTests", "--target", "CountriesSwiftUI"],
      ["set-attribute", "LastUpgradeCheck=2700"], ["set-format", "--object-version", "77"],
      ["set-default-configuration", "Debug"],
    ]
    for words in runs {
      let before = try project.text()
      let full = words.prefix(1) + [project.folder.path + "/App.xcodeproj"] + words.dropFirst()
      let outcome = try mpaas(["project", "edit"] + full)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      #expect(try project.text() != before, "\(words)")
    }
  }

  @Test("a file of operations is done as a whole or not at all")
  func apply() throws {
    let project = try EditedFolder()
    let before = try project.text()
    let good = #"{"operation": "set", "settings": {"A": ["b", "c"]}}"#
    let refused = try project.edit(
      "apply", "-", input: "[\(good),\n {\"operation\": \"add-file\", \"paths\": \"a.swift\", \"targets\": \"Nope\"}]")
    #expect(refused.status == 66)
    #expect(refused.errors.contains("no target Nope"))
    #expect(try project.text() == before)
    let unknown = try project.edit("apply", "-", input: "[\(good),\n {\"operation\": \"add-files\"}]")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("stdin:2:16"))
    #expect(unknown.errors.contains("add-file"))
    #expect(try project.edit("apply", "-", input: "[\(good)]").status == 0)
    #expect(try project.text().contains("\t\t\t\tA = (\n\t\t\t\t\tb,\n\t\t\t\t\tc,\n\t\t\t\t);\n"))
  }

  @Test("compiler flags begin with a hyphen")
  func compilerFlags() throws {
    let project = try EditedFolder()
    try project.make("CountriesSwiftUI/Old.m")
    let added = try project.edit(
      "add-file", "CountriesSwiftUI/Old.m", "--target", "CountriesSwiftUI", "--compiler-flags", "-fno-objc-arc")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try project.text().contains("COMPILER_FLAGS = \"-fno-objc-arc\""))
  }

  @Test("what is not on disk is refused unless --missing is said, and check tells it by its line")
  func missing() throws {
    let project = try EditedFolder(
      "pbxproj/nalexn__clean-architecture-swiftui__CountriesSwiftUI.xcodeproj_project.pbxproj")
    let before = try project.text()
    let words = ["--target", "CountriesSwiftUI"]
    for (word, path) in [
      ("add-file", "Other/New.swift"), ("add-framework", "Other/New.xcframework"), ("add-library", "Other/libNew.a"),
      ("add-package", "Other/Pay"), ("add-synced-folder", "Other/New"), ("base-configuration", "Other/New.xcconfig"),
    ] {
      let full = ["project", "edit", word, project.folder.path, path] + (word == "add-package" ? [] : words)
      let refused = try mpaas(full)
      #expect(refused.status == 66, "\(word): \(refused.errors)")
      #expect(refused.errors.contains("--missing"), "\(word): \(refused.errors)")
      #expect(try mpaas(full + ["--missing", "--dry-run"]).status == 0, "\(word)")
    }
    try project.make("CountriesSwiftUI/Some.swift", "UnitTests/Tests.swift")
    let synced = try project.edit("add-file", "CountriesSwiftUI/Some.swift", "--target", "CountriesSwiftUI")
    #expect(synced.status == 0, "\(synced.output)")
    #expect(synced.output.contains("synchronized folder CountriesSwiftUI"), "\(synced.output)")
    #expect(try project.text() == before)
    #expect(try project.edit("add-file", "Other/New.swift", "--target", "UnitTests", "--missing").status == 0)
    let check = try mpaas("project", "check", project.folder.path)
    #expect(check.status == 1)
    #expect(check.output.contains("error: Other/New.swift is not on disk. [missing-file]"))
  }

  @Test("what is wrong with the arguments is told with what there is")
  func errors() throws {
    let project = try EditedFolder()
    let target = try project.edit("set", "A=1", "--target", "UnitTest")
    #expect(target.status == 66)
    #expect(target.errors.contains("CountriesSwiftUI, UnitTests"))
    #expect(try project.edit("add-framework", "UIKit").status == 64)
    #expect(try project.edit("set", "A").status == 64)
    #expect(try project.edit("remove-file", "CountriesSwiftUI.app").status == 77)
    #expect(try mpaas(["project", "edit", "set", project.folder.path + "/None.xcodeproj", "A=1"]).status == 66)
  }
}

@Suite("mpaas module and Xcode", .fixtures, .tool("python3"), .tool("cc")) struct ModuleXcodeTests {
  @Test("sync links the target, a second one changes nothing, and removal gives the project back")
  func wired() throws {
    let project = try SampleProject("[project]\nplatform = \"ios\"\nminimum = \"13.0\"\n[modules]\n")
    let bundle = project.path + "/ios/App.xcodeproj"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let before = try Fixture.data("project/edit_pairs/add_group_03/before.pbxproj")
    let file = URL(filePath: bundle + "/project.pbxproj")
    try before.write(to: file)
    #expect(try project.module("add", "APLog", "--no-xcode").status == 0)
    #expect(try Data(contentsOf: file) == before)
    let plan = try json(project.module("sync", "--dry-run", "--json").output)
    let xcode = try #require(plan["xcode"] as? [String: Any])
    #expect(xcode["changed"] as? Bool == true)
    #expect((xcode["diff"] as? String)?.contains("../MPaaS") == true)
    #expect(try Data(contentsOf: file) == before)
    let synced = try json(project.module("sync", "--json").output)
    #expect((synced["xcode"] as? [String: Any])?["targets"] as? [String] == ["CountriesSwiftUI"])
    let wired = try Data(contentsOf: file)
    #expect(wired != before)
    #expect(try project.module("sync").output.contains("Nothing to do"))
    #expect(try project.module("sync", "--copy").status == 0)
    #expect(try Data(contentsOf: file) == wired)
    let removed = try project.module("remove", "APLog")
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(try Data(contentsOf: file) == before)
  }
}
