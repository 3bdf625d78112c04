import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas symbols") struct SymbolsTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private func fixture(_ name: String) throws -> String { try Fixture.path("crash/elf/matrix/" + name) }

  @Test("adding twice changes nothing and says so", .fixtures)
  func twice() throws {
    let file = try fixture("split.debug")
    let first = try mpaas("symbols", "add", file, home: home)
    #expect(first.status == 0)
    #expect(first.output == "added split.debug  66e3a80360e8331595a9cb3e3efa06786f23111f\n")
    let second = try mpaas("symbols", "add", file, "--json", home: home)
    #expect(second.status == 0)
    let result = try json(second.output)
    #expect((result["added"] as? [Any])?.isEmpty == true)
    let known = try #require((result["known"] as? [[String: Any]])?.first)
    #expect(
      Set(known.keys) == [
        "build_id", "role", "name", "origin", "path", "size", "architecture", "sections", "added", "last_used",
      ])
  }

  @Test("an empty store says how it is filled, in both languages")
  func empty() throws {
    #expect(try mpaas("symbols", "list", home: home).output.contains("mpaas symbols add PATH"))
    #expect(try mpaas("symbols", "list", "--lang", "zh-Hans", home: home).output.contains("符号库为空"))
    #expect(try mpaas("symbols", "list", "--json", home: home).output == "{\"symbols\":[]}\n")
  }

  @Test("what cannot be added is named with its reason, and the rest goes in", .fixtures)
  func partly() throws {
    let outcome = try mpaas("symbols", "add", fixture("dwo5.dwo"), fixture("split"), "--json", home: home)
    #expect(outcome.status == 65)
    let result = try json(outcome.output)
    #expect((result["added"] as? [Any])?.count == 1)
    #expect((result["failed"] as? [[String: String]])?.first?["code"] == "symbols-no-build-id")
    #expect(outcome.errors.contains("no build ID"))
    #expect(try mpaas("symbols", "add", "/nowhere", home: home).status == 66)
    let text = home.url.appending(path: "text")
    try Data("hello".utf8).write(to: text)
    let refused = try mpaas("symbols", "add", text.path, "--json", home: home)
    #expect(refused.status == 65)
    #expect((try json(refused.errors)["error"] as? [String: String])?["code"] == "elf-not-elf")
  }

  @Test("info tells what a file, and what a stored build offers", .fixtures)
  func info() throws {
    let info = try json(mpaas("symbols", "info", fixture("split"), "--json", home: home).output)
    #expect(info["build_id"] as? String == "66e3a80360e8331595a9cb3e3efa06786f23111f")
    #expect(info["answers"] as? String == "nothing")
    #expect((info["debug_link"] as? [String: String])?["checksum"] == "0xafdb2c60")
    #expect(try mpaas("symbols", "add", fixture("split.debug"), home: home).status == 0)
    let stored = try json(mpaas("symbols", "info", "66e3", "--json", home: home).output)
    #expect(stored["kind"] as? String == "debug-info")
    #expect(stored["answers"] as? String == "lines")
    #expect((stored["stored"] as? [Any])?.count == 1)
  }

  @Test("remove takes exactly what is named", .fixtures)
  func remove() throws {
    #expect(try mpaas("symbols", "add", fixture("gcc-dwarf4"), fixture("clang-dwarf5"), home: home).status == 0)
    let unknown = try mpaas("symbols", "remove", "0d6e", "ffff", home: home)
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("error: The store has no build 'ffff'"))
    #expect(try json(mpaas("symbols", "list", "--json", home: home).output)["symbols"].map { "\($0)".isEmpty } == false)
    let removed = try json(mpaas("symbols", "remove", "0d6e", "--json", home: home).output)
    #expect((removed["removed"] as? [[String: Any]])?.first?["name"] as? String == "gcc-dwarf4")
    #expect((try json(mpaas("symbols", "list", "--json", home: home).output)["symbols"] as? [Any])?.count == 1)
  }

  @Test("gc keeps what is young, and with 0 days takes everything", .fixtures)
  func collect() throws {
    #expect(try mpaas("symbols", "add", fixture("gcc-dwarf4"), home: home).status == 0)
    #expect(try mpaas("symbols", "gc", home: home).output == "Removed 0 files, 0 B.\n")
    #expect(
      try mpaas("symbols", "gc", "--unused-for", "0", "--dry-run", home: home).output
        .hasSuffix("Would remove 1 file, 23.3 kB.\n"))
    #expect(
      (try json(mpaas("symbols", "gc", "--unused-for", "0", "--json", home: home).output)["size"] as? Int) == 23280)
    #expect(try mpaas("symbols", "gc", "--unused-for", "-1", home: home).status == 64)
  }

  @Test("several processes may add at once", .fixtures)
  func concurrent() async throws {
    let names = ["gcc-dwarf4", "gcc-dwarf5", "split", "split.debug", "gcc-g1", "clang-dwarf5"]
    let home = home
    await withTaskGroup(of: Int32.self) { group in
      for name in names + names {
        group.addTask {
          (try? mpaas("symbols", "add", Fixture.path("crash/elf/matrix/" + name), home: home).status) ?? -1
        }
      }
      for await status in group { #expect(status == 0) }
    }
    let symbols = try json(mpaas("symbols", "list", "--json", home: home).output)["symbols"] as? [[String: Any]]
    #expect(Set(symbols?.compactMap { $0["build_id"] as? String } ?? []).count == 4)
    #expect(try mpaas("symbols", "gc", home: home).output == "Removed 0 files, 0 B.\n")
  }
}
