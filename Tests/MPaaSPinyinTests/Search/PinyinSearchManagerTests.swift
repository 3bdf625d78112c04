import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

/// The record that an app searches.
struct Contact: Sendable, Equatable {
  var name: String
  var account: String?

  init(_ name: String, _ account: String? = nil) {
    self.name = name
    self.account = account
  }
}

@Suite("The search manager")
struct PinyinSearchManagerTests {
  private func manager(_ contacts: [Contact] = []) -> PinyinSearchManager<Contact> {
    let manager = PinyinSearchManager<Contact>(primary: \.name, secondary: \.account)
    if !contacts.isEmpty { manager.build(contacts) }
    return manager
  }

  @Test("matches say which element, where it stands, what of its text matched and how")
  func positions() async throws {
    let manager = manager([Contact("Tom张", "tom@a"), Contact("👨‍👩‍👧张 三丰", "zsf"), Contact("李小龙", "13800")])
    let found = try await manager.search("张sanf")
    let match = try #require(found.matches.first)
    #expect(found.matches.count == 1)
    #expect(match.element.account == "zsf")
    #expect(match.field == .primary)
    #expect(match.path == PinyinSearchPath(section: 0, row: 1))
    #expect(match.start == 1)
    #expect(match.end == 4)
    #expect(match.highlight.utf16 == 8..<12)
    #expect(!match.isAllPinyin)
    #expect(!match.isAllWholeWords)
    let whole = try #require(try await manager.search("xiaolong").primary.first)
    #expect(whole.isAllPinyin)
    #expect(whole.isAllWholeWords)
    #expect(whole.start == 1)
    #expect(whole.end == 2)
    #expect(try await manager.search("").isEmpty)
  }

  @Test("an element that its primary text names is not named by its secondary text again, whatever the limit")
  func fields() async throws {
    let manager = manager([
      Contact("王五", "zhangsan"), Contact("张三", "zhangsan"), Contact("李四", "lisi"), Contact("张山", "zhangshan"),
    ])
    let found = try await manager.search("zhangs")
    #expect(found.primary.map(\.element.name).sorted() == ["张三", "张山"].sorted())
    #expect(found.secondary.map(\.element.name) == ["王五"])
    #expect(found.secondary.first?.field == .secondary)
    #expect(!found.hasMore)
    #expect(found.matches.count == 3)
    for limit in 0...4 {
      let cut = try await manager.search("zhangs", limit: limit)
      #expect(cut.matches.map(\.path) == found.matches.prefix(limit).map(\.path))
      #expect(cut.hasMore == (limit < 3))
    }
  }

  @Test("sections stand in the order of their keys, and rows in theirs")
  func sections() async throws {
    let manager = PinyinSearchManager<String>()
    manager.build(
      ["friends": ["张三", "李四"], "work": ["王五", "张一"], "hidden": ["张二"]], order: ["work", "none", "friends"])
    let found = try await manager.search("zhang")
    #expect(found.matches.map(\.path).sorted() == [.init(section: 0, row: 1), .init(section: 2, row: 0)])
    let snapshot = manager.snapshot
    #expect(snapshot.sectionTitles == ["work", "none", "friends"])
    #expect(snapshot.count == 4)
    #expect(snapshot[.init(section: 2, row: 1)] == "李四")
    #expect(snapshot[PinyinSearchPath(section: 1, row: 0)] == nil)
    #expect(snapshot.generation == found.generation)
  }

  @Test("changes make one generation each, and rows move up where one goes away")
  func changes() async throws {
    let manager = PinyinSearchManager<String>()
    let first = manager.build(["A": ["安", "敖"], "Z": ["张三"]], order: ["A", "Z"])
    let second = manager.change { contents in
      contents.remove(at: .init(section: 0, row: 0))
      contents.append(["张四", "张五"], to: "Z")
      contents.insert("阿", at: .init(section: 0, row: 1))
      contents.replace(at: .init(section: 1, row: 0), with: "周三")
      contents.append(["王"], to: "W")
    }
    #expect(try await first.finished() == 1)
    #expect(try await second.finished() == 2)
    let snapshot = manager.snapshot
    #expect(snapshot.sectionTitles == ["A", "Z", "W"])
    #expect(snapshot.sections == [["敖", "阿"], ["周三", "张四", "张五"], ["王"]])
    #expect(try await manager.search("zhang").matches.map(\.path.row).sorted() == [1, 2])
    #expect(try await manager.search("an").matches.isEmpty)
    manager.remove { $0.hasPrefix("张") }
    let after = try await manager.search("z")
    #expect(after.generation == 3)
    #expect(after.matches.map(\.text) == ["周三"])
    #expect(!manager.isBuilding)
  }

