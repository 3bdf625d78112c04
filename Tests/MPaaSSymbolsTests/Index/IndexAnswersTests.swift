import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("An index") struct IndexAnswersTests {
  @Test(
    "answers every address as the debug information does that it was made of", .fixtures,
    arguments: try IndexFixture.allELF())
  func sameAnswers(_ path: String) throws {
    let lookup = try openLookup(path)
    let index = try IndexFixture.index(of: lookup)
    var random = SeededRandom(seed: 7)
    let addresses = IndexFixture.addresses(of: lookup, &random)
    for address in addresses {
      let direct = lookup.frames(at: address)
      let indexed = index.frames(at: address)
      guard direct == indexed else {
        Issue.record("\(path) at 0x\(String(address, radix: 16)): \(direct) but the index has \(indexed)")
        return
      }
    }
  }

  @Test("is the same file however many threads made it", .fixtures)
  func reproducible() throws {
    let path = try Fixture.path("crash/elf/matrix/\(try IndexFixture.someMatrixFile())")
    let first = try IndexFixture.bytes(of: openLookup(path))
    let second = try IndexFixture.bytes(of: openLookup(path))
    #expect(first.array == second.array)
  }
}

enum IndexFixture {
  /// Every ELF file of the fixtures that has code.
  static func allELF() throws -> [String] {
    guard let root = try? Fixture.path("crash/elf") else { return [] }
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.map { root + "/" + $0 }.filter { path in
      guard let bytes = try? Bytes.mapping(path), ELFHeader.matches(bytes), let image = try? ELFImage(bytes) else {
        return false
      }
      return !image.executableRanges.isEmpty
    }.sorted()
  }

  static func someMatrixFile() throws -> String {
    let root = try Fixture.path("crash/elf/matrix")
    let names = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
    return try #require(names.first { (try? ELFImage(Bytes.mapping(root + "/" + $0)).hasDebugInfo) == true })
  }

  static func bytes(of lookup: AddressLookup) throws -> Bytes {
    let source = try #require(lookup.indexSource())
    let builder = IndexBuilder(addressSize: 8, hasDebugInfo: lookup.hasDebugInfo, files: [])
    // A file without its split files is indexed all the same here.
    return try builder.build(source, evenIncomplete: true)
  }

  static func index(of lookup: AddressLookup) throws -> IndexedLookup {
    IndexedLookup(try IndexFile(try bytes(of: lookup))) { nil }
  }

  /// Addresses at and beside everything that begins or ends somewhere, and random ones.
  static func addresses(of lookup: AddressLookup, _ random: inout SeededRandom) -> [UInt64] {
    var bounds: Set<UInt64> = [0, 1, .max - 1]
    for range in lookup.code.ranges {
      bounds.formUnion([range.lowerBound, range.upperBound])
      for _ in 0..<500 { bounds.insert(UInt64.random(in: range, using: &random)) }
    }
    if let file = lookup.file {
      bounds.formUnion(lookup.rootIndex(file).starts + lookup.contentIndex(file).starts)
      for index in file.headers.indices {
        guard let unit = file.unit(index) else { continue }
        bounds.formUnion(lookup.body(of: unit).functions(code: lookup.code).starts)
        if let lines = unit.lines(code: lookup.code) { bounds.formUnion(LineRuns(lines).starts) }
      }
    }
    bounds.formUnion(lookup.symbolBounds?() ?? [])
    // Many files have a million; every part of them gets its turn.
    var chosen = bounds.sorted()
    if chosen.count > 4000 {
      chosen = (0..<4000).map { _ in chosen[Int.random(in: chosen.indices, using: &random)] }
    }
    return chosen.flatMap { [$0, $0 &- 1, $0 &+ 1] }.filter { $0 < .max }
  }
}
