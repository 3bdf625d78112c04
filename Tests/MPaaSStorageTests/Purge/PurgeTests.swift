import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

/// A sandbox of a test.
struct Sandbox {
  static let now: Int64 = 1_700_000_000
  let folder: TemporaryFolder
  var root: String { folder.path + "/home" }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  /// Makes a file that was changed so many days ago.
  func file(_ path: String, _ size: Int = 10, days: Double = 0) throws {
    let url = URL(filePath: root + "/" + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 1, count: size).write(to: url)
    let date = Date(timeIntervalSince1970: Double(Self.now) - days * 86_400)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + "/" + path) }

  func purge(_ rules: PurgeRule..., free: UInt64 = 0) throws -> Purge {
    var purge = try Purge(root: root, rules: PurgeRules(rules))
    purge.now = { Self.now }
    purge.free = { _ in free }
    return purge
  }
}

@Suite("A purge") struct PurgeTests {
  @Test("takes files by the age that their path has, and none of a manual one by itself", arguments: PurgeAge.allCases)
  func age(_ age: PurgeAge) throws {
    let sandbox = try Sandbox()
    let days = Double(age.rawValue)
    try sandbox.file("c/deep/old", days: days + 0.01)
    try sandbox.file("c/young", days: max(days - 0.01, 0))
    let purge = try sandbox.purge(PurgeRule(path: "c", age: age))
    let plan = purge.plan(.automatic)
    #expect(plan.items.map(\.path) == (age == .manual ? [] : ["c/deep/old"]))
    let result = try purge.run(plan)
    #expect(result.removed == plan.items.count && result.kept.isEmpty)
    #expect(sandbox.exists("c/deep") == (age == .manual))
    #expect(sandbox.exists("c/young"))
  }

  @Test("takes the oldest files of a path that holds too much, until half of it is left")
  func size() throws {
    let sandbox = try Sandbox()
    for day in 1...9 { try sandbox.file("c/\(day)", 100, days: Double(day)) }
    let purge = try sandbox.purge(PurgeRule(path: "c", size: 800))
    let plan = purge.plan(.automatic)
    #expect(plan.items.map(\.path) == ["c/9", "c/8", "c/7", "c/6", "c/5"])
    #expect(plan.items.allSatisfy { $0.reason == .size })
    #expect(try purge.run(plan).after == 400)
    #expect(purge.plan(.automatic).items.isEmpty)
  }

  @Test("takes the oldest files of all paths until there is enough free space")
  func space() throws {
    let sandbox = try Sandbox()
    for (path, day) in [("a/1", 1), ("b/2", 2), ("a/3", 3)] { try sandbox.file(path, 100, days: Double(day)) }
    let purge = try sandbox.purge(PurgeRule(path: "a"), PurgeRule(path: "b"), free: 50)
    #expect(purge.plan(.space(151)).items.map(\.path) == ["a/3", "b/2"])
    #expect(purge.plan(.space(50)).items.isEmpty)
  }

  @Test("takes everything of its paths on a user's wish, tells its phases, and keeps everything else")
  func everything() throws {
    let sandbox = try Sandbox()
    for path in ["c/a/b/1", "c/2", "d/x.cache", "d/y.cache/3", "d/keep", "alone", "other"] { try sandbox.file(path) }
    let purge = try sandbox.purge(
      PurgeRule(path: "c"), PurgeRule(path: "d", entries: ["*.cache"]), PurgeRule(path: "alone"),
      PurgeRule(path: "missing"))
    var phases: [PurgePhase] = []
    var last: PurgeProgress?
    let result = try purge.resetAll { progress in
      if phases.last != progress.phase { phases.append(progress.phase) }
      #expect((0...1).contains(progress.fraction) && progress.freed >= last?.freed ?? 0)
      last = progress
    }
    #expect(phases == [.preCalculating, .cleaning, .postCalculating, .done])
    #expect(last?.freed == 50)
    #expect(result.removed == 5 && result.before == 50 && result.after == 0)
    #expect(!sandbox.exists("c/a") && sandbox.exists("c"))
    #expect(!sandbox.exists("d/y.cache") && sandbox.exists("d/keep") && sandbox.exists("other"))
  }

  @Test("follows no link: not to a rule's path, not in it, and not to one that came after the plan")
  func links() throws {
    let sandbox = try Sandbox()
    let outside = sandbox.folder.path + "/outside"
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: outside + "/precious"))
    try sandbox.file("c/a/precious")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: sandbox.root + "/link", withDestinationPath: outside)
    try files.createSymbolicLink(atPath: sandbox.root + "/c/link", withDestinationPath: outside)
    let purge = try sandbox.purge(
      PurgeRule(path: "link"), PurgeRule(path: "link/precious"), PurgeRule(path: "c"))
    let plan = purge.plan(.everything)
    #expect(plan.skipped == ["link", "link/precious"])
    #expect(plan.items.map(\.path).sorted() == ["c/a/precious", "c/link"])
    try files.removeItem(atPath: sandbox.root + "/c/a")
    try files.createSymbolicLink(atPath: sandbox.root + "/c/a", withDestinationPath: outside)
    let result = try purge.run(plan)
    #expect(result.kept == ["c/a/precious"])
    #expect(result.removed == 1)
    #expect(try files.contentsOfDirectory(atPath: outside) == ["precious"])
  }

  @Test("keeps a file that was changed or replaced after the plan")
  func changed() throws {
    let sandbox = try Sandbox()
    try sandbox.file("c/changed", days: 40)
    try sandbox.file("c/gone", days: 40)
    let purge = try sandbox.purge(PurgeRule(path: "c", age: .oneMonth))
    let plan = purge.plan(.automatic)
    try sandbox.file("c/changed")
    try FileManager.default.removeItem(atPath: sandbox.root + "/c/gone")
    #expect(Set(try purge.run(plan).kept) == ["c/changed", "c/gone"])
    #expect(sandbox.exists("c/changed"))
  }

  @Test("refuses paths that lead out of the sandbox", arguments: ["", "/", "..", "a/../..", "/etc", "."])
  func outside(_ path: String) {
    let error = #expect(throws: StorageError.self) { try PurgeRule(path: path) }
    #expect(error?.identifier == "storage-path-outside")
  }

  @Test("reads the list of the old suite, and refuses what is none")
  func list() throws {
    let sandbox = try Sandbox()
    let list: [[String: Any]] = [
      ["Class": "Cleaner", "Selectors": ["cleanDefaultPreferences", "cleanPurgeablePaths"]],
      ["Path": "Library/Caches", "Entries": ["*.localStorage", "LogFiles"]],
      ["Path": "tmp/", "Days": 7, "Size": 2],
    ]
    let path = sandbox.root + "/PurgeableCache.plist"
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      try data.write(to: URL(filePath: path))
      let rules = try PurgeRules(file: path)
      #expect(
        rules.rules == [
          try PurgeRule(path: "Library/Caches", entries: ["*.localStorage", "LogFiles"]),
          try PurgeRule(path: "tmp", age: .oneWeek, size: 2 << 20),
        ])
      #expect(rules.actions.map(\.selector) == ["cleanDefaultPreferences", "cleanPurgeablePaths"])
    }
    for text in ["", "{}", "<plist><array><dict/></array></plist>", "<plist><string/></plist>"] {
      try Data(text.utf8).write(to: URL(filePath: path))
      let error = #expect(throws: StorageError.self, "\(text)") { try PurgeRules(file: path) }
      #expect(error?.identifier == "storage-rules-malformed")
    }
  }
}
