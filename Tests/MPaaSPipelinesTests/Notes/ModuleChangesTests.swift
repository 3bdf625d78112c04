import Foundation
import MPaaSModules
import MPaaSPipelines
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("The modules that changed between two versions") struct ModuleChangesTests {
  static func lock(_ versions: [String: [UInt64]]) -> ProjectLock {
    ProjectLock(
      modules: versions.map { name, numbers in
        LockedModule(
          name: name, version: ModuleVersion(numbers: numbers), registry: "main",
          sha256: String(repeating: "a", count: 64), size: 1)
      })
  }

  static func index(_ name: String) -> ModuleIndex {
    ModuleIndex(
      name: name,
      releases: ([[1, 2, 0], [1, 1, 0], [1, 0, 0]] as [[UInt64]]).map { numbers in
        var manifest = ModuleManifest(name: name, version: ModuleVersion(numbers: numbers))
        manifest.notes = LocalizedText(english: "New \(numbers[1])", simplifiedChinese: "新 \(numbers[1])")
        return ModuleRelease(
          manifest: manifest,
          archive: ModuleArchiveFile(name: "a", size: 1, sha256: "", unpackedSize: 1, fileCount: 1), released: 0)
      })
  }

  @Test("are told by name, with the notes of each version between, newest first")
  func notes() {
    let old = LockVersion(name: "v1", lock: Self.lock(["A": [1, 0, 0], "B": [1, 0, 0], "C": [1, 0, 0]]))
    let new = LockVersion(name: "v2", lock: Self.lock(["A": [1, 2, 0], "C": [1, 0, 0], "D": [1, 1, 0]]))
    let changes = ModuleChanges(from: old, to: new) { name, _ in name == "D" ? nil : Self.index(name) }
    #expect(changes.changes.map(\.name) == ["A", "B", "D"])
    #expect(changes.changes[0].notes.map(\.version.text) == ["1.2.0", "1.1.0"])
    #expect(changes.changes[0].notes[0].notes.simplifiedChinese == "新 2")
    #expect(changes.changes[1].to == nil)
    #expect(changes.changes[2].from == nil)
    #expect(changes.unknown == ["D"])
  }

  @Test(
    "are those of a range, split where its ends are",
    arguments: [
      ("v1..v2", "v1", "v2"), ("v1..", "v1", ""), ("../a.lock..b.lock", "../a.lock", "b.lock"),
      ("../a.lock..../b", "../a.lock", "../b"), ("HEAD~1..b.lock", "HEAD~1", "b.lock"),
    ])
  func ranges(_ text: String, _ from: String, _ to: String) throws {
    let range = try LockRange(text) { ["../a.lock", "b.lock", "../b"].contains($0) }
    #expect(range.from == from)
    #expect(range.to == to)
  }

  @Test("of no range are refused", arguments: ["v1", "..v2", "..", ""])
  func malformed(_ text: String) {
    let error = #expect(throws: PipelineError.self) { try LockRange(text) { _ in false } }
    #expect(error?.code.id.name == "ci-range-malformed")
  }

  @Test("come from files, folders and revisions of git")
  func history() throws {
    let folder = try TemporaryFolder()
    let lock = Self.lock(["A": [1, 0, 0]])
    try Data(lock.text.utf8).write(to: folder.url.appending(path: ProjectLock.fileName))
    let git = ProcessRunner { (request) throws(FileError) in
      let isKnown = request.arguments.contains { $0.hasPrefix("v1") }
      if request.arguments.contains("rev-parse") { return .init(status: isKnown ? 0 : 1) }
      return .init(status: isKnown ? 0 : 128, output: isKnown ? lock.text : "")
    }
    let history = LockHistory(of: folder.path, processes: git)
    #expect(try history.version("").lock == lock)
    #expect(try history.version(folder.path).lock == lock)
    #expect(try history.version(folder.path + "/mpaas.lock").lock == lock)
    #expect(try history.version("v1").lock == lock)
    let error = #expect(throws: PipelineError.self) { try history.version("v2") }
    #expect(error?.code.id.name == "ci-revision-unknown")
    #expect(throws: PipelineError.self) { try history.version("--output=x") }
  }
}
