import Foundation
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Care of the store", .tool("python3")) struct StoreCareTests {
  let sample: SampleStore

  init() throws {
    sample = try SampleStore()
  }

  private func damage(_ path: String, _ content: String = "CONTENT") throws {
    try FileManager.default.removeItem(atPath: path)
    try Data(content.utf8).write(to: URL(filePath: path))
  }

  /// Puts a module's archive where downloads are kept.
  private func keepArchive(_ module: StoredModule) throws {
    try FileManager.default.createDirectory(
      atPath: sample.store.folder + "/archives", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(sample.home.path)/\(module.name)-\(module.version).tar",
      toPath: sample.store.archive(sha256: module.sha256))
  }

  @Test("finds a store without a fault good, and one that is not there")
  func good() async throws {
    #expect(try await sample.store.verify(mending: true).isGood)
    _ = try sample.add()
    _ = try sample.add("Other", "2.0")
    let found = try await sample.store.verify(mending: false)
    #expect(found.isGood)
    #expect(found.modules.count == 2)
    #expect(found.others.isEmpty)
    #expect(found.modules.allSatisfy { $0.state == .good && $0.faults.isEmpty })
  }

  @Test("finds what is damaged, missing and writable, and mends it out of the archive")
  func mends() async throws {
    let module = try sample.add("Demo", "1.0", "f('a', 'content'), f('b', 'bbb'), f('c', 'ccc')")
    try keepArchive(module)
    try damage(sample.file("a", of: module))
    try FileManager.default.removeItem(atPath: sample.file("b", of: module))
    #expect(chmod(try sample.file("c", of: module), 0o644) == 0)
    let found = try await sample.store.verify(mending: false)
    #expect(!found.isGood)
    #expect(found.modules.map(\.state) == [.faulty])
    #expect(
      found.modules.first?.faults.map { "\($0.path) \($0.fault)" } == ["a damaged", "b missing", "c writable"])
    let mended = try await sample.store.verify(mending: true)
    #expect(mended.isGood)
    #expect(mended.modules.map(\.state) == [.mended])
    let after = try await sample.store.verify(mending: false)
    #expect(after.isGood)
    #expect(after.modules.map(\.state) == [.good])
    #expect(after.others.isEmpty)
  }

  @Test("takes out what cannot be mended, so that the next download brings it")
  func lost() async throws {
    let module = try sample.add()
    let other = try sample.add("Other", "1.0", "f('o')")
    try damage(sample.file("A/a", of: module))
    let found = try await sample.store.verify(mending: true)
    #expect(!found.isGood)
    #expect(found.modules.map(\.state) == [.lost, .good])
    #expect(try sample.store.modules() == [other])
    _ = try sample.add()
    #expect(try await sample.store.verify(mending: false).isGood)
  }

  @Test("looks at the modules that are asked for, and tells damaged documents and strange files only of all")
  func some() async throws {
    let module = try sample.add()
    let other = try sample.add("Other", "1.0", "f('o', 'other')")
    try damage(sample.file("o", of: other), "OTHER")
    let found = try await sample.store.verify(mending: false, only: { $0.name == "Demo" })
    #expect(found.isGood)
    #expect(found.modules.map(\.module) == [module])
    try Data("x".utf8).write(to: URL(filePath: sample.store.folder + "/files/strange"))
    let all = try await sample.store.verify(mending: false)
    #expect(all.others.map { "\($0.path) \($0.fault)" } == ["files/strange extra"])
  }

  @Test("makes a shared tree again that somebody changed")
  func sharedTree() async throws {
    let module = try sample.add()
    try sample.store.place(module, at: sample.project + "/Demo", by: .shared)
    try FileManager.default.removeItem(atPath: sample.project + "/Demo/A/a")
    #expect(try await !sample.store.verify(mending: false).isGood)
    #expect(try await sample.store.verify(mending: true).isGood)
    #expect(text(sample.project + "/Demo/A/a") == "content")
  }

  @Test("keeps what known projects use, forgets projects that are gone, and frees the rest")
  func collects() throws {
    let kept = try sample.add("Kept", "1.0", "f('k', 'kept'), f('both', 'both')")
    let named = try sample.add("Named", "1.0", "f('n', 'named')")
    let free = try sample.add("Free", "1.0", "f('f', 'free'), f('both', 'both')")
    for module in [kept, free] { try keepArchive(module) }
    try sample.store.place(free, at: sample.home.path + "/elsewhere/Free", by: .link)
    try sample.store.place(free, at: sample.home.path + "/elsewhere/Shared", by: .shared)
    let gone = sample.home.path + "/gone"
    try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: true)
    for project in [sample.project, gone, sample.project] { try sample.store.note(project: project) }
    try "version = 1\n\n[[module]]\nname = \"Kept\"\nsha256 = \"\(kept.sha256)\"\n".write(
      toFile: sample.project + "/mpaas.lock", atomically: true, encoding: .utf8)
    func collect(isTrial: Bool, all: Bool = false) throws -> StoreCollection {
      try sample.store.collect(
        keeping: [named.sha256], all: all, isTrial: isTrial, used: ModuleStore.lockedDigests)
    }
    let trial = try collect(isTrial: true)
    #expect(trial.removed == [free])
    #expect(trial.size > 0)
    #expect(try sample.store.modules().count == 3)
    #expect(try sample.store.knownProjects().count == 2)
    let done = try collect(isTrial: false)
    #expect(done.removed == [free])
    #expect(done.size == trial.size)
    #expect(done.pathCount == trial.pathCount)
    #expect(done.goneProjects.count == 1)
    #expect(done.projectCount == 1)
    #expect(try sample.store.modules() == [kept, named])
    #expect(try sample.store.knownProjects().count == 1)
    #expect(sample.names("archives") == [kept.sha256])
    #expect(sample.names("trees").isEmpty)
    #expect(try text(sample.file("both", of: kept)) == "both")
    #expect(text(sample.home.path + "/elsewhere/Free/f") == "free")
    #expect(try collect(isTrial: false).pathCount == 0)
    #expect(try collect(isTrial: false, all: true).removed == [kept])
  }

  @Test("removes nothing while a lock cannot be read, or while others use the store")
  func careful() throws {
    let module = try sample.add()
    try sample.store.note(project: sample.project)
    try "[[module".write(toFile: sample.project + "/mpaas.lock", atomically: true, encoding: .utf8)
    #expect(throws: ModuleError.self) { try sample.store.collect(used: ModuleStore.lockedDigests) }
    let use = try sample.store.use()
    do throws(ModuleError) {
      _ = try sample.store.collect(patience: 60, used: { (_) throws(ModuleError) in nil })
      Issue.record("collected under another's feet")
    } catch {
      #expect(error.code == .storeBusy)
    }
    withExtendedLifetime(use) {}
    #expect(try sample.store.modules() == [module])
  }
}
