import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Looking up addresses of the fixtures") struct FixtureLookupTests {
  static let files = [
    "clang-dwarf2", "clang-dwarf5", "gcc-dwarf4", "gcc-dwarf5", "gcc-dwo5", "gcc-g1", "gcc-nopie", "gcc-zlib",
    "split", "swift-O", "swift-Onone", "symtab-only",
  ]

  @Test("gives the frames of every row that two tools agree on", .fixtures, arguments: files)
  func matrix(_ name: String) throws {
    let debug = name == "split" ? try Fixture.path("crash/elf/matrix/split.debug") : nil
    let lookup = try openLookup(Fixture.path("crash/elf/matrix/\(name)"), debug: debug)
    var judged = 0
    for row in try ExpectedRow.read("crash/elf/matrix/expected/\(name).jsonl") {
      let frames = lookup.frames(at: row.address).map(\.row)
      if row.agree.count > 1 {
        // The tools take names from the stripped file's symbols, we from the debug file's, which has the local ones.
        let names = name == "split" ? try unsplit(row.address) : row.frames.map(\.function)
        #expect(frames.map(\.function) == names, "\(name) at \(row.addr)")
        #expect(frames.map(\.place) == row.frames.map(\.place), "\(name) at \(row.addr)")
        judged += 1
      } else {
        #expect(frames.map(\.function) == row.frames.map(\.function), "\(name) at \(row.addr)")
      }
    }
    #expect(judged > 20 || ["gcc-dwo5", "symtab-only"].contains(name))
  }

  private func unsplit(_ address: UInt64) throws -> [String] {
    try openLookup(Fixture.path("crash/elf/matrix/gcc-dwarf5")).frames(at: address).map(\.row.function)
  }

  @Test("names functions of a stripped file that has .gnu_debugdata", .fixtures)
  func miniDebugInfo() throws {
    let lookup = try openLookup(Fixture.path("crash/elf/matrix/minidebuginfo"))
    let full = try openLookup(Fixture.path("crash/elf/matrix/symtab-only"))
    for address: UInt64 in [0x1060, 0x1180, 0x11a3] {
      #expect(lookup.frames(at: address).first?.symbol == full.frames(at: address).first?.symbol)
    }
  }

  @Test("finds strings and abstract functions that dwz moved to another file", .fixtures)
  func dwz() throws {
    let folder = try Fixture.path("crash/elf/samply_ls")
    let lookup = try openLookup(
      folder + "/ls", debug: folder + "/260a3e6e46db57abf718f6a3562c6eedccf269.debug",
      alternate: folder + "/coreutils.debug")
    let gobble = lookup.frames(at: 0xd6d8)
    #expect(gobble.map { $0.symbol ?? "" } == ["do_lstat", "gobble_file.constprop.0"])
    #expect(gobble.map { $0.file ?? "" } == ["./src/ls.c", "./src/ls.c"])
    #expect(gobble.map { $0.line ?? 0 } == [1184, 3403])
  }

  @Test("a package file answers as the unsplit debug information does", .fixtures)
  func packageFile() throws {
    let split = try openLookup(Fixture.path("crash/elf/samply_simple/dwp-debuglink/main.dbg"))
    let plain = try openLookup(Fixture.path("crash/elf/samply_simple/regular-debuglink/main.dbg"))
    var inlined = 0
    for address in stride(from: UInt64(0x8a0), to: 0xc84, by: 4) {
      let frames = split.frames(at: address)
      #expect(frames == plain.frames(at: address), "at \(String(address, radix: 16))")
      if frames.count > 1 { inlined += 1 }
    }
    #expect(inlined > 30)
  }

  @Test(
    "gives the lines of the old producers' files that llvm's own tests ask for", .fixtures,
    arguments: [
      ("dwarfdump-test.elf-x86-64", 0x40113f, "main", "/tmp/dbginfo/dwarfdump-test.cc", 16),
      ("dwarfdump-test.elf-x86-64", 0x40110e, "_Z1fii", "/tmp/dbginfo/dwarfdump-test.cc", 11),
      ("dwarfdump-test.elf-x86-64", 0x401160, "_ZN10DummyClassC2Ei", "/tmp/dbginfo/dwarfdump-test.cc", 4),
      ("dwarfdump-test2.elf-x86-64", 0x4004e8, "a", "/tmp/dbginfo/dwarfdump-test2-helper.cc", 2),
      ("dwarfdump-test2.elf-x86-64", 0x4004f4, "main", "/tmp/dbginfo/dwarfdump-test2-main.cc", 4),
    ] as [(String, UInt64, String, String, Int)])
  func llvm(_ name: String, _ address: UInt64, _ symbol: String, _ file: String, _ line: Int) throws {
    let lookup = try openLookup(Fixture.path("crash/elf/llvm/debuginfo/\(name)"))
    let frame = try #require(lookup.frames(at: address).last)
    #expect(frame.symbol?.hasPrefix(symbol) == true)
    #expect(frame.file == file)
    #expect(frame.line == line)
  }

  @Test("gives the lines that Breakpad's dumper wrote down", .fixtures)
  func breakpad() throws {
    let lookup = try openLookup(Fixture.path("crash/elf/dump_syms/basic.full"))
    let text = String(decoding: try Fixture.data("crash/elf/dump_syms/basic.full.sym"), as: UTF8.self)
    var judged = 0
    var equal = 0
    var isFunction = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("FUNC ") { isFunction = true }
      let fields = line.split(separator: " ")
      guard isFunction, fields.count == 4, let address = UInt64(fields[0], radix: 16), let number = Int(fields[2]),
        number > 0
      else { continue }
      judged += 1
      if lookup.frames(at: address).contains(where: { $0.line == number }) { equal += 1 }
    }
    #expect(judged > 20)
    #expect(equal == judged)
  }

  @Test("gives many threads at once what it gives one", .fixtures, arguments: ["gcc-dwarf5", "swift-O"])
  func threads(_ name: String) async throws {
    let path = try Fixture.path("crash/elf/matrix/\(name)")
    let addresses = try ExpectedRow.read("crash/elf/matrix/expected/\(name).jsonl").map(\.address)
    let serial = try openLookup(path)
    let expected = addresses.map { serial.frames(at: $0) }
    let shared = try openLookup(path)
    let results = await withTaskGroup(of: [[SourceFrame]].self) { group in
      for _ in 0..<8 { group.addTask { addresses.map { shared.frames(at: $0) } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 8)
    #expect(results.allSatisfy { $0 == expected })
  }
}
