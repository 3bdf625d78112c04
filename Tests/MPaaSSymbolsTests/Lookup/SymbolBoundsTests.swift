import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

/// A symbol of a file as `nm` lists it.
private struct ListedSymbol {
  let name: String
  let address: UInt64
  let size: UInt64
}

private func listedSymbols(_ path: String, _ options: [String]) throws -> [ListedSymbol] {
  let text = try Command.run("nm", options + ["--defined-only", "--format=sysv", path]).output
  return text.split(separator: "\n").compactMap { line in
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard fields.count == 7, ["FUNC", "IFUNC", "<OS specific>: 10", "NOTYPE"].contains(fields[3]),
      let address = UInt64(fields[1], radix: 16)
    else { return nil }
    let name = String(fields[0].prefix { $0 != "@" })
    return ListedSymbol(name: name, address: address, size: UInt64(fields[4], radix: 16) ?? 0)
  }
}

@Suite("Past the end of a symbol") struct SymbolBoundsTests {
  /// A file with `names` as symbols of code, given by offset in the string table.
  private func image(
    symbols: [(name: String, value: UInt64, size: UInt64, info: UInt8)], sections: [ELFBuilder.Section] = []
  ) throws -> ELFImage {
    var builder = ELFBuilder()
    var strings: [UInt8] = [0]
    var table = builder.symbol(name: 0, value: 0, size: 0, info: 0, section: 0)
    for symbol in symbols {
      let section: UInt16 = symbol.info & 15 == 4 ? 0xfff1 : 1
      table += builder.symbol(
        name: strings.count, value: symbol.value, size: symbol.size, info: symbol.info, section: section)
      strings += Array(symbol.name.utf8) + [0]
    }
    builder.sections =
      [
        .init(name: ".text", flags: 6, address: 0x1000, bytes: [UInt8](repeating: 0x90, count: 0x300)),
        .init(name: ".fini", flags: 6, address: 0x1300, bytes: [UInt8](repeating: 0x90, count: 0x100)),
        .init(name: ".symtab", type: 2, link: 4, entrySize: 24, bytes: table),
        .init(name: ".strtab", type: 3, bytes: strings),
      ] + sections
    return try ELFImage(Bytes(builder.build()))
  }

  private func told(_ image: ELFImage, _ address: UInt64) -> String? {
    guard let frame = image.lookup().frames(at: address).first else { return nil }
    return "\(frame.symbol ?? "?")+\(frame.offset ?? 0)" + (frame.file.map { " \($0)" } ?? "")
  }

  @Test("there is no symbol; one without a size ends with the next, its section or the symbol around it")
  func handmade() throws {
    let image = try image(symbols: [
      ("here.c", 0, 0, 0x04), ("sized", 0x1000, 0x40, 0x02), ("inside", 0x1010, 0, 0x02), ("label", 0x1100, 0, 0x12),
      ("next", 0x1200, 0x10, 0x12), ("last", 0x1280, 0, 0x12),
    ])
    #expect(told(image, 0x103f) == "sized+63")
    #expect(told(image, 0x1040) == nil)
    #expect(told(image, 0x10ff) == nil)
    #expect(told(image, 0x11ff) == "label+255")
    #expect(told(image, 0x120f) == "next+15")
    #expect(told(image, 0x1210) == nil)
    #expect(told(image, 0x12ff) == "last+127")
    #expect(told(image, 0x1300) == nil)
    let index = try IndexFixture.index(of: image.lookup())
    for address in 0xff0..<0x1410 as Range<UInt64> {
      #expect(index.frames(at: address) == image.lookup().frames(at: address))
    }
  }

  @Test("a label ends where only the file with the debug information knows a symbol, and the other way round")
  func split() throws {
    let known: [(name: String, value: UInt64, size: UInt64, info: UInt8)] = [
      ("label", 0x1000, 0, 0x12), ("hid", 0x1100, 0x40, 0x02), ("around", 0x1200, 0x40, 0x02),
      ("within", 0x1210, 0, 0x12), ("late", 0x1280, 0, 0x02), ("end", 0x1290, 0, 0x12),
    ]
    let whole = try image(symbols: known)
    #expect(told(whole, 0x1160) == nil)
    // Every way of dividing the symbols between the two files.
    for choice in 0..<1 << known.count {
      let own = try image(symbols: known.enumerated().filter { choice & 1 << $0.offset != 0 }.map(\.element))
      let debug = try image(symbols: known.enumerated().filter { choice & 1 << $0.offset == 0 }.map(\.element))
      let lookup = own.lookup(debug: debug)
      let index = try IndexFixture.index(of: lookup)
      for address in stride(from: 0xff0 as UInt64, to: 0x1310, by: 8) {
        #expect(lookup.frames(at: address) == whole.lookup().frames(at: address), "\(choice) \(address)")
        #expect(index.frames(at: address) == lookup.frames(at: address))
      }
    }
  }

