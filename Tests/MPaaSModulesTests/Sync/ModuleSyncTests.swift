import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// A signed registry in a folder, made by the command, and a project that uses it.
struct SyncSample {
  let folder: TemporaryFolder
  var project: String { folder.path + "/project" }
  private var repository: String { folder.path + "/repo" }

  init() throws {
    folder = try TemporaryFolder()
    try run("key", "generate", "--name", "anna", "--unencrypted")
    try run("registry", "init", repository)
    try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
    for (name, version, needs) in [
      ("UTDID", "1.0.0", nil), ("APLog", "1.0.0", "UTDID"), ("APLog", "1.1.0", "UTDID"), ("Other", "2.0", nil),
    ] { try add(name, version, needs: needs) }
    try FileManager.default.copyItem(
      atPath: repository + "/metadata/1.root.json", toPath: project + "/main.root.json")
  }

  func run(_ arguments: String...) throws {
    let outcome = try Command.run("mpaas", arguments, environment: ["MPAAS_HOME": folder.path + "/publisher"])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  func add(_ name: String, _ version: String, needs: String?) throws {
    let source = "\(folder.path)/modules/\(name)-\(version)"
    try FileManager.default.createDirectory(atPath: source + "/src", withIntermediateDirectories: true)
    try write("int a = 1; // \(version)\n", source + "/src/a.c")
    var text = "[module]\nname = \"\(name)\"\nversion = \"\(version)\"\n[contents]\nsources = [\"src\"]\n"
    if let needs { text += "[dependencies]\n\(needs) = \"*\"\n" }
    try write(text, source + "/module.toml")
    let archives = "\(folder.path)/archives/\(name)-\(version)"
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: true)
    try run("registry", "pack", source, "--output", archives)
    try run("registry", "add", "\(archives)/\(name)-\(version).tar.zst", "--repository", repository, "--key", "anna")
  }

  func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  func manifest(_ modules: String) throws {
    try write(
      "[project]\nname = \"Shop\"\n[registries.main]\nurl = \"../repo\"\nroot = \"main.root.json\"\n[modules]\n\(modules)\n",
      project + "/mpaas.toml")
  }

  func sync(_ options: SyncOptions = SyncOptions(), home: String = "user") async throws -> SyncOutcome {
    try await ModuleSync(
      folder: project, directories: Directories(environment: ["MPAAS_HOME": folder.path + "/" + home]),
      userAgent: "test"
    ).run(options)
  }

  func text(_ path: String) throws -> String { try String(contentsOfFile: project + "/" + path, encoding: .utf8) }
  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: project + "/" + path) }
}

@Suite("A project brought into step") struct ModuleSyncTests {
  @Test(
    "places what the manifest asks for and what that needs; a second run changes nothing; another machine gets the same lock"
  )
  func first() async throws {
    let sample = try SyncSample()
    try sample.manifest("APLog = \"^1.0\"")
    let first = try await sample.sync()
    #expect(first.changes.map(\.name) == ["APLog", "UTDID"])
    #expect(first.wroteLock)
    #expect(first.downloads == 2)
    #expect(sample.exists("MPaaS/Modules/APLog/src/a.c"))
    #expect(sample.exists("MPaaS/Modules/UTDID/src/a.c"))
    let lock = try sample.text("mpaas.lock")
    #expect(lock.contains("1.1.0"))
    let second = try await sample.sync()
    #expect(second.isUnchanged, "\(second)")
    try FileManager.default.removeItem(atPath: sample.project + "/mpaas.lock")
    try FileManager.default.removeItem(atPath: sample.project + "/MPaaS")
    let other = try await sample.sync(home: "other")
    #expect(other.downloads == 2)
    #expect(try sample.text("mpaas.lock") == lock)
  }

  @Test("keeps the lock's versions until an update is asked for, and takes away what is no longer used")
  func lockAndUpdate() async throws {
    let sample = try SyncSample()
    try sample.manifest("APLog = \"1.0.0\"\nOther = \"*\"")
    _ = try await sample.sync()
    try sample.manifest("APLog = \"^1.0\"")
    let kept = try await sample.sync()
    #expect(kept.changes.map(\.name) == ["Other"])
    #expect(kept.removed == ["MPaaS/Modules/Other"])
    #expect(try sample.text("MPaaS/Modules/APLog/src/a.c").contains("1.0.0"))
    var options = SyncOptions()
    options.update = .all
    options.dryRun = true
    let plan = try await sample.sync(options)
    #expect(plan.changes.map(\.name) == ["APLog"])
    #expect(plan.changes[0].notes.map(\.version.text) == ["1.1.0"])
    #expect(try sample.text("MPaaS/Modules/APLog/src/a.c").contains("1.0.0"))
    options.dryRun = false
    _ = try await sample.sync(options)
    #expect(try sample.text("MPaaS/Modules/APLog/src/a.c").contains("1.1.0"))
  }

  @Test("frozen needs a lock that fits, never writes it, and asks nobody when everything is stored")
  func frozen() async throws {
    let sample = try SyncSample()
    try sample.manifest("APLog = \"^1.0\"")
    var options = SyncOptions()
    options.frozen = true
    await #expect(throws: ModuleError.self) { try await sample.sync(options) }
    _ = try await sample.sync()
    try FileManager.default.removeItem(atPath: sample.project + "/MPaaS")
    try FileManager.default.removeItem(atPath: sample.folder.path + "/repo")
    #expect(try await sample.sync(options).placed.count == 2)
    try sample.manifest("APLog = \"1.0.0\"")
    await #expect(throws: ModuleError.self) { try await sample.sync(options) }
  }

  @Test("does not overwrite what somebody changed, unless that is asked for")
  func changedFiles() async throws {
    let sample = try SyncSample()
    try sample.manifest("APLog = { version = \"1.0.0\", place = \"copy\" }")
    _ = try await sample.sync()
    try sample.write("mine", sample.project + "/MPaaS/Modules/APLog/src/a.c")
    let kept = try await sample.sync()
    #expect(kept.kept == ["MPaaS/Modules/APLog/src/a.c"])
    try sample.manifest("APLog = { version = \"1.1.0\", place = \"copy\" }")
    await #expect(throws: ModuleError.self) { try await sample.sync() }
    #expect(try sample.text("MPaaS/Modules/APLog/src/a.c") == "mine")
    #expect(try sample.text("mpaas.lock").contains("1.0.0"))
    var options = SyncOptions()
    options.force = true
    _ = try await sample.sync(options)
    #expect(try sample.text("MPaaS/Modules/APLog/src/a.c").contains("1.1.0"))
  }
}
