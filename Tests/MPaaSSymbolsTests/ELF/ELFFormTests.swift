import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("ELF files of every form") struct ELFFormTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let is64: Bool
    let bigEndian: Bool
    let isExtended: Bool

    var testDescription: String {
      "\(is64 ? 64 : 32)-bit \(bigEndian ? "big" : "little")-endian\(isExtended ? ", extended numbering" : "")"
    }
  }

  static let all = [true, false].flatMap { is64 in
    [true, false].flatMap { bigEndian in
      [true, false].map { Form(is64: is64, bigEndian: bigEndian, isExtended: $0) }
    }
  }

  @Test("have their symbols, build ID and debug link read", arguments: all)
  func forms(_ form: Form) throws {
    var builder = ELFBuilder(is64: form.is64, bigEndian: form.bigEndian)
    builder.hasExtendedNumbering = form.isExtended
    let names = [UInt8](Array("\0outer\0inner\0data\0label\0".utf8))
    let symbols =
      builder.symbol(name: 0, value: 0, size: 0, info: 0, section: 0)
      + builder.symbol(name: 1, value: 0x1000, size: 0x100, info: 0x12, section: 1)
      + builder.symbol(name: 7, value: 0x1010, size: 0x10, info: 0x02, section: 1)
      + builder.symbol(name: 13, value: 0x1020, size: 0x10, info: 0x01, section: 1)
      + builder.symbol(name: 18, value: 0x1200, size: 0, info: 0x00, section: 1)
    builder.sections = [
      .init(name: ".text", flags: 6, address: 0x1000, bytes: [UInt8](repeating: 0x90, count: 0x300)),
      .init(
        name: ".note.gnu.build-id", type: 7,
        bytes: builder.note("Linux", 3, [9]) + builder.note("GNU", 3, [1, 2, 0xab])),
      .init(name: ".gnu_debuglink", bytes: Array("ab.debug\0\0\0\0".utf8) + builder.number(0x1234_5678, 4)),
      .init(name: ".symtab", type: 2, link: 5, entrySize: form.is64 ? 24 : 16, bytes: symbols),
      .init(name: ".strtab", type: 3, bytes: names),
    ]
    let image = try ELFImage(Bytes(builder.build()))
    #expect(image.sections.count == 7)
    #expect(image.name(of: image.sections[6]) == ".shstrtab")
    #expect(image.buildID?.hex == "0102ab")
    #expect(image.debugLink == DebugLink(name: "ab.debug", checksum: 0x1234_5678))
    #expect(image.executableRanges == [0x1000..<0x1300])
    let table = image.symbols
    func found(_ address: UInt64) -> String? {
      table.find(address).map { "\(table.name($0.index))+\($0.offset)\($0.isInside ? "" : " near")" }
    }
    #expect(found(0xfff) == nil)
    #expect(found(0x1000) == "outer+0")
    #expect(found(0x1018) == "inner+8")
    #expect(found(0x1020) == "outer+32")
    #expect(found(0x10ff) == "outer+255")
    #expect(found(0x1100) == nil)
    #expect(found(0x1204) == "label+4 near")
    #expect(found(0x1300) == nil)
  }

  @Test("refuse a compressed section that announces what its data cannot give")
  func absurd() throws {
    var builder = ELFBuilder()
    builder.sections = [
      .init(name: ".debug_info", flags: 0x800, bytes: builder.compressed(1, size: 1 << 40, [1, 2, 3]))
    ]
    let image = try ELFImage(Bytes(builder.build()))
    let section = try #require(image.section(named: ".debug_info"))
    #expect(throws: ELFError(code: .absurdSize, offset: section.offset + 8, value: 1 << 40)) {
      try image.contents(of: section)
    }
    #expect(image.dwarfSections.section("debug_info") == nil)
  }

  @Test("refuse an unknown compression, damaged data and data of another size", arguments: [UInt64(1), 2, 7])
  func damagedCompression(_ type: UInt64) throws {
    var builder = ELFBuilder()
    builder.sections = [
      .init(
        name: ".debug_info", flags: 0x800, bytes: builder.compressed(type, size: 100, [UInt8](repeating: 7, count: 50)))
    ]
    let image = try ELFImage(Bytes(builder.build()))
    let section = try #require(image.section(named: ".debug_info"))
    #expect(
      throws: ELFError(
        code: type == 7 ? .badCompression : .damagedCompression, offset: section.offset,
        value: type == 7 ? 7 : section.size)
    ) { try image.contents(of: section) }
  }

  @Test("give zstd-compressed sections as they were", .tool("zstd"))
  func zstd() throws {
    let folder = try TemporaryFolder()
    let plain = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let file = folder.url.appending(path: "plain")
    try Data(plain).write(to: file)
    #expect(try Command.run("zstd", ["-q", file.path]).status == 0)
    let packed = [UInt8](try Data(contentsOf: folder.url.appending(path: "plain.zst")))
    var builder = ELFBuilder()
    builder.sections = [
      .init(name: ".debug_str", flags: 0x800, bytes: builder.compressed(2, size: UInt64(plain.count), packed)),
      .init(name: ".debug_info", flags: 0x800, bytes: builder.compressed(2, size: UInt64(plain.count) - 1, packed)),
    ]
    let image = try ELFImage(Bytes(builder.build()))
    #expect(image.dwarfSections.section("debug_str")?.array == plain)
    #expect(image.dwarfSections.section("debug_info") == nil)
  }

  @Test("let sections together decompress to no more than the file's allowance")
  func allowance() throws {
    var builder = ELFBuilder()
    let block = [UInt8](repeating: 0, count: 1 << 15)
    builder.sections = (0..<3).map { index in
      .init(name: ".debug_\(index)", flags: 0x800, bytes: builder.compressed(1, size: 9 << 20, block))
    }
    let image = try ELFImage(Bytes(builder.build()))
    // The announced size counts while the data is decompressed, whatever the data is.
    #expect(image.take(image.allowance))
    #expect(throws: ELFError.self) { try image.contents(of: image.sections[1]) }
  }

  @Test("are one image for many threads at once", .fixtures)
  func threads() async throws {
    let image = try fixtureImage("crash/elf/matrix/minidebuginfo")
    let packed = try fixtureImage("crash/elf/matrix/gcc-zlib")
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask { image.symbols.count + (packed.dwarfSections.section("debug_info")?.count ?? 0) }
      }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(counts.count == 1)
  }
}
