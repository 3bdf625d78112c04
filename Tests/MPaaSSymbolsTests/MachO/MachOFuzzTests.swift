import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Damaged Mach-O files") struct MachOFuzzTests {
  static let files = [
    "matrix/cxx-arm64", "matrix/cxx-arm64-stripped", "matrix/cxx-arm64.dSYM/Contents/Resources/DWARF/cxx-arm64",
    "matrix/swift-ios-O", "matrix/swift-ios-O.dSYM/Contents/Resources/DWARF/swift-ios-O", "llvm/dsym-test-exe",
    "samply_simple/mac-oso/main", "samply_simple/mac-oso/main.o", "samply_simple/mac-oso/libfile23.a",
    "samply_simple/mac-dsym/main.dSYM/Contents/Resources/DWARF/main", "symbolic_crash",
    "symbolic_crash.dSYM/Contents/Resources/DWARF/crash",
    "firebase_i386-simulator.dSYM/Contents/Resources/DWARF/CrashTest",
  ]

  @Test("neither crash nor hang the reader", .fixtures, arguments: Array(files.enumerated()))
  func mutated(_ index: Int, _ name: String) throws {
    let original = [UInt8](try Fixture.data("crash/macho/" + name))
    try check(original, name, seed: UInt64(index) &* 7919 &+ 1)
  }

  @Test("of several processors neither crash nor hang the reader")
  func fat() throws {
    var builder = MachOBuilder()
    builder.sections = [.init(bytes: [UInt8](repeating: 1, count: 256))]
    builder.symbols = [.init(name: "_a", value: 0x1000), .init(name: "/x/lib.a(a.o)", type: 0x66)]
    builder.functionStarts = [0x10, 0x20, 0x40, 0]
    builder.exports = [0, 1, 0x5f, 0, 5, 2, 0, 0x10, 0]
    try check(MachOBuilder.fat([builder, MachOBuilder(is64: false, cpu: 7)]), "fat", seed: 77)
  }

  private func check(_ original: [UInt8], _ name: String, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let hot = min(original.count, 4096)
    let symbols = (try? MachOImage(Bytes(original)))?.commands.symbols.map { Int($0.offset) } ?? 0
    for round in 0..<max(SeededRandom.rounds(or: 300) / (Self.files.count + 1), 1) {
      var bytes = original
      if Int.random(in: 0..<20, using: &random) == 0 {
        bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
      }
      for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
        let ranges = [0..<min(hot, bytes.count), 0..<bytes.count, min(symbols, bytes.count - 1)..<bytes.count]
        let place = Int.random(in: ranges.randomElement(using: &random) ?? 0..<1, using: &random)
        let value = Int.random(in: 0...255, using: &random)
        for next in place..<min(place + [1, 1, 4, 8][value % 4], bytes.count) {
          bytes[next] = value < 128 ? UInt8(value * 2) : value < 192 ? 0xff : 0
        }
      }
      let start = ProcessorTime()
      exercise(Bytes(bytes), &random)
      // The bound is a second; builds without optimisation on a busy machine get more.
      #expect(start.elapsed < .seconds(8), "\(name), round \(round)")
    }
  }

  /// Asks the images everything that they can be asked.
  private func exercise(_ bytes: Bytes, _ random: inout SeededRandom) {
    for member in StaticLibrary(bytes).members { exerciseImages(member.bytes, &random) }
    exerciseImages(bytes, &random)
  }

  private func exerciseImages(_ bytes: Bytes, _ random: inout SeededRandom) {
    guard let images = try? MachOImage.images(bytes) else { return }
    for image in images {
      _ = ImageDescription(image)
      _ = image.hasHiddenNames
      _ = image.section("__TEXT", "__unwind_info")
      for object in image.debugMap?.objects.prefix(20) ?? [] { _ = (object.file, object.member) }
      let lookups = [
        image.frameLookup(debug: nil, companions: .none),
        image.frameLookup(debug: nil, companions: DebugCompanions(object: { _ in image })),
      ]
      let unwind = image.unwindSource
      for address in [image.loadAddress, image.executableRanges.first?.lowerBound ?? 0, .max] {
        _ = unwind?.rules(at: address)
      }
      if let source = (lookups[0] as? AddressLookup)?.indexSource() {
        var builder = IndexBuilder(addressSize: 8, hasDebugInfo: true, files: [])
        builder.allowance = 1 << 18
        _ = try? builder.build(source)
      }
      let spread = image.executableRanges.filter { !$0.isEmpty }
      for _ in 0..<20 {
        let inside = spread.randomElement(using: &random).map { UInt64.random(in: $0, using: &random) }
        for lookup in lookups { _ = lookup.frames(at: inside ?? UInt64.random(in: 0...(.max), using: &random)) }
      }
    }
  }
}
