import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Mach-O images") struct MachOImageTests {
  private func image(_ builder: MachOBuilder) throws -> MachOImage { try MachOImage(Bytes(builder.build())) }

  private var code: MachOBuilder.Section { .init(bytes: [UInt8](repeating: 0xd5, count: 0x100)) }

  @Test(
    "of either width and byte order are read alike",
    arguments: [(true, false), (true, true), (false, false), (false, true)])
  func forms(_ is64: Bool, _ bigEndian: Bool) throws {
    var builder = MachOBuilder(is64: is64, bigEndian: bigEndian)
    builder.sections = [code]
    builder.symbols = [.init(name: "_start", value: 0x1000), .init(name: "-[A b]", type: 0x0e, value: 0x1040)]
    let image = try image(builder)
    #expect(image.addressSize == (is64 ? 8 : 4))
    #expect(image.isBigEndian == bigEndian)
    #expect(image.buildID?.hex == "0102030405060708090a0b0c0d0e0f10")
    #expect(image.buildID?.dashed == "01020304-0506-0708-090A-0B0C0D0E0F10")
    #expect(image.kind == .executable)
    #expect(image.hasCode)
    #expect(image.loadAddress == 0x1000)
    #expect(image.answers == .functions)
    #expect(image.offeredSections == ["symtab"])
    #expect(image.symbols.match(at: 0x103f)?.name == "start")
    #expect(image.symbols.match(at: 0x1041) == SymbolMatch(name: "-[A b]", offset: 1, isInside: true))
    #expect(image.symbols.match(at: 0xfff) == nil)
    #expect(image.symbols.match(at: 0x1100) == nil)
  }

  @Test("of a fat file are all found, each with its processor and UUID", arguments: [false, true])
  func fat(_ is64: Bool) throws {
    let kinds: [(UInt64, UInt64, String)] = [
      (12, 9, "armv7"), (12, 11, "armv7s"), (12, 12, "armv7k"), (0x0100_000c, 0, "arm64"),
      (0x0100_000c, 0x8000_0002, "arm64e"), (0x0200_000c, 1, "arm64_32"), (7, 3, "i386"), (0x0100_0007, 3, "x86_64"),
      (0x0100_0007, 8, "x86_64h"), (18, 0, "ppc"),
    ]
    let builders = kinds.enumerated().map { index, kind in
      MachOBuilder(
        is64: kind.0 & 0x0100_0000 != 0, bigEndian: kind.0 == 18, cpu: kind.0, subtype: kind.1,
        uuid: [UInt8](repeating: UInt8(index + 1), count: 16))
    }
    let bytes = Bytes(MachOBuilder.fat(builders, is64: is64))
    #expect(ObjectFile.matches(bytes))
    let images = try ObjectFile.images(bytes)
    #expect(images.map(\.architecture) == kinds.map(\.2))
    #expect(Set(images.map(\.buildID)).count == kinds.count)
    #expect(try ObjectFile.choice(of: images, architecture: nil, path: "f").architecture == "arm64")
    #expect(try ObjectFile.choice(of: images, architecture: "i386", path: "f").architecture == "i386")
    #expect(throws: ObjectLookupError.noSlice("mips", found: kinds.map(\.2), path: "f")) {
      try ObjectFile.choice(of: images, architecture: "mips", path: "f")
    }
  }

  @Test("do not give a nameless function its neighbour's name")
  func functionStarts() throws {
    var builder = MachOBuilder()
    builder.sections = [code]
    builder.symbols = [.init(name: "_named", value: 0x1010)]
    builder.functionStarts = [0x10, 0x20, 0x40, 0]
    let symbols = try image(builder).symbols
    #expect(symbols.match(at: 0x1000) == nil)
    #expect(symbols.match(at: 0x102f)?.name == "named")
    #expect(symbols.match(at: 0x1030) == SymbolMatch(name: nil, offset: 0, isInside: false, isOwn: false))
    #expect(symbols.match(at: 0x10ff)?.name == nil)
    #expect(symbols.namedCount == 1)
  }

  @Test("without a symbol table name what they export")
  func exports() throws {
    var builder = MachOBuilder()
    builder.sections = [code]
    // The root, without a value, has two children: "_a" and "_bc", which has a child "d".
    builder.exports = [
      0, 2, 0x5f, 0x61, 0, 13, 0x5f, 0x62, 0x63, 0, 17, 0, 0, 2, 0, 0x10, 0, 2, 0, 0x20, 1, 0x64, 0, 25, 0, 3, 0, 0xa0,
      1, 0,
    ]
    let image = try image(builder)
    #expect(image.answers == .exported)
    #expect(image.symbols.match(at: 0x1011)?.name == "a")
    #expect(image.symbols.match(at: 0x1020)?.name == "bc")
    #expect(image.symbols.match(at: 0x10a0)?.name == "bcd")
    // A child that is its own parent.
    builder.exports = [0, 1, 0x5f, 0, 0]
    #expect(try self.image(builder).symbols.namedCount == 0)
  }

  @Test("find sections whose names were cut to 16 bytes, and tell encrypted code")
  func sections() throws {
    var builder = MachOBuilder()
    let offsets = MachOBuilder.Section(segment: "__DWARF", name: "__debug_str_offs", flags: 0, bytes: [1, 2, 3])
    let frame = MachOBuilder.Section(name: "__eh_frame", address: 0x2000, flags: 0, bytes: [9])
    builder.sections = [code, offsets, frame]
    builder.isEncrypted = true
    let image = try image(builder)
    #expect(image.dwarfSections.section("debug_str_offsets")?.array == [1, 2, 3])
    #expect(image.section("__TEXT", "__eh_frame")?.address == 0x2000)
    #expect(image.section("__TEXT", "__eh_frame")?.bytes.array == [9])
    #expect(image.section("__TEXT", "__none") == nil)
    #expect(image.offeredSections.contains("eh_frame"))
    #expect(image.isEncrypted)
    #expect(ImageDescription(image).isEncrypted)
  }

  @Test("that are object files have their relocations applied", arguments: [false, true])
  func relocations(_ bigEndian: Bool) throws {
    var builder = MachOBuilder(bigEndian: bigEndian, fileType: 1)
    builder.symbols = [.init(name: "_a", value: 0x40), .init(name: "_b", value: 0x1000)]
    builder.sections = [
      .init(
        segment: "__DWARF", name: "__debug_info", flags: 0, bytes: [UInt8](repeating: 0, count: 24),
        relocations: [(0, 1, true, 0), (8, 0, true, 1), (8, 1, true, 0), (16, 1, false, 0), (99, 1, true, 0)])
    ]
    let bytes = try #require(try image(builder).dwarfSections.section("debug_info"))
    var cursor = ByteCursor(bytes.buffer, bigEndian: bigEndian)
    #expect(try cursor.u64() == 0x1000)
    #expect(try cursor.u64() == 0xfc0)
    #expect(try cursor.u64() == 0)
  }

  @Test("say which field cannot be true, and where")
  func errors() throws {
    let whole = MachOBuilder(uuid: []).build()
    #expect(throws: MachOError(.truncated, offset: 20, value: 72)) { try MachOImage(Bytes(whole[..<64])) }
    var bytes = whole
    bytes[36] = 4
    #expect(throws: MachOError(.badCommand, offset: 32, value: 36)) { try MachOImage(Bytes(bytes)) }
    var fat = MachOBuilder.fat([MachOBuilder()])
    #expect(throws: MachOError(.badSlice, offset: 16, value: 4096)) { try MachOImage.images(Bytes(fat[..<5000])) }
    fat[4096] = 0
    #expect(throws: MachOError(.badMagic, offset: 4096)) { try MachOImage.images(Bytes(fat)) }
    // A class file of Java 8.
    #expect(!ObjectFile.matches(Bytes([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52])))
  }

  @Test("addresses lose the signature of pointer authentication, kernel's and others' stay")
  func pointerAuthentication() {
    let signed: UInt64 = 0x002e_8001_0234_5678
    #expect(signed.withoutPointerAuthentication(architecture: "arm64e") == 0x1_0234_5678)
    #expect(signed.withoutPointerAuthentication(architecture: "aarch64") == signed)
    #expect(UInt64(0x1_0234_5678).withoutPointerAuthentication(architecture: "arm64e") == 0x1_0234_5678)
    let kernel: UInt64 = 0xfffffff0_0700_4000
    #expect(kernel.withoutPointerAuthentication(architecture: "arm64e") == kernel)
    #expect(UInt64(0xaeed_fff0_0700_4000).withoutPointerAuthentication(architecture: "arm64e") == kernel)
  }

  @Test("have the symbols that their dumps list", .fixtures)
  func fixtures() throws {
    let crash = try machO("macho/symbolic_crash")
    #expect(crash.architecture == "x86_64")
    #expect(crash.kind == .executable)
    #expect(crash.loadAddress == 0x1_0000_0000)
    let dsym = try machO("macho/symbolic_crash.dSYM/Contents/Resources/DWARF/crash")
    #expect(dsym.kind == .debugInfo)
    #expect(!dsym.hasCode)
    #expect(dsym.hasDebugInfo)
    #expect(dsym.buildID == crash.buildID)
    let simulator = try machO("macho/firebase_i386-simulator.dSYM/Contents/Resources/DWARF/CrashTest")
    #expect(simulator.architecture == "i386")
    #expect(simulator.addressSize == 4)
  }
}
