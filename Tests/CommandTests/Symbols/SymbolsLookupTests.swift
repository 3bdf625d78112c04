import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas symbols lookup") struct SymbolsLookupTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private func lookup(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["symbols", "lookup"] + arguments, input: input,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
  }

  private func fixture(_ name: String) throws -> String { try Fixture.path("crash/elf/matrix/" + name) }

  @Test("gives a JSON object a line, innermost frame first", .fixtures)
  func json() throws {
    let outcome = try lookup("--object", fixture("gcc-dwarf5"), "--json", "0x1064", "1181")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    let first = """
      {"address":"0x1064","frames":[\
      {"function":"geo::Box<int>::area() const","symbol":"_ZNK3geo3BoxIiE4areaEv","file":"/src/elf/a.cpp",\
      "line":3,"column":61,"inlined":true},\
      {"function":"main","symbol":"main","file":"/src/elf/a.cpp","line":15,"column":35,"inlined":false}]}
      """
    #expect(lines.first.map(String.init) == first)
    for line in lines { #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) } }
  }

  @Test("answers each line of a pipe, with and without 0x, and leaves empty lines out", .fixtures)
  func pipe() throws {
    let outcome = try lookup("--object", fixture("gcc-dwarf5"), "--no-demangle", input: "0x1064\n\n  1050 \r\n0X1060")
    #expect(
      outcome.output == """
        0x1064  _ZNK3geo3BoxIiE4areaEv  /src/elf/a.cpp:3:61
            ↳ main  /src/elf/a.cpp:15:35
        0x1050  _Z5crashPVi.cold  /src/elf/a.cpp:12:55
        0x1060  main  /src/elf/a.cpp:13:27

        """)
    #expect(outcome.errors.isEmpty)
  }

  @Test("prints like addr2line where addr2line gets it right", .fixtures, .tool("addr2line"))
  func addr2line() throws {
    let addresses = ["0x1060", "0x1064", "0x1190", "0x11a0", "0x11b5", "0x11ec", "0x11f0", "0x99999"]
    let file = try fixture("gcc-dwarf5")
    let theirs = try Command.run("addr2line", ["-afCi", "-e", file] + addresses)
    let ours = try lookup("--object", file, "--format", "addr2line", input: addresses.joined(separator: "\n"))
    #expect(ours.output == theirs.output)
  }

  @Test("writes Swift names short where that is wanted", .fixtures)
  func simplified() throws {
    let file = try fixture("swift-O")
    #expect(
      try lookup("--object", file, "--simplified", "18fd").output == """
        0x18fd  Circle.init(r:)  /src/elf/s.swift:5:69
            ↳ Circle.__allocating_init(r:)  /src/elf/s.swift:5:73

        """)
    #expect(try lookup("--object", file, "18fd").output.contains("main.Circle.init(r: Swift.Double) -> main.Circle"))
  }

  @Test("takes debug information from the store by build ID, and beside the file by debug link", .fixtures)
  func elsewhere() throws {
    let add = try Command.run(
      "mpaas", ["symbols", "add", fixture("split.debug")], environment: ["MPAAS_HOME": home.path])
    #expect(add.status == 0)
    let stored = try lookup("--uuid", "66e3a80360e8331595a9cb3e3efa06786f23111f", "11a0")
    #expect(stored.output == "0x11a0  outer(int)  /src/elf/a.cpp:6:44\n")
    #expect(try lookup("--object", fixture("split"), "11a0").output == stored.output)
    #expect(try lookup("--object", fixture("stripped"), "11a0").output == stored.output)
  }

  @Test("says that there is no debug information, and names what the symbol table knows", .fixtures)
  func symbolsOnly() throws {
    let outcome = try lookup("--object", fixture("symtab-only"), "11a4", "--json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("There is no debug information for"))
    #expect(
      outcome.output == """
        {"address":"0x11a4","frames":[{"function":"outer(int)","symbol":"_Z5outeri","offset":4,"file":null,"line":null,\
        "column":null,"inlined":false}]}

        """)
  }

  @Test("an address that is none ends it with its line, after the answers to those before", .fixtures)
  func malformed() throws {
    let outcome = try lookup("--object", fixture("gcc-dwarf5"), input: "1060\n10 60\n1064\n")
    #expect(outcome.status == 65)
    #expect(outcome.output == "0x1060  main  /src/elf/a.cpp:13:27\n")
    #expect(outcome.errors.contains("'10 60' is not an address"))
    #expect(outcome.errors.contains("standard input:2"))
  }

  @Test("wants one file, and says what is wrong with it", .fixtures)
  func usage() throws {
    #expect(try lookup("1060").status == 64)
    #expect(try lookup("--object", fixture("gcc-dwarf5"), "--uuid", "66e3", "1060").status == 64)
    #expect(try lookup("--object", home.path + "/none", "1060").status == 66)
    #expect(try lookup("--object", fixture("src/a.cpp"), "1060").status == 65)
    #expect(try lookup("--uuid", "66e3", "1060").status == 66)
    #expect(try lookup("--uuid", "xyz", "1060").status == 64)
  }
}
