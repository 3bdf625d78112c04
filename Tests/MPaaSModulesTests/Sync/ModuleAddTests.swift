import Foundation
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Modules that a project is to use") struct ModuleAddTests {
  private let registry: SignedModules
  private let catalog: ModuleCatalog
  private let files: ProjectFiles

  init() async throws {
    registry = try SignedModules([.init("APLog", "1.0.0"), .init("APLog", "1.1.0"), .init("Other", "2.0.0")])
    catalog = try await registry.user().catalog()
    let folder = try TemporaryFolder()
    try Data("[project]\nname = \"Shop\"\n".utf8).write(to: folder.url.appending(path: "mpaas.toml"))
    files = try ProjectFiles(in: folder.path)
  }

  /// The requirements of the modules that words add, and the names that a catalogue was asked for.
  private func added(_ words: String...) async throws -> (requirements: [String: String], asked: [String]) {
    var edit = ModuleEdit(files)
    var asked: [String] = []
    try await edit.add(words, for: files.manifest.targets, target: nil, copies: false) { name in
      asked.append(name)
      return catalog
    }
    let modules = try ProjectManifest(reading: edit.text, file: "mpaas.toml").targets.first?.modules ?? []
    return (Dictionary(modules.map { ($0.name, $0.requirement.text) }, uniquingKeysWith: { $1 }), asked)
  }

  @Test("are asked for from their newest version on, and one catalogue serves for all")
  func newest() async throws {
    let (requirements, asked) = try await added("APLog", "Other")
    #expect(requirements == ["APLog": "^1.1.0", "Other": "^2.0.0"])
    #expect(asked == ["APLog"])
  }

  @Test("with a requirement are taken as they are named, and no registry is asked")
  func requirement() async throws {
    let (requirements, asked) = try await added("Nowhere@>=3", "APLog@==1.0")
    #expect(requirements == ["Nowhere": ">=3", "APLog": "==1.0"])
    #expect(asked == [])
  }

  @Test("that no registry has are refused with the nearest name")
  func unknown() async throws {
    let error = await #expect(throws: ModuleError.self) { try await added("APLo") }
    #expect(error?.code.id == "sdk-module-unknown-near")
  }

  @Test("are refused as a whole where a word is none", arguments: ["", "@1", "APLog@", "a b", "APLog@nothing"])
  func badWord(word: String) async throws {
    let error = await #expect(throws: ModuleError.self) { try await added("APLog", word) }
    #expect(error?.code.id == "module-add-word")
  }

  // MARK: Modules that stay

  private func locked(_ name: String, needs: String...) -> LockedModule {
    var module = LockedModule(
      name: name, version: ModuleVersion(numbers: [1, 0, 0]), registry: "main",
      sha256: String(repeating: "a", count: 64),
      size: 1)
    module.dependencies = needs.compactMap { need in
      VersionRequirement("*").map { LockedDependency(need, $0) }
    }
    return module
  }

  @Test("stay where others need them that stay, too")
  func owners() {
    let lock = ProjectLock(
      modules: [locked("A", needs: "C"), locked("B", needs: "C"), locked("C"), locked("D", needs: "A")], targets: [])
    #expect(lock.owners(of: "C", among: ["A", "B", "C"]) == ["A", "B"])
    #expect(lock.owners(of: "C", among: ["B", "C"]) == ["B"])
    #expect(lock.owners(of: "C", among: ["A", "B"]) == [])
    #expect(lock.owners(of: "D", among: ["A", "B", "C", "D"]) == [])
  }
}
