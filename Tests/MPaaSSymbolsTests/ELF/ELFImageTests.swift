import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

func fixtureImage(_ name: String) throws -> ELFImage {
  try ELFImage(Bytes.mapping(Fixture.path(name)))
}

@Suite("The ELF reader") struct ELFImageTests {
  static let files = [
    "clang-dwarf2", "clang-dwarf5", "gcc-dwarf4", "gcc-dwarf5", "gcc-dwo5", "gcc-g1", "gcc-nopie", "gcc-zlib",
    "minidebuginfo", "split", "split.debug", "stripped", "swift-O", "swift-Onone", "symtab-only",
  ]

  @Test("reads every file of the matrix: code ranges, symbols, build ID", .fixtures, arguments: files)
  func matrix(_ name: String) throws {
    let image = try fixtureImage("crash/elf/matrix/\(name)")
    #expect(image.header.machine == .x86_64)
    #expect(image.section(named: ".text") != nil)
    #expect(!image.executableRanges.isEmpty)
    #expect(name.hasPrefix("stripped") || name == "split" || !image.symbols.isEmpty)
  }

  @Test("refuses a section that ends past the file, with the offset of its size field", .fixtures)
  func sectionPastEnd() throws {
    var data = try Fixture.data("crash/elf/matrix/gcc-dwarf5")
    let image = try ELFImage(Bytes(data))
    let section = try #require(image.section(named: ".debug_info"))
    let field = Int(image.header.sectionTable.offset) + section.index * 64 + 32
    data.replaceSubrange(field..<field + 8, with: repeatElement(0xff, count: 8))
    let broken = try ELFImage(Bytes(data))
    #expect(throws: ELFError(code: .sectionPastEnd, offset: UInt64(field), value: .max)) {
      try broken.contents(of: broken.sections[section.index])
    }
  }

  @Test("says at which byte a file is not ELF")
  func notELF() {
    #expect(throws: ELFError(code: .badMagic, offset: 0)) { try ELFImage(Bytes(Array("#!/bin/sh".utf8))) }
    #expect(throws: ELFError(code: .badMagic, offset: 0)) { try ELFImage(.empty) }
    #expect(throws: ELFError(code: .badClass, offset: 4, value: 9)) {
      try ELFImage(Bytes([0x7f, 0x45, 0x4c, 0x46, 9] + [UInt8](repeating: 0, count: 60)))
    }
    #expect(throws: ELFError(code: .truncated, offset: 20)) {
      try ELFImage(Bytes([0x7f, 0x45, 0x4c, 0x46, 2, 1] + [UInt8](repeating: 0, count: 14)))
    }
  }

  @Test("gives compressed debug sections as they were before", .fixtures)
  func compressed() throws {
    let plain = try fixtureImage("crash/elf/matrix/gcc-dwarf5")
    let packed = try fixtureImage("crash/elf/matrix/gcc-zlib")
    let info = try #require(packed.section(named: ".debug_info"))
    #expect(info.flags.contains(.compressed))
    #expect(packed.dwarfSections.section("debug_info")?.count == plain.dwarfSections.section("debug_info")?.count)
    #expect(packed.dwarfSections.section("debug_str")?.array == plain.dwarfSections.section("debug_str")?.array)
  }

  @Test("reads the old .zdebug sections", .fixtures)
  func zdebug() throws {
    let image = try fixtureImage("crash/elf/symbolic_crash.debug-zlib")
    #expect(image.hasDebugInfo)
    #expect((image.dwarfSections.section("debug_info")?.count ?? 0) > 1000)
  }

  @Test("finds the symbols of MiniDebugInfo", .fixtures)
  func miniDebugInfo() throws {
    let image = try fixtureImage("crash/elf/matrix/minidebuginfo")
    let full = try fixtureImage("crash/elf/matrix/symtab-only")
    let table = full.symbols
    let main = try #require((0..<table.count).first { table.name($0) == "main" })
    #expect(image.miniDebugImage != nil)
    for index in [main] {
      let address = try #require(table.address(index))
      #expect(image.symbols.find(address + 1).map { image.symbols.name($0.index) } == "main")
    }
  }

  @Test("reads every entry of the program header table, also those behind the first", .fixtures)
  func segments() throws {
    let image = try fixtureImage("crash/elf/symbolic_crash")
    #expect(image.loadAddress == 0x400000)
    let loaded = image.segments.filter { $0.type == ELFSegment.load }
    #expect(loaded.map(\.address) == [0x400000, 0x619c88])
    #expect(loaded.map(\.memorySize) == [0x19c82, 0xff0])
    #expect(loaded.map(\.isExecutable) == [true, false])
  }
}