  @Test("after any changes it finds what a manager built anew finds", arguments: [1, 2, 3])
  func incremental(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let names = ["张三", "章珊", "李四", "黎斯", "王五", "单于", "重庆", "长安", "Tom张", "zhang", "吕布", ""]
    let manager = manager()
    for _ in 0..<SeededRandom.rounds(or: 25) {
      let (added, doomed) = (
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Contact(names.randomElement(using: &random) ?? "", names.randomElement(using: &random))
        }, names.randomElement(using: &random) ?? ""
      )
      let isRemoving = Bool.random(using: &random)
      manager.change { contents in
        if isRemoving { contents.removeAll { $0.name == doomed } }
        contents.append(added)
      }
      let query = ["z", "zhang", "ls", "wang", "lb", "c", "an", "张s"].randomElement(using: &random) ?? ""
      let found = try await manager.search(query)
      let fresh = self.manager()
      fresh.build(manager.snapshot.sections.flatMap { $0 })
      let expected = try await fresh.search(query)
      #expect(Set(found.primary.map(\.path)) == Set(expected.primary.map(\.path)), "\(query)")
      #expect(Set(found.secondary.map(\.path)) == Set(expected.secondary.map(\.path)), "\(query)")
      #expect(found.matches.map(\.text) == expected.matches.map(\.text), "\(query)")
    }
  }

  @Test("a manager that lost most of its elements is indexed anew")
  func compaction() async throws {
    let manager = PinyinSearchManager<String>()
    manager.build((0..<1500).map { "张\($0)" } + ["李四", "李五"])
    manager.remove { $0.hasPrefix("张") }
    #expect(try await manager.search("li").matches.map(\.path.row) == [0, 1])
    #expect(try await manager.search("zhang").isEmpty)
    manager.add(["张三"])
    #expect(try await manager.search("zhang").matches.map(\.path.row) == [2])
  }

  @Test("a search during a build is answered after it; the snapshot does not wait")
  func duringBuild() async throws {
    let manager = manager([Contact("张三")])
    try await manager.build([Contact("李四")]).finished()
    let gate = Gate()
    // A change that stands still keeps all that is asked for behind it.
    let blocked = manager.hold { try await gate.pass() }
    manager.build([Contact("王五")])
    #expect(manager.isBuilding)
    #expect(manager.snapshot.search("lisi").matches.count == 1)
    async let found = manager.search("wangwu")
    gate.open()
    #expect(try await found.matches.map(\.element.name) == ["王五"])
    #expect(blocked.isOver)
    #expect(manager.snapshot.search("lisi").isEmpty)
  }

  @Test("an owner cancels its searches and builds, and what was there stays")
  func cancellation() async throws {
    let manager = manager([Contact("张三")])
    let owner = PinyinSearchOwner()
    _ = try await manager.search("z")
    let gate = Gate()
    manager.hold(owner: owner) { try await gate.pass() }
    let build = manager.build([Contact("李四")], owner: owner)
    try await gate.reached()
    let search = Task { try await manager.search("li", owner: owner) }
    while manager.waitingCount < 1 { await Task.yield() }
    manager.cancel(owner)
    await #expect(throws: CancellationError.self) { try await search.value }
    await #expect(throws: CancellationError.self) { try await build.finished() }
    #expect(try await manager.search("zhang").matches.count == 1)
    gate.open()
    let single = manager.build([Contact("王五")])
    single.cancel()
    _ = try? await single.finished()
    #expect(single.isOver)
  }

  @Test("a reset forgets everything at once, and cancels what is going on")
  func reset() async throws {
    let manager = manager([Contact("张三")])
    _ = try await manager.search("z")
    let gate = Gate()
    let build = manager.hold { try await gate.pass() }
    try await gate.reached()
    manager.reset()
    #expect(manager.snapshot.count == 0)
    #expect(!manager.isBuilding)
    #expect(manager.snapshot.generation == 3)
    await #expect(throws: CancellationError.self) { try await build.finished() }
    gate.open()
    #expect(try await manager.search("z").isEmpty)
  }

  @Test("a change that throws leaves everything as it was")
  func failingChange() async throws {
    struct Refusal: Error {}
    let manager = manager([Contact("张三")])
    let change = manager.change { contents in
      contents.removeAll { _ in true }
      throw Refusal()
    }
    await #expect(throws: Refusal.self) { try await change.finished() }
    #expect(try await manager.search("z").matches.count == 1)
  }

  @Test("every answer is of one generation while elements are exchanged, added and removed")
  func crowd() async throws {
    // Each generation holds elements of one mark; some wait, some take the newest that is there.
    let manager = PinyinSearchManager<Contact>(primary: \.name, secondary: \.account)
    try await manager.build(Self.generation(1)).finished()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<16 {
        group.addTask {
          for _ in 0..<12 {
            let found =
              reader.isMultiple(of: 2)
              ? try await manager.search("zhangsan") : manager.snapshot.search("zhangsan")
            let marks = Set(found.matches.map { $0.element.account ?? "" })
            #expect(marks.count == 1, "\(marks)")
            #expect(found.matches.count == 20)
            #expect(Set(found.matches.map(\.path)).count == 20)
          }
        }
      }
      group.addTask {
        for round in 2..<30 {
          if round.isMultiple(of: 3) {
            let next = Self.generation(round)
            manager.change { contents in
              contents.removeAll { _ in true }
              contents.append(next)
            }
          } else {
            manager.build(Self.generation(round))
          }
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
  }

  private static func generation(_ number: Int) -> [Contact] {
    (0..<20).map { _ in Contact("张三", "a\(number)") } + (0..<number).map { Contact("李\($0)", "b\(number)") }
  }

  @Test("a saved index is mapped again for the same elements, and refused for others")
  func saving() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mpaas-search-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "contacts.index").path
    let contacts = [Contact("张三", "zs@a"), Contact("李四"), Contact("王五", "zhang")]
    let manager = manager(contacts)
    manager.remove { $0.name == "李四" }
    try await manager.save(to: path)
    let again = self.manager()
    try await again.build([contacts[0], contacts[2]], indexedAt: path).finished()
    let found = try await again.search("zhang")
    #expect(found.primary.map(\.path.row) == [0])
    #expect(found.secondary.map(\.path.row) == [1])
    for others in [[contacts[0]], [contacts[0], contacts[1]], contacts] {
      let error = await #expect(throws: PinyinError.self) {
        try await again.build(others, indexedAt: path).finished()
      }
      #expect(error?.code == .indexElements)
    }
    #expect(try await again.search("zhang").matches.count == 2)
  }

  @Test("managers have names, one for each type of elements")
  func names() async throws {
    let managers = PinyinSearchManagers()
    let contacts = managers.manager(named: "contacts") { self.manager([Contact("张三")]) }
    #expect(managers.manager(named: "contacts", of: Contact.self) { self.manager() } === contacts)
    #expect(managers.existing(named: "contacts", of: String.self) == nil)
    _ = managers.manager(named: "towns") { PinyinSearchManager<String>() }
    #expect(managers.names == ["contacts", "towns"])
    #expect(try await contacts.search("zs").matches.count == 1)
    managers.remove(named: "contacts")
    #expect(managers.names == ["towns"])
    #expect(contacts.snapshot.count == 0)
  }
}

