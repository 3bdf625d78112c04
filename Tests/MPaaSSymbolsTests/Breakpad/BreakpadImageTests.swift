import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Breakpad symbol files") struct BreakpadImageTests {
  static func image(_ text: String) throws -> BreakpadImage { try BreakpadImage(Bytes(Array(text.utf8))) }

  private func fixture(_ name: String) throws -> BreakpadImage {
    try BreakpadImage(Bytes.mapping(Fixture.path("crash/" + name)))
  }

  static let small = """
    MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app
    INFO CODE_ID F1C3BCC0279865FE3058404B2831D9E64135386C
    FILE 0 /src/a file.cpp
    FILE 1 /src/b.h
    INLINE_ORIGIN 0 inner(int)
    INLINE_ORIGIN 1 middle()
    FUNC 1000 40 0 outer(int, char)
    INLINE 0 7 0 1 1010 20
    INLINE 1 12 1 0 1018 8 1028 4
    1000 10 5 0
    1010 20 13 1
    1030 10 8 0
    FUNC m 2000 10 0 folded
    2000 10 0 0
    PUBLIC 3000 0 exported
    PUBLIC m 2008 0 inside
    STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^
    STACK CFI 1001 .cfa: $rsp 16 +
    STACK CFI 1020 $rbx: .cfa -16 + ^
    STACK WIN 4 1000 40 1 0 0 0 0 0 1 $T0 .raSearch =

    """

  @Test("an address gives its line and the calls inlined there, the innermost first")
  func frames() throws {
    let lookup = try Self.image(Self.small).frameLookup(debug: nil, companions: .none)
    #expect(lookup.hasDebugInfo)
    #expect(
      lookup.frames(at: 0x1019) == [
        SourceFrame(symbol: "inner(int)", file: "/src/b.h", line: 13, isInlined: true),
        SourceFrame(symbol: "middle()", file: "/src/b.h", line: 12, isInlined: true),
        SourceFrame(symbol: "outer(int, char)", file: "/src/a file.cpp", line: 7),
      ])
    #expect(lookup.frames(at: 0x1029).map(\.symbol) == ["inner(int)", "middle()", "outer(int, char)"])
    #expect(lookup.frames(at: 0x1010).map(\.line) == [13, 7])
    #expect(lookup.frames(at: 0x103f) == [SourceFrame(symbol: "outer(int, char)", file: "/src/a file.cpp", line: 8)])
    // Line 0 is code of the compiler's.
    #expect(lookup.frames(at: 0x2009) == [SourceFrame(symbol: "folded", file: "/src/a file.cpp")])
  }

  @Test("behind a function only a public symbol that stands there is taken")
  func symbols() throws {
    let lookup = try Self.image(Self.small).frameLookup(debug: nil, companions: .none)
    #expect(lookup.frames(at: 0x3004) == [SourceFrame(symbol: "exported", offset: 4)])
    #expect(lookup.frames(at: 0x2fff) == [])
    #expect(lookup.frames(at: 0x1040) == [])
    #expect(lookup.frames(at: 0) == [])
  }

  @Test("CFI rules are those of the range and the changes up to the address")
  func cfi() throws {
    let image = try Self.image(Self.small)
    let found = try #require(image.stackCFI(at: 0x1010))
    #expect(found.range == 0x1000..<0x1040)
    #expect(found.initial == ".cfa: $rsp 8 + .ra: .cfa -8 + ^")
    #expect(found.changes == [.init(address: 0x1001, rules: ".cfa: $rsp 16 +")])
    #expect(image.stackCFI(at: 0x1020)?.changes.count == 2)
    #expect(image.stackCFI(at: 0x1000)?.changes.isEmpty == true)
    #expect(image.stackCFI(at: 0x1040) == nil)
    #expect(image.stackWindows == ["4 1000 40 1 0 0 0 0 0 1 $T0 .raSearch ="])
  }

  @Test("a file with Windows' line breaks reads the same")
  func lineBreaks() throws {
    let image = try Self.image(Self.small.replacingOccurrences(of: "\n", with: "\r\n"))
    #expect(image.name == "app")
    let lookup = image.frameLookup(debug: nil, companions: .none)
    #expect(lookup.frames(at: 0x1019).map(\.symbol) == ["inner(int)", "middle()", "outer(int, char)"])
    #expect(lookup.frames(at: 0x1019).first?.file == "/src/b.h")
  }

  @Test("the module's ID and the build ID name each other")
  func identity() throws {
    let image = try Self.image(Self.small)
    let build = try #require(BuildID(hex: "f1c3bcc0279865fe3058404b2831d9e64135386c"))
    #expect(image.buildID == build)
    #expect(BreakpadID(build, isMachO: false) == image.moduleID)
    #expect(image.moduleID.text == "C0BCC3F19827FE653058404B2831D9E60")
    // Without CODE_ID the first 16 bytes are known, and they are enough.
    let old = try Self.image("MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app\n")
    #expect(old.buildID?.hex == "f1c3bcc0279865fe3058404b2831d9e6")
    #expect(old.buildID?.isSameBuild(as: build) == true)
    #expect(
      old.buildID?.isSameBuild(as: try #require(BuildID(hex: "00c3bcc0279865fe3058404b2831d9e64135386c"))) == false)
    let mac = try Self.image("MODULE mac arm64 67E9247C814E392BA027DBDE6748FCBF0 crash\n")
    #expect(mac.buildID?.hex == "67e9247c814e392ba027dbde6748fcbf")
    #expect(BreakpadID("67E9247C814E392BA027DBDE6748FCBFa")?.age == 10)
    #expect(BreakpadID("67E9247C814E392BA027DBDE6748FCBF") == nil)
  }

  @Test(
    "what does not begin with a whole MODULE record is refused", arguments: ["MODULE \n", "MODULE Linux x86_64 12 a"])
  func refused(_ text: String) throws {
    #expect(throws: BreakpadError(code: .badModule, offset: 0)) { try Self.image(text) }
  }

  @Test(
    "says what the binary's DWARF says where it has a line", .fixtures,
    arguments: [
      ("elf/dump_syms/basic.full.sym", "elf/dump_syms/basic.full"),
      ("elf/dump_syms/basic.full.inlines.sym", "elf/dump_syms/basic.full"),
      ("elf/dump_syms/basic.dbg.sym", "elf/dump_syms/basic.dbg"),
    ])
  func agreesWithDWARF(_ symbols: String, _ binary: String) throws {
    let image = try fixture(symbols)
    let program = try fixtureImage("crash/" + binary)
    #expect(image.buildID == program.buildID)
    let hasInlines = image.offeredSections.contains("inline")
    let own = image.frameLookup(debug: nil, companions: .none)
    let dwarf = program.lookup()
    var compared = 0
    for function in image.table.functions {
      for address in stride(from: function.address, to: function.end, by: 1) {
        let mine = own.frames(at: address)
        let theirs = dwarf.frames(at: address + program.loadAddress)
        guard mine.first?.line != nil, theirs.first?.line != nil else { continue }
        compared += 1
        // Without records of inlined calls the line is where the outermost function calls them.
        let expected = hasInlines ? theirs : theirs.suffix(1)
        #expect(mine.map(\.line) == expected.map(\.line), "\(symbols) 0x\(String(address, radix: 16))")
        #expect(mine.map(\.file) == expected.map(\.file), "\(symbols) 0x\(String(address, radix: 16))")
      }
    }
    #expect(compared > 50)
  }

  @Test("names the public symbols as the symbol table does", .fixtures)
  func agreesWithSymbolTable() throws {
    let image = try fixture("elf/symbolic_crash.sym")
    let base = try fixtureImage("crash/elf/symbolic_crash").loadAddress
    let debug = try fixtureImage("crash/elf/symbolic_crash.debug-zlib")
    let demangler = Demangler()
    let own = image.frameLookup(debug: nil, companions: .none)
    var same = 0, there = 0
    for symbol in image.table.symbols {
      let name = try #require(own.frames(at: symbol.address).first?.symbol)
      let match = debug.symbolMatch(at: symbol.address + base)
      if match?.offset == 0 { there += 1 }
      // Other demanglers write template arguments and clones their own way; the function is the same.
      if match?.name.map(demangler.demangle) == name { same += 1 }
    }
    #expect(there == image.table.symbols.count)
    #expect(same >= there - 1)
  }

  @Test(
    "says of a Mach-O file what llvm-symbolizer reads in its dSYM", .fixtures, .tool("llvm-symbolizer"),
    arguments: ["macho/symbolic_crash.sym", "macho/symbolic_crash.inlines.sym"])
  func agreesWithSymbolizer(_ symbols: String) throws {
    let image = try fixture(symbols)
    let hasInlines = image.offeredSections.contains("inline")
    let own = image.frameLookup(debug: nil, companions: .none)
    let dSYM = try Fixture.path("crash/macho/symbolic_crash.dSYM/Contents/Resources/DWARF/crash")
    var random = SeededRandom(seed: 5)
    let functions = image.table.functions.filter { $0.size > 0 }
    let addresses = try (0..<500).map { _ in
      let function = try #require(functions.randomElement(using: &random))
      return UInt64.random(in: function.address..<function.end, using: &random)
    }
    let outcome = try Command.run(
      "llvm-symbolizer", ["--obj=\(dSYM)", "--output-style=JSON"],
      input: addresses.map { "0x" + String($0 + 0x1_0000_0000, radix: 16) + "\n" }.joined())
    let answers = outcome.output.split(separator: "\n")
    #expect(answers.count == addresses.count)
    var different = 0
    for (address, answer) in zip(addresses, answers) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
      let theirs = try #require(object["Symbol"] as? [[String: Any]]).map { $0["Line"] as? Int ?? 0 }
      let mine = own.frames(at: address).map { $0.line ?? 0 }
      // The older writer of the other file gave each address the line of the innermost call.
      if mine != (hasInlines ? theirs : Array(theirs.prefix(1))) { different += 1 }
    }
    #expect(different == 0)
  }

  @Test("damaged files are read without a crash and give what they can", .fixtures)
  func fuzz() throws {
    var random = SeededRandom(seed: 11)
    let whole = try Array(Fixture.data("crash/elf/dump_syms/basic.full.inlines.sym")) + Array(Self.small.utf8)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = [10, 13, 32, 45, 102, 57][Int.random(in: 0..<6, using: &random)]
        case 2: bytes.removeSubrange(place..<min(place + Int.random(in: 1...30, using: &random), bytes.count))
        default: bytes.insert(contentsOf: Array("ffffffffffffffff ".utf8), at: place)
        }
      }
      guard let image = try? BreakpadImage(Bytes(bytes)) else { continue }
      let lookup = image.frameLookup(debug: nil, companions: .none)
      for _ in 0..<20 {
        let address = UInt64.random(in: 0...0x4000, using: &random)
        for frame in lookup.frames(at: address) { #expect((frame.file?.utf8.count ?? 0) <= bytes.count) }
        _ = image.unwindSource?.rules(at: address)
      }
      _ = lookup.frames(at: .max)
      _ = image.stackCFI(at: .max)
      _ = image.offeredSections
    }
  }
}
