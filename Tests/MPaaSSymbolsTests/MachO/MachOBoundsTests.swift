import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The end of a function of Mach-O without function starts") struct MachOBoundsTests {
  private func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  private var text: MachOBuilder.Section {
    .init(address: 0x1000, bytes: [UInt8](repeating: 0x90, count: 0x400))
  }

  /// A table of one page: functions by their distance from 0x1000, each with a word, and where the last one ends.
  private func unwindInfo(_ functions: [(start: Int, encoding: Int)], end: Int, isRegular: Bool) -> [UInt8] {
    let encodings = isRegular ? [] : functions.map(\.encoding)
    var bytes = word(1) + word(28) + word(encodings.count) + word(28 + 4 * encodings.count) + word(0)
    let index = 28 + 4 * encodings.count
    bytes += word(index) + word(2)
    bytes += encodings.flatMap(word)
    bytes += word(functions.first?.start ?? 0) + word(index + 24) + word(0)
    bytes += word(end) + word(0) + word(0)
    let first = functions.first?.start ?? 0
    if isRegular {
      bytes += word(2) + word(8 | functions.count << 16)
      for function in functions { bytes += word(function.start) + word(function.encoding) }
    } else {
      bytes += word(3) + word(12 | functions.count << 16) + word(0)
      for (number, function) in functions.enumerated() { bytes += word(number << 24 | (function.start - first)) }
    }
    return bytes
  }

  private func told(_ image: MachOImage, _ address: UInt64) -> String? {
    let lookup = image.frameLookup(debug: nil, companions: .none)
    return lookup.frames(at: address).first.map { "\($0.symbol ?? "?")+\($0.offset ?? 0)" }
  }

  @Test("is where the compact table for unwinding has it", arguments: [true, false])
  func compactTable(isRegular: Bool) throws {
    var builder = MachOBuilder()
    let table = unwindInfo([(0, 0x400_0000), (0x100, 0x400_0000), (0x200, 0)], end: 0x300, isRegular: isRegular)
    builder.sections = [text, .init(name: "__unwind_info", address: 0x8000, flags: 0, bytes: table)]
    builder.symbols = [.init(name: "_refresh", value: 0x1000), .init(name: "_last", value: 0x1280)]
    let image = try MachOImage(Bytes(builder.build()))
    #expect(told(image, 0x10ff) == "refresh+255")
    #expect(told(image, 0x1100) == "?+0")
    #expect(told(image, 0x11ff) == "?+255")
    #expect(told(image, 0x12ff) == "last+127")
    #expect(told(image, 0x1300) == nil)
    let lookup = try #require(image.frameLookup(debug: nil, companions: .none) as? AddressLookup)
    let index = try IndexFixture.index(of: lookup)
    for address in stride(from: 0xff0 as UInt64, to: 0x1410, by: 1) {
      #expect(index.frames(at: address) == lookup.frames(at: address))
    }
  }

  @Test("is not known where the local symbols were stripped too: a name counts at its first address alone")
  func unknown() throws {
    var builder = MachOBuilder()
    builder.sections = [text]
    builder.symbols = [.init(name: "_sdk_version", value: 0x1000), .init(name: "_next", value: 0x1100)]
    let unstripped = try MachOImage(Bytes(builder.build()))
    #expect(told(unstripped, 0x1014) == "sdk_version+20")
    builder.localSymbolCount = 1
    let stripped = try MachOImage(Bytes(builder.build()))
    #expect(told(stripped, 0x1000) == "sdk_version+0")
    #expect(told(stripped, 0x1014) == nil)
    #expect(told(stripped, 0x1100) == "next+0")
    builder.localSymbolCount = 20
    #expect(told(try MachOImage(Bytes(builder.build())), 0x1014) == "sdk_version+20")
  }

  @Test("of a dSYM is the start of a function that only the program knows")
  func split() throws {
    var builder = MachOBuilder()
    builder.sections = [text]
    builder.symbols = [.init(name: "_a", value: 0x1000), .init(name: "_b", type: 0x0e, value: 0x1200)]
    let debug = try MachOImage(Bytes(builder.build()))
    builder.symbols = [.init(name: "_a", value: 0x1000)]
    // At 0x1000, 0x1100 and 0x1200.
    builder.textAddress = 0x0f00
    builder.functionStarts = [0x80, 0x02, 0x80, 0x02, 0x80, 0x02, 0]
    let image = try MachOImage(Bytes(builder.build()))
    let lookup = image.frameLookup(debug: debug, companions: .none)
    #expect(lookup.frames(at: 0x10ff) == [SourceFrame(symbol: "a", offset: 0xff)])
    #expect(lookup.frames(at: 0x1100) == [SourceFrame(symbol: nil, offset: 0)])
    #expect(lookup.frames(at: 0x1210) == [SourceFrame(symbol: "b", offset: 0x10)])
  }
}
