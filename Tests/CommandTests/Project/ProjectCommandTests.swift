import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas project list, check and cat") struct ProjectCommandTests {
  private static let real = "project/pbxproj/tuist__XcodeProj__Fixtures_iOS_Project.xcodeproj_project.pbxproj"

  /// A folder with `App.xcodeproj` in it, made of a fixture.
  private func project(_ folder: TemporaryFolder, change: (String) -> String = { $0 }) throws -> String {
    let bundle = folder.url.appending(path: "App.xcodeproj")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let text = String(decoding: try Fixture.data("project/edit_pairs/spm_01/after.pbxproj"), as: UTF8.self)
    try Data(change(text).utf8).write(to: bundle.appending(path: "project.pbxproj"))
    return folder.url.path
  }

  @Test("cat prints the file byte for byte, whether it, its folder or the folder around is named", .fixtures)
  func cat() throws {
    let folder = try TemporaryFolder()
    let root = try project(folder)
    let bytes = try Fixture.data("project/edit_pairs/spm_01/after.pbxproj")
    for path in [root, root + "/App.xcodeproj", root + "/App.xcodeproj/project.pbxproj"] {
      let outcome = try mpaas("project", "cat", path)
      #expect(outcome.status == 0, "\(path)")
      #expect(Data(outcome.output.utf8) == bytes, "\(path)")
    }
    let value = try json(mpaas("project", "cat", root, "--json").output)
    #expect((value["objects"] as? [String: Any])?.isEmpty == false)
  }

  @Test("list names targets, configurations and packages", .fixtures)
  func list() throws {
    let value = try json(mpaas("project", "list", Fixture.path(Self.real), "--json").output)
    let targets = try #require(value["targets"] as? [[String: Any]])
    #expect(targets.compactMap { $0["name"] as? String } == ["iOS", "iOSTests"])
    #expect(targets.first?["product_type"] as? String == "com.apple.product-type.application")
    #expect(value["configurations"] as? [String] == ["Debug", "Release"])
    #expect(try mpaas("project", "list", Fixture.path(Self.real), "--lang", "zh-Hans").output.contains("目标"))
  }

  @Test("check ends with 0 where all holds together, and with 1 and the line where it does not", .fixtures)
  func check() throws {
    let folder = try TemporaryFolder()
    #expect(try mpaas("project", "check", try project(folder)).status == 0)
    let broken = try project(folder) { $0.replacing("rootObject = ", with: "rootObject = 0123; old = ") }
    let outcome = try mpaas("project", "check", broken, "--json")
    let value = try json(outcome.output)
    let findings = try #require(value["findings"] as? [[String: Any]])
    #expect(outcome.status == 1)
    #expect(value["valid"] as? Bool == false)
    #expect(findings.contains { $0["rule"] as? String == "root-object" && $0["line"] is Int })
    let cut = try project(folder) { String($0.prefix(3000)) }
    let syntax = try mpaas("project", "check", cut)
    #expect(syntax.status == 1, "\(syntax.output)")
    #expect(syntax.output.contains("project.pbxproj:7:12"), "\(syntax.output)")
    #expect(try mpaas("project", "cat", cut).status == 65)
  }

  @Test("says where there is no project, and where there are several", .fixtures)
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(try mpaas("project", "list", folder.url.path).status == 66)
    let root = try project(folder)
    let second = folder.url.appending(path: "B.xcodeproj")
    try FileManager.default.copyItem(at: folder.url.appending(path: "App.xcodeproj"), to: second)
    let outcome = try mpaas("project", "list", root)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("B.xcodeproj"))
  }
}
