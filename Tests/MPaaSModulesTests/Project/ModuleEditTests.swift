import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The files of a project") struct ModuleEditTests {
  static let manifest = """
    # The shop.
    [project]
    name = "Shop"
    platform = "ios"
    minimum = "13.0"

    [modules]
    APLog = "^1.0"  # for everybody

    [targets.App]

    [targets.Watch.modules]
    UTDID = "*"

    """

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data(Self.manifest.utf8).write(to: folder.url.appending(path: "mpaas.toml"))
  }

  func changed(_ change: (inout ModuleEdit, ProjectFiles) throws -> Void) throws -> (String, ProjectManifest) {
    let files = try ProjectFiles(in: folder.path)
    var edit = ModuleEdit(files)
    try change(&edit, files)
    return (edit.text, try ProjectManifest(reading: edit.text, file: "mpaas.toml"))
  }

  @Test("a module is asked for in all targets or in one, as a copy where that is wanted, and comments stay")
  func add() throws {
    let (text, all) = try changed { edit, _ in
      try edit.add("CartKit", "^2.0", target: nil, copies: false)
      try edit.add("UTDID", "==1.2", target: "Watch", copies: true)
      try edit.add("APLog", "^1.1", target: nil, copies: false)
    }
    #expect(text.contains("# The shop."))
    #expect(text.contains("# for everybody"))
    #expect(all.target("App")?.module("CartKit")?.requirement.text == "^2.0")
    #expect(all.target("App")?.module("APLog")?.requirement.text == "^1.1")
    #expect(all.target("Watch")?.module("UTDID")?.requirement.text == "==1.2")
    #expect(all.target("Watch")?.module("UTDID")?.place == .copy)
  }

  @Test("one target does without what all targets use")
  func removeFromTarget() throws {
    let (_, manifest) = try changed { edit, files in try edit.remove("APLog", target: "App", lock: files.lock) }
    #expect(manifest.target("App")?.module("APLog") == nil)
    #expect(manifest.target("Watch")?.module("APLog") != nil)
  }

  @Test("what no target asks for is not removed")
  func unused() throws {
    let error = #expect(throws: ModuleError.self) {
      try changed { edit, files in try edit.remove("CartKit", target: nil, lock: files.lock) }
    }
    #expect(error?.code == .projectModuleUnused)
  }

  @Test("a project is named by its folder or by a file in it, and has to be one")
  func named() throws {
    #expect(try ProjectFiles.folder(named: folder.path) == folder.path)
    #expect(try ProjectFiles.folder(named: folder.path + "/mpaas.toml") == folder.path)
    let error = #expect(throws: ModuleError.self) { try ProjectFiles.folder(named: folder.path + "/none") }
    #expect(error?.code.id == "project-missing")
  }

  @Test("a lock and a target have to be there")
  func missing() throws {
    let files = try ProjectFiles(in: folder.path)
    let lock = #expect(throws: ModuleError.self) { try files.locked() }
    #expect(lock?.code.id == "lock-missing")
    #expect(try files.manifest.targets(named: "Watch").map(\.name) == ["Watch"])
    let target = #expect(throws: ModuleError.self) { try files.manifest.targets(named: "Wach") }
    #expect(target?.code.id == "project-target-unknown")
    #expect(target?.values["suggestion"] == "Watch")
  }

  @Test("the newest version is one that every target can use, and no pre-release where there is another")
  func newest() throws {
    func release(_ text: String, ios: String?) throws -> ModuleRelease {
      var manifest = ModuleManifest(name: "CartKit", version: try #require(ModuleVersion(text)))
      if let ios { manifest.platforms[.ios] = ModuleVersion(ios) }
      let archive = ModuleArchiveFile(name: text, size: 1, sha256: "", unpackedSize: 1, fileCount: 1)
      return ModuleRelease(manifest: manifest, archive: archive, released: 0)
    }
    let releases = [
      try release("3.0.0-beta", ios: "12.0"), try release("2.0.0", ios: "15.0"), try release("1.0.0", ios: "12.0"),
    ]
    let targets = try ProjectFiles(in: folder.path).manifest.targets
    #expect(ModuleIndex(name: "CartKit", releases: releases).newest(for: targets)?.text == "1.0.0")
    #expect(ModuleIndex(name: "CartKit", releases: [releases[0]]).newest(for: targets)?.text == "3.0.0-beta")
    #expect(ModuleIndex(name: "CartKit", releases: [releases[1]]).newest(for: targets) == nil)
  }
}