@Suite("Sections by letter")
struct PinyinSectionsTests {
  @Test("a name stands under the letter that its surname is read with")
  func surnames() {
    let letters = [
      ("单雄信", "S"), ("曾国藩", "Z"), ("仇英", "Q"), ("尉迟恭", "Y"), ("张三", "Z"), ("Émile", "E"), ("ｔom", "T"),
      ("  安娜", "A"), ("007", "#"), ("", "#"), ("😀张", "#"), ("Ωmega", "#"),
    ]
    for (name, letter) in letters { #expect(PinyinSectionTitle.of(name) == letter, "\(name)") }
    #expect(PinyinSectionTitle.of("重庆", as: .place) == "C")
    #expect(PinyinSectionTitle.all.count == 27)
    #expect(PinyinSectionTitle.all.last == "#")
  }

  @Test("sections come from A to Z, what is no letter last, and one surname stands together")
  func order() {
    let names = ["张飞", "1号", "章邯", "张安", "Zoe", "安禄山", "李白", "黎明", "李贺"]
    let book = names.sectioned(byPinyinOf: { $0 })
    #expect(book.titles == ["A", "L", "Z", "#"])
    #expect(book.sections[1].elements == ["黎明", "李白", "李贺"])
    #expect(book.sections[2].elements.filter { $0.hasPrefix("张") } == ["张安", "张飞"])
    #expect(book.sections[3].elements == ["1号"])
    let unsorted = PinyinSections(names, sorts: false, keepsEmpty: true) { $0 }
    #expect(unsorted.titles == PinyinSectionTitle.all)
    #expect(unsorted.sections[25].elements == ["张飞", "章邯", "张安", "Zoe"])
  }

  @Test("a manager is built of them")
  func manager() async throws {
    let manager = PinyinSearchManager<String>()
    manager.build(["张飞", "安禄山"].sectioned(byPinyinOf: { $0 }))
    #expect(try await manager.search("zf").matches.first?.path == PinyinSearchPath(section: 1, row: 0))
  }
}
