import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The symbol store") struct SymbolStoreTests {
  let folder: TemporaryFolder
  let store: SymbolStore

  init() throws {
    folder = try TemporaryFolder()
    store = SymbolStore(folder.path + "/symbols")
  }

  private func add(_ name: String) throws -> [AddedSymbols] {
    try store.add(Fixture.path("crash/elf/" + name))
  }

  private var files: [String] {
    let base = folder.path + "/symbols/"
    let all = FileManager.default.enumerator(atPath: base)?.allObjects as? [String] ?? []
    return all.filter { FileStatus(base + $0)?.kind == .file && $0 != "lock" }.sorted()
  }

  @Test("keeps a debug file under its build ID and knows it the second time", .fixtures)
  func twice() throws {
    guard case .added(let entry) = try #require(try add("matrix/split.debug").first) else {
      Issue.record("not added")
      return
    }
    #expect(entry.role == .debugInfo)
    #expect(entry.name == "split.debug")
    #expect(entry.architecture == "x86_64")
    #expect(entry.sections.contains("debug_info"))
    let before = try store.list()
    #expect(try add("matrix/split.debug") == [.known(entry)])
    #expect(try store.list() == before)
    let id = entry.buildID.hex
    #expect(
      files == ["\(id.prefix(2))/\(id.dropFirst(2))/debuginfo", "\(id.prefix(2))/\(id.dropFirst(2))/debuginfo.json"])
    #expect(try Data(contentsOf: URL(filePath: store.path(of: entry))) == Fixture.data("crash/elf/matrix/split.debug"))
  }

  @Test("keeps the program and its debug file beside each other", .fixtures)
  func roles() throws {
    _ = try add("matrix/split")
    _ = try add("matrix/split.debug")
    let entries = try store.list()
    #expect(Set(entries.map(\.role)) == [.executable, .debugInfo])
    #expect(Set(entries.map(\.buildID)).count == 1)
  }

  @Test("refuses what it could never find again or that tells nothing", .fixtures)
  func refused() throws {
    #expect(throws: StoreError.noBuildID(path: try Fixture.path("crash/elf/matrix/dwo5.dwo"))) {
      try add("matrix/dwo5.dwo")
    }
    #expect(throws: StoreError.self) { try store.add(Fixture.path("README.md")) }
    #expect(throws: StoreError.self) { try store.add("/nowhere") }
    #expect(try store.list().isEmpty)
  }

  @Test("removes a build with all its files", .fixtures)
  func remove() throws {
    _ = try add("matrix/split")
    _ = try add("matrix/split.debug")
    let id = try #require(try store.list().first?.buildID)
    try Bytes([1]).write(to: store.folder(of: id) + "/index")
    #expect(try store.builds(matching: String(id.hex.prefix(8))) == [id])
    #expect(try store.builds(matching: "split") == [id])
    #expect(try store.remove(id).count == 2)
    #expect(files.isEmpty)
    #expect(try store.remove(id).isEmpty)
  }

  @Test("removes the builds that words name, and tells of each file while it is there", .fixtures)
  func removeNamed() throws {
    _ = try add("matrix/split")
    _ = try add("matrix/split.debug")
    let id = try #require(store.list().first?.buildID)
    var seen: [SymbolRole: Bool] = [:]
    try store.remove(matching: [String(id.hex.prefix(8))]) { entry in
      seen[entry.role] = FileStatus(store.path(of: entry)) != nil
    }
    #expect(seen == [.executable: true, .debugInfo: true])
    #expect(try store.list().isEmpty)
  }

  @Test("removes nothing where one of the words names no build", .fixtures)
  func removeUnknown() throws {
    _ = try add("matrix/split.debug")
    let id = try #require(store.list().first?.buildID)
    #expect(throws: StoreError.unknownBuild(word: "nothing")) {
      try store.remove(matching: [id.hex, "nothing"]) { _ in Issue.record("a file was about to go") }
    }
    #expect(try store.list().count == 1)
  }

  @Test("collects what nobody used for long, and leftovers, but not what was used", .fixtures)
  func collect() throws {
    _ = try add("matrix/split.debug")
    _ = try add("matrix/gcc-dwarf4")
    let used = try #require(try store.list().first)
    let leftover = store.path(of: used) + ".Ab12Cd"
    try Bytes([1, 2, 3]).write(to: leftover)
    let day: Int64 = 86_400
    var later = store
    later.now = { Int64(Date().timeIntervalSince1970) + 10 * day }
    let trial = try later.collect(olderThan: 5 * day, dryRun: true)
    #expect(trial.removed.count == 2)
    #expect(files.count == 5)
    let nothing = try later.collect(olderThan: 20 * day)
    #expect(nothing.removed.isEmpty)
    #expect(nothing.orphans == [leftover])
    #expect(nothing.size == 3)
    #expect(files.count == 4)
    #expect(try later.collect(olderThan: 5 * day).removed.count == 2)
    #expect(files.isEmpty)
  }

  @Test("finds the one build that a word names, and says where there is none or more than one", .fixtures)
  func named() throws {
    for name in ["split", "gcc-dwarf4"] { _ = try add("matrix/" + name) }
    let ids = try store.list().map(\.buildID)
    #expect(try store.build(matching: "split") == ids.first { store.entries(of: $0).first?.name == "split" })
    #expect(try store.build(matching: ids[1].hex) == ids[1])
    #expect(throws: StoreError.unknownBuild(word: "")) { try store.build(matching: "") }
    #expect(throws: StoreError.unknownBuild(word: "nowhere")) { try store.build(matching: "nowhere") }
    // Digits of nothing but dashes begin each ID.
    let builds = try store.builds(matching: "-")
    #expect(builds.count == 2)
    #expect(throws: StoreError.ambiguousBuild(word: "-", builds: builds)) { try store.build(matching: "-") }
  }

  @Test("does not count a file whose description is missing, damaged or of another size", .fixtures)
  func damaged() throws {
    _ = try add("matrix/split.debug")
    let entry = try #require(try store.list().first)
    let description = store.path(of: entry) + ".json"
    try Bytes(Array("{".utf8)).write(to: description)
    #expect(try store.list().isEmpty)
    #expect(store.use(entry.buildID, .debugInfo) == nil)
    _ = try add("matrix/split.debug")
    #expect(try store.list().count == 1)
    try Bytes([0]).write(to: store.path(of: entry))
    #expect(try store.list().isEmpty)
  }

  @Test("is whole after many writers at once", .fixtures)
  func concurrent() async throws {
    let names = ["gcc-dwarf4", "gcc-dwarf5", "split", "split.debug", "gcc-zlib", "clang-dwarf5"]
    let store = store
    await withTaskGroup(of: Void.self) { group in
      for round in 0..<4 {
        for name in names {
          group.addTask {
            _ = try? store.add(Fixture.path("crash/elf/matrix/" + name))
            if round % 2 == 1 { _ = try? store.collect(olderThan: nil) }
          }
        }
      }
    }
    for name in names { _ = try add("matrix/" + name) }
    let ids = try Set(names.map { try fixtureImage("crash/elf/matrix/" + $0).buildID?.hex })
    #expect(Set(try store.list().map(\.buildID.hex)) == Set(ids.compactMap { $0 }))
    #expect(try store.collect(olderThan: nil).orphans.isEmpty)
  }

  @Test("is emptied by many at once without a complaint of any of them", .fixtures)
  func emptiedTogether() async throws {
    let names = ["gcc-dwarf4", "gcc-dwarf5", "split.debug", "gcc-zlib", "clang-dwarf5"]
    let store = store
    for _ in 0..<6 {
      let ids = try names.flatMap { try add("matrix/" + $0) }.map { added in
        switch added {
        case .added(let entry), .known(let entry): entry.buildID
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask { _ = try store.collect(olderThan: -1) }
          group.addTask { for id in ids { _ = try store.remove(id) } }
        }
        try await group.waitForAll()
      }
      #expect(try store.list().isEmpty)
    }
  }

  @Test("an empty store lists nothing and collects nothing, and is not made by that")
  func empty() throws {
    #expect(try store.list().isEmpty)
    #expect(try store.collect(olderThan: 0) == CollectedSymbols())
    #expect(FileStatus(folder.path + "/symbols") == nil)
  }
}
