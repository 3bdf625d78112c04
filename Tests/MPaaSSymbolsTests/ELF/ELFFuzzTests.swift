import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSSymbols

@Suite("Damaged ELF files") struct ELFFuzzTests {
  static let files = [
    "matrix/gcc-dwarf5", "matrix/gcc-zlib", "matrix/minidebuginfo", "matrix/split", "matrix/split.debug",
    "matrix/dwo5.dwo", "symbolic_crash.debug-zlib", "symbolic_dynsyms_only", "samply_ls/ls",
    "samply_ls/260a3e6e46db57abf718f6a3562c6eedccf269.debug", "debuglink/elf_with_compressed_debuglink",
    "llvm/addr.exe",
  ]

  @Test("neither crash nor hang the reader", .fixtures, arguments: Array(files.enumerated()))
  func mutated(_ index: Int, _ name: String) throws {
    let original = [UInt8](try Fixture.data("crash/elf/" + name))
    try check(original, name, seed: UInt64(index) &* 104_729 &+ 3, rounds: DWARFFuzzTests.rounds / Self.files.count)
  }

  @Test(
    "of the system neither crash nor hang the reader",
    arguments: ["/usr/bin/env", "/usr/lib/x86_64-linux-gnu/crti.o", "/usr/bin/bash", "/lib64/ld-linux-x86-64.so.2"])
  func system(_ path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else { return }
    try check([UInt8](data), path, seed: UInt64(data.count), rounds: DWARFFuzzTests.rounds / 24)
  }

  private func check(_ original: [UInt8], _ name: String, seed: UInt64, rounds: Int) throws {
    var random = SeededRandom(seed: seed)
    let tables = hotRanges(original)
    for round in 0..<max(rounds, 1) {
      var bytes = original
      mutate(&bytes, tables, &random)
      let start = ProcessorTime()
      exercise(bytes, &random)
      // The bound is a second; builds without optimisation on a busy machine get more.
      #expect(start.elapsed < .seconds(8), "\(name), round \(round)")
    }
  }

  /// The ranges where damage is felt: the header, the tables, the compressed headers, the notes.
  private func hotRanges(_ bytes: [UInt8]) -> [Range<Int>] {
    guard let image = try? ELFImage(Bytes(bytes)) else { return [0..<bytes.count] }
    var ranges = [0..<min(64, bytes.count), 0..<bytes.count]
    let entry = Int(ELFSection.entrySize(is64: image.header.is64))
    let table = Int(image.header.sectionTable.offset)
    ranges.append(table..<min(bytes.count, table + image.sections.count * entry))
    for section in image.sections where section.type != .noBits && section.size > 0 && section.offset < bytes.count {
      ranges.append(Int(section.offset)..<min(Int(section.offset) + min(Int(section.size), 48), bytes.count))
    }
    return ranges.filter { !$0.isEmpty }
  }

  private func mutate(_ bytes: inout [UInt8], _ ranges: [Range<Int>], _ random: inout SeededRandom) {
    if Int.random(in: 0..<20, using: &random) == 0 {
      bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
      return
    }
    let extremes: [UInt8] = [0, 1, 0x7f, 0x80, 0xff]
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let place = Int.random(in: ranges.randomElement(using: &random) ?? 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default:
        let value = extremes.randomElement(using: &random) ?? 0
        for next in place..<min(place + Int.random(in: 1...8, using: &random), bytes.count) { bytes[next] = value }
      }
    }
  }

  /// Asks the image everything that it can be asked.
  private func exercise(_ bytes: [UInt8], _ random: inout SeededRandom) {
    guard let image = try? ELFImage(Bytes(bytes)) else { return }
    _ = ImageDescription(image)
    for section in image.sections {
      _ = image.name(of: section)
      _ = try? image.contents(of: section)
    }
    for name in ["debug_info", "debug_str", "debug_cu_index"] {
      _ = image.dwarfSections.section(name)
      _ = image.splitSections.section(name)
    }
    _ = image.loadAddress
    _ = image.address(ofFileOffset: UInt64.random(in: 0...UInt64(bytes.count), using: &random))
    let table = image.symbols
    let spread = image.executableRanges.filter { !$0.isEmpty }
    for _ in 0..<20 {
      let inside = spread.randomElement(using: &random).map { UInt64.random(in: $0, using: &random) }
      if let match = table.find(inside ?? UInt64.random(in: 0...(.max), using: &random)) {
        _ = Demangler().demangle(table.name(match.index))
      }
    }
    #expect(image.cache.withLock { $0.decompressed } <= image.allowance)
  }
}
