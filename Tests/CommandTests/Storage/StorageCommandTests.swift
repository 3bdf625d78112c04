import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas storage") struct StorageCommandTests {
  private func home() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    for (name, days) in [("Caches/old.cache", 30), ("Caches/new.cache", 0), ("Caches/keep", 30)] {
      let url = folder.url.appending(path: name)
      try files.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: 100).write(to: url)
      let date = Date(timeIntervalSinceNow: -86_400 * Double(days))
      try files.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
    let list: [[String: Any]] = [["Path": "Caches", "Entries": ["*.cache"], "Days": 7]]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      .write(to: folder.url.appending(path: "PurgeableCache.plist"))
    return folder
  }

  @Test("prints sizes, plans without removing, and removes what is old, then everything of the list")
  func purge() throws {
    let folder = try home()
    let sizes = try json(try mpaas("storage", "inspect", folder.path, "--json").output)
    #expect(sizes["purgeable"] as? Int == 200)
    let first = try #require((sizes["entries"] as? [[String: Any]])?.first { $0["path"] as? String == "Caches" })
    #expect(first["bytes"] as? Int == 300)
    let plan = try json(try mpaas("storage", "purge", folder.path, "--dry-run", "--json").output)
    #expect((plan["files"] as? [[String: Any]])?.map { $0["path"] as? String } == ["Caches/old.cache"])
    #expect(FileManager.default.fileExists(atPath: folder.path + "/Caches/old.cache"))
    let outcome = try mpaas("storage", "purge", folder.path)
    #expect(outcome.status == 0 && outcome.output.contains("1 file removed, 100 B freed."))
    #expect(try mpaas("storage", "purge", folder.path, "--all").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Caches") == ["keep"])
  }

  @Test("removes nothing without a list")
  func missing() throws {
    let folder = try TemporaryFolder()
    let outcome = try mpaas("storage", "purge", folder.path, "--json")
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("storage-rules-missing"))
    #expect(try mpaas("storage", "purge", folder.path, "--all", "--free", "1").status == 64)
  }
}
