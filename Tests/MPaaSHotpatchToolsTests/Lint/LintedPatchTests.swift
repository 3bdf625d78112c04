import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatchTools

@Suite("The patches that a check looks at") struct LintedPatchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Directories.create(folder.path + "/patch/shop")
    try Directories.create(folder.path + "/empty")
    try write("return 1\n", "patch/main.lua")
    try write("return 2\n", "patch/shop/prices.lua")
  }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  @Test("a folder is one patch with all its files")
  func folders() throws {
    let patches = try LintedPatch.all([folder.path + "/patch"])
    #expect(patches.map { $0.files.map(\.path) } == [["main.lua", "shop/prices.lua"]])
    #expect(patches.first?.modules == [])
  }

  @Test("a file by itself knows its neighbors as modules, and counts once")
  func files() throws {
    let file = folder.path + "/patch/main.lua"
    let patches = try LintedPatch.all([file, file])
    #expect(patches.map { $0.files.map(\.name) } == [[file]])
    #expect(patches.first?.modules == ["main", "shop.prices"])
  }

  @Test("a folder without Lua files is no patch that passes")
  func empty() throws {
    let path = folder.path + "/empty"
    #expect(throws: TrustError(.lintNoFiles, ["path": path], at: .file(path))) { try LintedPatch.all([path]) }
  }

  @Test("what can be mended is written back, with the permissions that the file had")
  func mend() throws {
    let path = folder.path + "/patch/main.lua"
    try write("if 1 != 2 then end\n", "patch/main.lua")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let patch = try #require(try LintedPatch.all([path]).first)
    let mended = try LintFixer(PatchLinter(modules: patch.modules)).mendOnDisk(patch.files)
    #expect(mended.map(\.fixed) == [1])
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("~="))
    #expect(FileStatus(path)?.permissions == 0o600)
  }
}