  @Test("a function without a name is told by where the unwind table lets it begin", .tool("strip"), .tool("cc"))
  func nameless() throws {
    let folder = try TemporaryFolder()
    let source = folder.path + "/f.c"
    try """
    __attribute__((noinline)) static int hidden(int n) { return n > 1 ? n * 3 : n + 7; }
    int (*volatile pointer)(int) = hidden;
    int shown(int n) { return pointer(n) + 1; }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    let whole = folder.path + "/whole.so", stripped = folder.path + "/stripped.so"
    #expect(
      try Command.run("cc", ["-O1", "-shared", "-fPIC", "-funwind-tables", "-o", whole, source]).status == 0)
    #expect(try Command.run("strip", ["-o", stripped, whole]).status == 0)
    let hidden = try #require(try listedSymbols(whole, []).first { $0.name == "hidden" })
    let shown = try #require(try listedSymbols(whole, []).first { $0.name == "shown" })
    let lookup = try ELFImage(Bytes.mapping(stripped)).lookup()
    #expect(lookup.frames(at: hidden.address + 1) == [SourceFrame(symbol: nil, offset: 1)])
    #expect(lookup.frames(at: shown.address + 1) == [SourceFrame(symbol: "shown", offset: 1)])
    let index = try IndexFixture.index(of: lookup)
    for range in lookup.code.ranges {
      for address in range { #expect(index.frames(at: address) == lookup.frames(at: address)) }
    }
  }

  @Test(
    "of the system's libraries there is none either", .tool("nm"),
    arguments: ["libc.so.6", "libstdc++.so.6", "libcrypto.so.3", "libcurl.so.4", "libarchive.so.13", "libz.so.1"])
  func systemLibraries(_ name: String) throws {
    let path = "/usr/lib/x86_64-linux-gnu/" + name
    guard FileManager.default.fileExists(atPath: path) else { return }
    let symbols = try listedSymbols(path, ["-D"])
    try #require(symbols.count > 20)
    let byName = Dictionary(grouping: symbols, by: \.name)
    let lookup = try ELFImage(Bytes.mapping(path)).lookup()
    var random = SeededRandom(seed: 23)
    for _ in 0..<SeededRandom.rounds(or: 500) {
      let range = try #require(lookup.code.ranges.randomElement(using: &random))
      let address = UInt64.random(in: range, using: &random)
      guard let frame = lookup.frames(at: address).first, let symbol = frame.symbol, frame.line == nil else { continue }
      let isTrue = byName[symbol, default: []].contains {
        $0.address <= address && ($0.size == 0 || address - $0.address < $0.size)
      }
      #expect(isTrue, "\(name) at 0x\(String(address, radix: 16)): \(symbol)")
    }
  }

  @Test("the C library's free is not called cfree, and no symbol's file is its source", .tool("nm"))
  func aliases() throws {
    let image = try image(symbols: [
      ("crtstuff.c", 0, 0, 0x04), ("__GI_free", 0x1000, 0x40, 0x02), ("free@@V_2", 0x1000, 0x40, 0x12),
      ("__libc_free", 0x1000, 0x40, 0x12), ("cfree@V_1", 0x1000, 0x40, 0x12), ("__read", 0x1100, 8, 0x12),
      ("read", 0x1100, 8, 0x22), ("_ZN1aC1Ev", 0x1200, 8, 0x22), ("local", 0x1200, 8, 0x02),
    ])
    #expect(told(image, 0x1001) == "free+1")
    #expect(told(image, 0x1101) == "read+1")
    #expect(told(image, 0x1201) == "_ZN1aC1Ev+1")
    let path = "/usr/lib/x86_64-linux-gnu/libc.so.6"
    guard FileManager.default.fileExists(atPath: path) else { return }
    let lookup = try ELFImage(Bytes.mapping(path)).lookup()
    for name in ["free", "malloc", "read", "write", "memcpy", "raise", "abort"] {
      let symbol = try #require(try listedSymbols(path, ["-D"]).last { $0.name == name })
      guard lookup.frames(at: symbol.address).first?.line == nil else { continue }
      #expect(lookup.frames(at: symbol.address).first?.symbol == name)
    }
  }

  @Test("of Breakpad's text the rules for unwinding end a public symbol")
  func breakpad() throws {
    let text = """
      MODULE Linux x86_64 000000000000000000000000000000000 a
      PUBLIC 1000 0 first
      PUBLIC 2000 0 second
      STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI INIT 1080 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^

      """
    let lookup = BreakpadLookup(try BreakpadImage(Bytes(Array(text.utf8))))
    #expect(lookup.frames(at: 0x103f) == [SourceFrame(symbol: "first", offset: 0x3f)])
    #expect(lookup.frames(at: 0x1040) == [])
    #expect(lookup.frames(at: 0x1090) == [])
    #expect(lookup.frames(at: 0x2500) == [SourceFrame(symbol: "second", offset: 0x500)])
    let source = try #require(lookup.indexSource())
    let bytes = try IndexBuilder(addressSize: 8, hasDebugInfo: false, files: []).build(source)
    let index = IndexedLookup(try IndexFile(bytes)) { nil }
    for address in stride(from: 0xff0 as UInt64, to: 0x2600, by: 1) {
      #expect(index.frames(at: address) == lookup.frames(at: address))
    }
  }
}
