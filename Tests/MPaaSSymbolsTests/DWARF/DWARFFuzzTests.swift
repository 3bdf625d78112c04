import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Damaged debug information") struct DWARFFuzzTests {
  static let files = [
    "matrix/gcc-dwarf4", "matrix/gcc-dwarf5", "matrix/clang-dwarf2", "matrix/clang-dwarf5", "matrix/gcc-dwo5",
    "matrix/swift-O", "dump_syms/basic.full", "llvm/debuginfo/dwarfdump-inl-test.elf-x86-64",
    "llvm/debuginfo/dwarfdump-test2.elf-x86-64", "samply_simple/dwp-debuglink/main.dbg", "samply_ls/coreutils.debug",
    "symbolic_crash.debug-zlib",
  ]

  /// 10,000 for the closing measurement, a few hundred in everyday runs.
  static let rounds = SeededRandom.rounds(or: 240)

  @Test("neither crashes nor hangs look-ups", .fixtures, arguments: Array(files.enumerated()))
  func mutated(_ index: Int, _ name: String) throws {
    let path = try Fixture.path("crash/elf/\(name)")
    let original = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let sections = try debugRanges(original)
    try #require(!sections.isEmpty)
    var random = SeededRandom(seed: UInt64(index) &* 7919 &+ 1)
    for round in 0..<max(Self.rounds / Self.files.count, 1) {
      var bytes = original
      mutate(&bytes, sections, &random)
      let start = ProcessorTime()
      exercise(bytes, folder: (path as NSString).deletingLastPathComponent, &random)
      let elapsed = start.elapsed
      // The bound is a second; builds without optimisation on a busy machine get more.
      #expect(elapsed < .seconds(10), "\(name), round \(round)")
    }
  }

  private func debugRanges(_ bytes: [UInt8]) throws -> [Range<Int>] {
    let image = try ELFImage(Bytes(bytes))
    return image.sections.filter {
      image.name(of: $0).hasPrefix(".debug") && $0.type != .noBits && $0.size > 0 && $0.offset < bytes.count
    }.map { Int($0.offset)..<min(Int($0.offset + $0.size), bytes.count) }
  }

  /// Changes a few bytes, most of them in the debug sections and near their starts: bits, borders, stretches.
  private func mutate(_ bytes: inout [UInt8], _ sections: [Range<Int>], _ random: inout SeededRandom) {
    let extremes: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, 0xfe]
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let section = sections.randomElement(using: &random) ?? 0..<bytes.count
      let isNearStart = Bool.random(using: &random)
      let span = isNearStart ? section.lowerBound..<min(section.upperBound, section.lowerBound + 256) : section
      let place = Int.random(in: span, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = extremes.randomElement(using: &random) ?? 0
      case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default:
        let value = extremes.randomElement(using: &random) ?? 0
        for next in place..<min(place + Int.random(in: 2...16, using: &random), bytes.count) { bytes[next] = value }
      }
    }
  }

  private func exercise(_ bytes: [UInt8], folder: String, _ random: inout SeededRandom) {
    guard let image = try? ELFImage(Bytes(bytes)) else { return }
    let companions = DebugCompanions(
      split: { name, _ in
        try? ELFImage(Bytes.mapping(folder + "/" + (name as NSString).lastPathComponent)).splitSections
      })
    let lookup = image.lookup(companions: companions)
    for range in image.executableRanges.prefix(8) where !range.isEmpty {
      for _ in 0..<6 {
        _ = lookup.frames(at: UInt64.random(in: range, using: &random))
      }
    }
    // All units, with their names and lines.
    guard let source = lookup.indexSource() else { return }
    let builder = IndexBuilder(addressSize: 8, hasDebugInfo: true, files: [])
    if let index = try? builder.build(source) { #expect(throws: Never.self) { try IndexFile(index) } }
  }
}
