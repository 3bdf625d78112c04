import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("An index of a Mach-O image") struct MachOIndexTests {
  /// Every file of the fixtures with Mach-O images that have code or debug information, object files too.
  static func files() -> [String] {
    ["macho", "crashprobe"].flatMap { folder in
      guard let root = try? Fixture.path("crash/" + folder) else { return [String]() }
      let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
      return names.map { root + "/" + $0 }.filter { path in
        guard let bytes = try? Bytes.mapping(path), MachOImage.matches(bytes) else { return false }
        return (try? MachOImage.images(bytes))?.contains { !$0.executableRanges.isEmpty } == true
      }.sorted()
    }
  }

  private func check(_ lookup: any FrameLookup, _ name: String, seed: UInt64) throws {
    let lookup = try #require(lookup as? AddressLookup)
    let index = try IndexFixture.index(of: lookup)
    var random = SeededRandom(seed: seed)
    for address in IndexFixture.addresses(of: lookup, &random) {
      let direct = lookup.frames(at: address)
      let indexed = index.frames(at: address)
      guard direct == indexed else {
        Issue.record("\(name) at 0x\(String(address, radix: 16)): \(direct) but the index has \(indexed)")
        return
      }
    }
  }

  @Test("answers every address as the image does that it was made of", .fixtures, arguments: files())
  func sameAnswers(_ path: String) throws {
    for image in try MachOImage.images(Bytes.mapping(path)) {
      try check(image.frameLookup(debug: nil, companions: .none), path, seed: 3)
    }
  }

  @Test(
    "answers as an image and its dSYM do together, also where the image has names of its own", .fixtures,
    arguments: [
      ("matrix/cxx-arm64", "matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64"),
      ("matrix/cxx-arm64-stripped", "matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64"),
      ("matrix/swift-ios-O", "matrix/swift-ios-O.dSYM/Contents/Resources/DWARF/swift-ios-O"),
      ("symbolic_crash", "symbolic_crash.dSYM/Contents/Resources/DWARF/crash"),
      ("samply_simple/mac-dsym/main", "samply_simple/mac-dsym/main.dSYM/Contents/Resources/DWARF/main"),
      ("llvm/dsym-test-exe", "llvm/dsym-test-exe.dSYM/Contents/Resources/DWARF/dsym-test-exe"),
    ])
  func together(_ program: String, _ dSYM: String) throws {
    let image = try machO("macho/" + program)
    let debug = try machO("macho/" + dSYM, architecture: image.architecture)
    try check(image.frameLookup(debug: debug, companions: .none), program, seed: 5)
  }

  @Test("ends where the symbols end: exported ones, function starts and nameless functions")
  func symbols() throws {
    var builder = MachOBuilder()
    builder.sections = [.init(bytes: [UInt8](repeating: 1, count: 256))]
    builder.symbols = [.init(name: "_a", value: 0x1000), .init(name: "_b", value: 0x1040)]
    builder.functionStarts = [0x10, 0x20, 0x40, 0]
    let image = try MachOImage(Bytes(builder.build()))
    let lookup = try #require(image.frameLookup(debug: nil, companions: .none) as? AddressLookup)
    let index = try IndexFixture.index(of: lookup)
    let bounds = lookup.symbolBounds?() ?? []
    #expect(Set(bounds).isSuperset(of: [0x1000, 0x1040]))
    for address in UInt64(0xf00)..<0x1200 {
      #expect(index.frames(at: address) == lookup.frames(at: address), "0x\(String(address, radix: 16))")
    }
  }

  @Test("of a stored dSYM is made at the first use and used afterwards", .fixtures)
  func stored() throws {
    let folder = try TemporaryFolder()
    let store = SymbolStore(folder.path + "/symbols")
    let path = try Fixture.path("crash/macho/matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64")
    guard case .added(let entry)? = try store.add(path).first else {
      Issue.record("not added")
      return
    }
    var search = DebugFileSearch(store: store, roots: [])
    search.indexes = SymbolIndexes(store: store, cache: nil)
    let direct = try machO("macho/matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64")
      .frameLookup(debug: nil, companions: .none)
    for _ in 0..<2 {
      let opened = try ObjectLookup(search: search).open(build: entry.buildID)
      #expect(opened.lookup is IndexedLookup)
      #expect(opened.status == .complete)
      #expect(opened.lookup.frames(at: 0x1_0000_0378) == direct.frames(at: 0x1_0000_0378))
    }
  }
}

@Suite("An index of an image with hidden names") struct HiddenNamesIndexTests {
  @Test("is made when the symbol map is there, and anew when the map changes", .fixtures)
  func symbolMap() throws {
    let folder = try TemporaryFolder()
    let store = SymbolStore(folder.path + "/symbols")
    var builder = MachOBuilder()
    builder.sections = [.init(bytes: [UInt8](repeating: 0, count: 0x100))]
    builder.symbols = [.init(name: "__hidden#0_", value: 0x1000), .init(name: "__hidden#1_", value: 0x1010)]
    let file = folder.path + "/x"
    try Data(builder.build()).write(to: URL(filePath: file))
    let id = try #require(MachOImage(Bytes(builder.build())).buildID)
    var search = DebugFileSearch(store: store, roots: [])
    search.indexes = SymbolIndexes(store: store, cache: folder.path + "/indexes")
    search.indexes?.policy = .always
    let map = folder.path + "/\(id.dashed).bcsymbolmap"
    func look() throws -> (name: String?, isIndexed: Bool) {
      let lookup = try ObjectLookup(search: search).open(file).lookup
      return (lookup.frames(at: 0x1004).first?.symbol, lookup is IndexedLookup)
    }
    #expect(try look() == ("__hidden#0_", false))
    try Data("BCSymbolMap Version: 2.0\nfirst\nsecond\n".utf8).write(to: URL(filePath: map))
    for _ in 0..<2 { #expect(try look() == ("first", true)) }
    try Data("BCSymbolMap Version: 2.0\nanother first\nsecond\n".utf8).write(to: URL(filePath: map))
    for _ in 0..<2 { #expect(try look() == ("another first", true)) }
    // In the store as well, where the map comes with a later addition.
    try FileManager.default.removeItem(atPath: map)
    _ = try store.add(file)
    #expect(try ObjectLookup(search: search).open(build: id).lookup.frames(at: 0x1000).first?.symbol == "__hidden#0_")
    for name in ["third", "fourth", "fifth"] {
      try Data("BCSymbolMap Version: 2.0\n\(name)\n".utf8).write(to: URL(filePath: map))
      _ = try store.add(file)
      for _ in 0..<2 {
        let lookup = try ObjectLookup(search: search).open(build: id).lookup
        #expect(lookup.frames(at: 0x1000).first?.symbol == name)
        #expect(lookup is IndexedLookup)
      }
    }
  }
}
