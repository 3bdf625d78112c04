import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("An index of a Breakpad symbol file") struct BreakpadIndexTests {
  /// Every symbol file of the fixtures.
  static func files() -> [String] {
    guard let root = try? Fixture.path("crash") else { return [] }
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".sym") }.map { root + "/" + $0 }.filter { path in
      (try? Bytes.mapping(path)).map(BreakpadImage.matches) == true
    }.sorted()
  }

  private func compare(_ lookup: BreakpadLookup, _ what: String, seed: UInt64) throws {
    guard let source = lookup.indexSource() else {
      Issue.record("\(what) cannot be listed")
      return
    }
    let bytes = try IndexBuilder(addressSize: 8, hasDebugInfo: lookup.hasDebugInfo, files: []).build(source)
    let index = IndexedLookup(try IndexFile(bytes)) { nil }
    var random = SeededRandom(seed: seed)
    for address in addresses(of: lookup, &random) {
      let direct = lookup.frames(at: address)
      let indexed = index.frames(at: address)
      guard direct == indexed else {
        Issue.record("\(what) at 0x\(String(address, radix: 16)): \(direct) but the index has \(indexed)")
        return
      }
    }
  }

  private func addresses(of lookup: BreakpadLookup, _ random: inout SeededRandom) -> [UInt64] {
    let table = lookup.table
    var bounds: Set<UInt64> = [0, 1, .max - 1]
    bounds.formUnion(table.symbols.map(\.address))
    for function in table.functions {
      bounds.formUnion([function.address, function.end])
      let body = BreakpadLookup.Body(lookup.image.bytes.buffer, function.contents)
      bounds.formUnion(body.lines.flatMap { [$0.address, $0.address &+ $0.size] })
      bounds.formUnion(body.calls.flatMap { [$0.range.lowerBound, $0.range.upperBound] })
    }
    let end = max(bounds.filter { $0 < .max - 1 }.max() ?? 1, 1)
    for _ in 0..<300 { bounds.insert(UInt64.random(in: 0...end, using: &random)) }
    var chosen = bounds.sorted()
    if chosen.count > 3000 {
      chosen = (0..<3000).map { _ in chosen[Int.random(in: chosen.indices, using: &random)] }
    }
    return chosen.flatMap { [$0, $0 &- 1, $0 &+ 1] }.map { $0 &+ lookup.base }.filter { $0 < .max }
  }

  @Test("answers every address as the file does", .fixtures, arguments: files())
  func sameAnswers(_ path: String) throws {
    try compare(BreakpadLookup(BreakpadImage(Bytes.mapping(path))), path, seed: 1)
    try compare(BreakpadLookup(BreakpadImage(Bytes.mapping(path)), base: 0x40_0000), path, seed: 2)
  }

  @Test("answers as small files do: with inlined calls, without lines, with symbols that end")
  func small() throws {
    try compare(BreakpadLookup(BreakpadImageTests.image(BreakpadImageTests.small)), "small", seed: 3)
    let symbols = """
      MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app
      FUNC 100 20 0 bare
      PUBLIC 10 0 first
      PUBLIC 20 0 
      PUBLIC 180 0 last

      """
    try compare(BreakpadLookup(BreakpadImageTests.image(symbols)), "symbols", seed: 4)
    try compare(BreakpadLookup(BreakpadImageTests.image(symbols), base: .max - 0x110), "high", seed: 5)
  }

  @Test("answers with a program's own symbols where the file knows nothing", .fixtures)
  func withProgram() throws {
    let program = try ELFImage(Bytes.mapping(Fixture.path("crash/elf/matrix/gcc-dwarf5")))
    let symbols = AddressLookup(
      nil, code: program.executableRanges, symbol: { program.symbolMatch(at: $0) },
      symbolBounds: { program.symbols.bounds })
    let base: UInt64 = 0x1000
    let image = try BreakpadImageTests.image(
      "MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app\nFUNC 90 50 0 f\n90 10 3 0\nPUBLIC 100 0 g\nPUBLIC 110 0 \n"
    )
    let lookup = BreakpadLookup(image, base: base, other: symbols)
    let source = try #require(lookup.indexSource())
    let index = IndexedLookup(
      try IndexFile(IndexBuilder(addressSize: 8, hasDebugInfo: true, files: []).build(source))
    ) { nil }
    for address in UInt64(0)..<0x3000 {
      #expect(index.frames(at: address) == lookup.frames(at: address), "0x\(String(address, radix: 16))")
    }
  }

  @Test("answers as damaged files do, or is not made")
  func damaged() throws {
    var random = SeededRandom(seed: 44)
    let digits = Array("0123456789abcdef \nm".utf8)
    let original = Array(BreakpadImageTests.small.utf8)
    let head = original.firstIndex(of: 10).map { $0 + 1 } ?? 0
    for round in 0..<SeededRandom.rounds(or: 200) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: head..<bytes.count, using: &random)] = digits.randomElement(using: &random) ?? 48
      }
      try compare(BreakpadLookup(BreakpadImage(Bytes(bytes))), "round \(round)", seed: UInt64(round))
    }
  }

  @Test("is not made of calls one in the other without an end, which take no time either")
  func hostile() throws {
    var text = "MODULE Linux x86_64 C0BCC3F19827FE653058404B2831D9E60 app\nINLINE_ORIGIN 0 f\nFUNC 0 fffff 0 g\n"
    for depth in 0..<8000 { text += "INLINE \(depth) 1 0 0 \(String(depth, radix: 16)) fffff\n" }
    let lookup = try BreakpadLookup(BreakpadImageTests.image(text))
    let source = try #require(lookup.indexSource())
    let start = ProcessorTime()
    #expect(throws: IndexBuildError.self) {
      try IndexBuilder(addressSize: 8, hasDebugInfo: true, files: []).build(source)
    }
    #expect(start.elapsed < .seconds(10))
  }
}
