import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The modules that a project uses") struct UsedModuleTests {
  let folder: TemporaryFolder
  let files: ProjectFiles

  init() throws {
    folder = try TemporaryFolder()
    let text =
      "[project]\nname = \"Shop\"\n[modules]\nAPLog = \"^1\"\n[targets.App]\n[targets.Watch.modules]\nUTDID = \"*\"\n"
    try Data(text.utf8).write(to: folder.url.appending(path: "mpaas.toml"))
    let project = try ProjectManifest(reading: text, file: "mpaas.toml")
    let module = LockedModule(
      name: "APLog", version: ModuleVersion(numbers: [1, 0, 0]), registry: "main",
      sha256: String(repeating: "a", count: 64), size: 1)
    let lock = ProjectLock(modules: [module], targets: project.targets.map { LockedTarget($0) })
    try Data(lock.text.utf8).write(to: folder.url.appending(path: ProjectLock.fileName))
    files = try ProjectFiles(in: folder.path)
  }

  @Test("are one row for targets that have the same, and rows for those that have not")
  func rows() throws {
    let newest = ModuleVersion(numbers: [1, 2, 0])
    let modules = files.modules(of: files.manifest.targets) { name, registry in
      name == "APLog" && registry == "main" ? newest : nil
    }
    #expect(modules.map(\.name) == ["APLog", "UTDID"])
    #expect(modules[0].targets.sorted() == ["App", "Watch"])
    #expect(modules[0].requirement == "^1")
    #expect(modules[0].locked == ModuleVersion(numbers: [1, 0, 0]))
    #expect(modules[0].newest == newest)
    #expect(modules.map(\.placed) == [nil, nil])
    #expect(modules[1].targets == ["Watch"])
    #expect(modules[1].locked == nil)
  }

  @Test("are asked for by a name with or without a requirement")
  func requests() throws {
    #expect(try ModuleRequest("APLog").requirement == nil)
    #expect(try ModuleRequest("APLog@^1.2").requirement == "^1.2")
    for word in ["", "../x", "APLog@", "APLog@^x"] {
      let error = #expect(throws: ModuleError.self) { try ModuleRequest(word) }
      #expect(error?.code.id == "module-add-word")
    }
  }
}
