import Foundation
import MPaaSTestSupport
import Testing

@Suite("The index of mpaas symbols", .fixtures) struct SymbolsIndexTests {
  let home: TemporaryFolder
  let file: String

  init() throws {
    home = try TemporaryFolder()
    file = try Fixture.path("crash/elf/matrix/gcc-dwarf5")
  }

  private let addresses = ["0x1060", "0x1064", "0x1190", "0x11a0", "0x11b5", "0x11ec", "0x11f0", "0x1000", "0x99999"]

  private func lookup(_ arguments: String...) throws -> Command.Outcome {
    try mpaas(
      ["symbols", "lookup", "--object", file] + arguments, home: home, input: addresses.joined(separator: "\n"))
  }

  @Test("changes no answer in any form, with names demangled or not")
  func sameAnswers() throws {
    for form in [["--format", "addr2line"], ["--format", "pretty"], ["--json"], ["--json", "--no-demangle"]] {
      let words = ["symbols", "lookup", "--object", file] + form
      let input = addresses.joined(separator: "\n")
      let direct = try mpaas(words + ["--no-index"], home: home, input: input)
      let indexed = try mpaas(words + ["--index"], home: home, input: input)
      #expect(direct.status == 0)
      #expect(indexed.status == 0)
      #expect(direct.output == indexed.output)
      #expect(indexed.errors.isEmpty)
    }
  }

  @Test("is made once, told with --verbose, and left alone by --no-index")
  func madeOnce() throws {
    #expect(try lookup("--index", "--verbose").errors.contains("index written: "))
    let again = try lookup("--verbose").errors
    #expect(again.contains("index: "))
    #expect(!again.contains("index written"))
    #expect(try !lookup("--no-index", "--verbose").errors.contains("index"))
    #expect(try lookup("--index", "--verbose", "--lang", "zh-Hans").errors.contains("索引："))
  }

  @Test("that is damaged is made again without a word")
  func damaged() throws {
    let before = try lookup("--index")
    let folder = home.path + "/cache/indexes/"
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    try Data("not an index".utf8).write(to: URL(filePath: folder + name))
    let after = try lookup("--index")
    #expect(after.output == before.output)
    #expect(after.errors.isEmpty)
    #expect(try Data(contentsOf: URL(filePath: folder + name)).count > 100)
  }

  @Test("is made when a file is added to the store, and goes with it")
  func stored() throws {
    #expect(try mpaas("symbols", "add", file, home: home).status == 0)
    let listed = try json(mpaas("symbols", "list", "--json", home: home).output)
    let entry = try #require((listed["symbols"] as? [[String: Any]])?.first)
    let id = try #require(entry["build_id"] as? String)
    let index = home.path + "/data/symbols/\(id.prefix(2))/\(id.dropFirst(2))/index"
    #expect(FileManager.default.fileExists(atPath: index))
    let answer = try mpaas("symbols", "lookup", "--uuid", id, "--verbose", "1064", home: home)
    #expect(answer.errors.contains("index: \(index)"))
    #expect(answer.output == (try mpaas("symbols", "lookup", "--uuid", id, "--no-index", "1064", home: home).output))
    #expect(try mpaas("symbols", "gc", "--unused-for", "0", home: home).status == 0)
    #expect(!FileManager.default.fileExists(atPath: index))
  }

  @Test("of a stored build answers for the file itself, and for a stripped copy of it")
  func storedForFile() throws {
    #expect(try mpaas("symbols", "add", file, home: home).status == 0)
    for object in [file, try Fixture.path("crash/elf/matrix/stripped")] {
      let words = ["symbols", "lookup", "--object", object, "0x1064", "0x11b5"]
      let answer = try mpaas(words + ["--verbose"], home: home)
      #expect(answer.errors.contains("index: \(home.path)/data/symbols/"))
      #expect(answer.output == (try mpaas(words + ["--no-index"], home: home).output))
    }
  }

  @Test("is done without where the cache cannot be written")
  func unwritable() throws {
    try Data().write(to: home.url.appending(path: "cache"))
    let outcome = try lookup("--index", "--verbose")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("cannot be written"))
    #expect(outcome.output == (try lookup("--no-index").output))
  }
}
