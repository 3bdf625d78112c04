import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSModules

@Suite("Archives that nobody needs") struct StoreArchiveTests {
  @Test("go with what is left of ended downloads, but not those that are wanted or on their way")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let store = ModuleStore(folder: folder.path + "/modules")
    let archives = store.folder + "/archives"
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: true)
    let (gone, wanted, coming) = (digest("a"), digest("b"), digest("c"))
    for sha256 in [gone, wanted, coming] {
      for ending in [".partial", ".partial.source", ".lock"] {
        try Data("x".utf8).write(to: URL(filePath: "\(archives)/\(sha256)\(ending)"))
      }
    }
    try Data("y".utf8).write(to: URL(filePath: "\(archives)/\(wanted)"))
    let lock = try #require(try ArchiveLock.take("\(archives)/\(coming).lock"))
    let before = try FileSystem.names(in: archives).sorted()
    let kept = try store.collect(keeping: [wanted], keepsArchives: true) { _ in nil }
    #expect(kept.pathCount == 0)
    let trial = try store.collect(keeping: [wanted], isTrial: true) { _ in nil }
    #expect(trial.pathCount == 3)
    #expect(try FileSystem.names(in: archives).sorted() == before)
    _ = try store.collect(keeping: [wanted]) { _ in nil }
    #expect(try FileSystem.names(in: archives).sorted() == before.filter { !$0.hasPrefix(gone) })
    withExtendedLifetime(lock) {}
  }

  private func digest(_ letter: Character) -> String { String(repeating: letter, count: 64) }
}
