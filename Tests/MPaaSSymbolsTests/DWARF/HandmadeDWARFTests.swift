import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Debug information made by hand") struct HandmadeDWARFTests {
  private static let code: [Range<UInt64>] = [0x1000..<0x9000]

  /// A unit whose first entry has the attributes given and a child for each function.
  private func builder(root: [(UInt16, UInt16)] = []) -> DWARFBuilder {
    var builder = DWARFBuilder()
    builder.declare(1, Tag.compileUnit, children: true, root)
    builder.declare(
      2, Tag.subprogram, children: true,
      [(Attribute.name, Form.string), (Attribute.lowPC, Form.address), (Attribute.highPC, Form.data8)])
    builder.declare(
      3, Tag.inlinedSubroutine, children: false,
      [
        (Attribute.abstractOrigin, Form.ref4), (Attribute.lowPC, Form.address), (Attribute.highPC, Form.data8),
        (Attribute.callLine, Form.data1),
      ])
    builder.declare(4, Tag.subprogram, children: false, [(Attribute.name, Form.string)])
    builder.declare(5, Tag.subprogram, children: false, [(Attribute.abstractOrigin, Form.ref4)])
    builder.entries.uleb(1)
    return builder
  }

  private func function(_ name: String, _ low: UInt64, _ size: UInt64, _ builder: inout DWARFBuilder) {
    builder.entries.uleb(2)
    builder.entries.string(name)
    builder.entries.u64(low)
    builder.entries.u64(size)
    builder.entries.u8(0)
  }

  private func names(_ lookup: AddressLookup, _ address: UInt64) -> [String?] {
    lookup.frames(at: address).map(\.symbol)
  }

  @Test("a unit that does not say where its code is is found by its functions")
  func noUnitRanges() {
    var builder = builder()
    function("f", 0x2000, 0x10, &builder)
    builder.entries.u8(0)
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    #expect(names(lookup, 0x2000) == ["f"])
    #expect(names(lookup, 0x200f) == ["f"])
    #expect(names(lookup, 0x2010) == [])
    #expect(names(lookup, 0x1fff) == [])
  }

  @Test("a unit without functions is found by its lines")
  func linesOnly() {
    var builder = builder(root: [(Attribute.statementList, Form.sectionOffset)])
    builder.entries.u32(0)
    builder.entries.u8(0)
    builder.lineProgram {
      $0.setAddress(0x3000)
      $0.advanceLine(41)
      $0.copy()
      $0.advance(16)
      $0.endSequence()
    }
    let lookup = AddressLookup(builder.sections(), code: Self.code) { address in
      SymbolMatch(name: "g", offset: address - 0x3000, isInside: true)
    }
    #expect(
      lookup.frames(at: 0x3008) == [SourceFrame(symbol: "g", offset: 8, file: "a.c", line: 42)])
    #expect(lookup.frames(at: 0x3010).first?.file == nil)
  }

  @Test("a wrong .debug_aranges leads nobody astray")
  func wrongHints() {
    var builder = builder(root: [(Attribute.lowPC, Form.address), (Attribute.highPC, Form.data8)])
    builder.entries.u64(0x2000)
    builder.entries.u64(0x100)
    function("f", 0x2000, 0x100, &builder)
    builder.entries.u8(0)
    builder.aranges.sized { table in
      table.u16(2)
      table.u32(0)
      table.bytes += [8, 0, 0, 0, 0, 0]
      for value: UInt64 in [0x4000, 0x100, 0, 0] { table.u64(value) }
    }
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    #expect(names(lookup, 0x2080) == ["f"])
    #expect(names(lookup, 0x4080) == [])
  }

  @Test("functions that the linker threw away hide nothing", arguments: [0, 1, .max, .max - 1] as [UInt64])
  func tombstones(_ tombstone: UInt64) {
    var builder = builder()
    function("real", 0x1000, 0x20, &builder)
    function("dropped", tombstone, 0x8000, &builder)
    builder.entries.u8(0)
    for code in [Self.code, []] {
      let lookup = AddressLookup(builder.sections(), code: code)
      #expect(names(lookup, 0x1010) == ["real"])
      #expect(names(lookup, 0x5000) == [])
    }
  }

  @Test("a call inlined into a function comes before it, and the function has the line of the call")
  func inlined() {
    var builder = builder()
    let origin = UInt32(DWARFBuilder.headerSize) + UInt32(builder.entries.count)
    builder.entries.uleb(4)
    builder.entries.string("callee")
    builder.entries.uleb(2)
    builder.entries.string("caller")
    builder.entries.u64(0x2000)
    builder.entries.u64(0x40)
    builder.entries.uleb(3)
    builder.entries.u32(origin)
    builder.entries.u64(0x2010)
    builder.entries.u64(0x10)
    builder.entries.u8(7)
    builder.entries.bytes += [0, 0]
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    #expect(names(lookup, 0x2010) == ["callee", "caller"])
    #expect(lookup.frames(at: 0x2010).map(\.isInlined) == [true, false])
    #expect(names(lookup, 0x2020) == ["caller"])
  }

  @Test("an origin that leads back to itself gives no name and no end of waiting")
  func loop() {
    var builder = builder()
    let own = UInt32(DWARFBuilder.headerSize) + UInt32(builder.entries.count)
    builder.entries.uleb(5)
    builder.entries.u32(own)
    builder.entries.uleb(2)
    builder.entries.string("f")
    builder.entries.u64(0x2000)
    builder.entries.u64(0x40)
    builder.entries.uleb(3)
    builder.entries.u32(own)
    builder.entries.u64(0x2000)
    builder.entries.u64(0x10)
    builder.entries.u8(7)
    builder.entries.bytes += [0, 0]
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    #expect(names(lookup, 0x2008) == [nil, "f"])
  }

  @Test("code that the compiler made up has a file and no line")
  func lineZero() {
    var builder = builder(root: [(Attribute.statementList, Form.sectionOffset)])
    builder.entries.u32(0)
    function("f", 0x3000, 0x20, &builder)
    builder.entries.u8(0)
    builder.lineProgram {
      $0.setAddress(0x3000)
      $0.advanceLine(-1)
      $0.copy()
      $0.advance(0x20)
      $0.endSequence()
    }
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    #expect(lookup.frames(at: 0x3004) == [SourceFrame(symbol: "f", file: "a.c")])
  }

  @Test("a program that advances past the end of the address space ends, and earlier sequences stand")
  func giganticAdvance() {
    var builder = builder(root: [(Attribute.statementList, Form.sectionOffset)])
    builder.entries.u32(0)
    builder.entries.u8(0)
    builder.lineProgram {
      $0.setAddress(0x3000)
      $0.copy()
      $0.advance(4)
      $0.endSequence()
      for _ in 0..<1000 {
        $0.advance(.max - 3)
        $0.copy()
      }
      $0.endSequence()
    }
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    #expect(lookup.frames(at: 0x3001).first?.line == 1)
  }

  @Test("ranges that pass the end of the address space are left out")
  func wrappingRanges() {
    var builder = DWARFBuilder()
    builder.declare(1, Tag.compileUnit, children: true, [(Attribute.lowPC, Form.address)])
    builder.declare(
      2, Tag.subprogram, children: false, [(Attribute.name, Form.string), (Attribute.ranges, Form.data1)])
    builder.entries.uleb(1)
    builder.entries.u64(0x2000)
    builder.entries.uleb(2)
    builder.entries.string("f")
    builder.entries.u8(0)
    builder.entries.u8(0)
    // The list's addresses count from 0x2000.
    let pairs: [(UInt64, UInt64)] = [(0x10, 0x20), (0x100, .max - 0x7ff), (0x40, 0x50), (0, 0)]
    for (low, high) in pairs {
      builder.ranges.u64(low)
      builder.ranges.u64(high)
    }
    let lookup = AddressLookup(builder.sections(), code: Self.code)
    for (address, expected) in [(0x2018, ["f"]), (0x2048, ["f"]), (0x1900, []), (0x2100, []), (0x2030, [])] {
      #expect(names(lookup, UInt64(address)) == expected, "\(address)")
    }
  }

  @Test("range lists without end that everybody names are read a bounded number of times")
  func sharedRanges() {
    var builder = DWARFBuilder()
    builder.declare(1, Tag.compileUnit, children: true, [])
    builder.declare(2, Tag.subprogram, children: false, [(Attribute.ranges, Form.data1)])
    builder.entries.uleb(1)
    for _ in 0..<20_000 { builder.entries.bytes += [2, 0] }
    builder.entries.u8(0)
    for _ in 0..<20_000 {
      builder.ranges.u64(0x2000)
      builder.ranges.u64(0x1000)
    }
    let start = ProcessorTime()
    #expect(AddressLookup(builder.sections(), code: Self.code).frames(at: 0x2000).isEmpty)
    #expect(start.elapsed < .seconds(10))
  }

  @Test("an abbreviation with a hundred thousand attributes of no bytes costs its bytes only")
  func abbreviationBomb() {
    var builder = DWARFBuilder()
    builder.declare(1, Tag.compileUnit, children: true, [])
    builder.declare(
      2, Tag.subprogram, children: false,
      Array(repeating: (Attribute.name &+ 0x2000, Form.flagPresent), count: 100_000))
    builder.entries.uleb(1)
    for _ in 0..<100_000 { builder.entries.u8(2) }
    builder.entries.u8(0)
    let start = ProcessorTime()
    #expect(AddressLookup(builder.sections(), code: Self.code).frames(at: 0x2000).isEmpty)
    #expect(start.elapsed < .seconds(10))
  }

  @Test("random bytes in every section are refused in peace", arguments: 0..<40)
  func noise(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let names = [
      "debug_info", "debug_abbrev", "debug_line", "debug_ranges", "debug_rnglists", "debug_addr", "debug_str_offsets",
      "debug_aranges", "debug_str", "debug_cu_index",
    ]
    let sections = Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, Bytes((0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) >> (seed % 2 == 0 ? 4 : 0) }))
      })
    let lookup = AddressLookup(DWARFSections(bigEndian: seed % 3 == 0, addressSize: 8) { sections[$0] })
    for _ in 0..<20 { _ = lookup.frames(at: UInt64.random(in: 0...UInt64.max, using: &random) >> 32) }
  }
}
