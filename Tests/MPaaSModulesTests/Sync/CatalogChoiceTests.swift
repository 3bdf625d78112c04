import Foundation
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("What is chosen from a catalogue") struct CatalogChoiceTests {
  private let registry: SignedModules
  let user: SDKUser
  let catalog: ModuleCatalog

  init() async throws {
    registry = try SignedModules([.init("APLog", "1.0.0"), .init("APLog", "1.1.0"), .init("Other", "2.0.0")])
    user = try registry.user()
    catalog = try await user.catalog()
  }

  @Test("a search needs all words, in names before notes")
  func search() throws {
    #expect(try catalog.search(["aplog"]).map(\.index.name) == ["APLog"])
    #expect(try catalog.search(["NEW"]).map(\.index.name) == ["APLog", "Other"])
    #expect(try catalog.search(["2.0.0"]).map(\.index.name) == ["Other"])
    #expect(try catalog.search(["other", "nothing"]).isEmpty)
  }

  @Test("modules of this machine are outdated by the newest version")
  func outdatedHere() throws {
    let local = LocalModules(versions: ["APLog": [ModuleVersion(numbers: [1, 0, 0])], "Mine": []])
    let found = try OutdatedModule.all(local, of: catalog)
    #expect(found.map(\.name) == ["APLog"])
    #expect(found.first?.allowed?.text == "1.1.0")
    #expect(found.first?.notes.map(\.version.text) == ["1.1.0"])
  }

  @Test("modules of a project are outdated by what it has locked, and an update brings what it allows")
  func outdatedInProject() throws {
    let folder = try TemporaryFolder()
    let text = "[project]\nname = \"Shop\"\n[modules]\nAPLog = \"<1.1\"\n"
    let project = try ProjectManifest(reading: text, file: folder.path + "/mpaas.toml")
    #expect(try OutdatedModule.all(project, of: catalog).isEmpty)
    let module = LockedModule(
      name: "APLog", version: ModuleVersion(numbers: [1, 0, 0]), registry: "main",
      sha256: String(repeating: "a", count: 64), size: 1)
    let lock = ProjectLock(modules: [module], targets: project.targets.map { LockedTarget($0) })
    try Data(lock.text.utf8).write(to: folder.url.appending(path: ProjectLock.fileName))
    let found = try OutdatedModule.all(project, of: catalog)
    #expect(found.map(\.current.text) == [module.version.text])
    #expect(found.map(\.newest.text) == ["1.1.0"])
    #expect(found.map(\.requirement) == ["<1.1"])
  }

  @Test("modules to mirror are named, or those that a project has locked")
  func wanted() throws {
    #expect(
      try ModuleDownloads.Wanted.named(["APLog@1.0.0", "Other"], of: catalog).map(\.label) == [
        "APLog 1.0.0", "Other 2.0.0",
      ])
    let error = #expect(throws: ModuleError.self) { try ModuleDownloads.Wanted.locked(by: nil, of: catalog) }
    #expect(error?.code.id == "vendor-nothing")
  }
}
