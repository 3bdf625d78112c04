import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("What an image tells of unwinding") struct UnwindSourceTests {
  @Test(
    "is there for every function of a Mach-O program that has compact unwind information", .fixtures,
    arguments: ["macho/symbolic_crash", "macho/samply_simple/mac-dsym/main", "macho/samply_simple/mac-oso/main"])
  func machOPrograms(_ name: String) throws {
    let image = try machO(name)
    let source = try #require(image.unwindSource)
    let frames = image.section("__TEXT", "__eh_frame")
    let starts = image.functionStarts.filter { start in
      image.sections.contains { $0.name == "__text" && $0.addresses?.contains(start) == true }
    }
    let known = starts.filter { source.rules(at: $0) != nil }
    #expect(!known.isEmpty, "of \(starts.count), __eh_frame \(frames?.bytes.count ?? 0)")
    #expect(known.count * 10 >= starts.count * 9, "\(known.count) of \(starts.count)")
  }

  @Test("leads to the same caller by a Mach-O program's tables as by Breakpad's file of it", .fixtures)
  func sameCaller() throws {
    let image = try machO("macho/symbolic_crash")
    let program = try #require(image.unwindSource)
    let text = try BreakpadImage(Bytes.mapping(Fixture.path("crash/macho/symbolic_crash.sym")))
    let symbols = try #require(text.unwindSource)
    #expect(text.buildID == image.buildID)
    let step = UnwindStep(architecture: .x86_64, memory: { address, _ in address &* 0x9e37_79b9 })
    let registers = Dictionary(uniqueKeysWithValues: (0...16).map { ($0, 0x7000_0000 + UInt64($0) * 0x1_0000) })
    var compared = 0
    for frame in text.table.frames {
      // Compact unwind information tells of what follows the prologue only.
      guard let last = text.stackCFI(at: frame.address + frame.size - 1)?.changes.last?.address,
        let own = program.rules(at: last + image.loadAddress), let other = symbols.rules(at: last)
      else { continue }
      let callers = [own, other].map { step.caller(of: registers, by: $0) }
      #expect(callers[0]?[16] == callers[1]?[16], "0x\(String(last, radix: 16))")
      #expect(callers[0]?[7] == callers[1]?[7], "0x\(String(last, radix: 16))")
      compared += 1
    }
    #expect(compared > 30)
  }

  @Test("of a Mach-O image without __unwind_info comes from __eh_frame")
  func exceptionFrames() throws {
    // A CIE and an FDE for x86-64: CFA is rsp + 8, the return address lies below it; 16 bytes at 0x1000.
    let common: [UInt8] =
      [20, 0, 0, 0, 0, 0, 0, 0, 1, 0x7a, 0x52, 0, 1, 0x78, 16, 1, 0, 0x0c, 7, 8, 0x90, 1, 0, 0]
    let function: [UInt8] =
      [28, 0, 0, 0, 28, 0, 0, 0] + Self.long(0x1000) + Self.long(16) + [0, 0, 0, 0, 0, 0, 0, 0]
    var builder = MachOBuilder(cpu: 0x0100_0007)
    builder.sections = [
      .init(bytes: [UInt8](repeating: 0x90, count: 32)),
      .init(name: "__eh_frame", address: 0x2000, flags: 0, bytes: common + function + [0, 0, 0, 0]),
    ]
    let source = try #require(MachOImage(Bytes(builder.build())).unwindSource)
    #expect(source.rules(at: 0x1004)?.returnAddress == 16)
    #expect(source.rules(at: 0x1010) == nil)
  }

  private static func long(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  @Test("of Breakpad's file are its STACK CFI records, for processors that are known")
  func breakpad() throws {
    let image = try BreakpadImageTests.image(BreakpadImageTests.small)
    let source = try #require(image.unwindSource)
    let rules = try #require(source.rules(at: 0x1021))
    #expect(rules.registers.keys.sorted() == [3, 16])
    #expect(source.rules(at: 0x1040) == nil)
    let other = BreakpadImageTests.small.replacingOccurrences(of: "x86_64", with: "sparc")
    #expect(try BreakpadImageTests.image(other).unwindSource == nil)
    let without = BreakpadImageTests.small.replacingOccurrences(of: "STACK CFI", with: "STACK NOT")
    #expect(try BreakpadImageTests.image(without).unwindSource == nil)
    let moved = MovedUnwindSource(source, by: 0 &- 0x40_0000)
    #expect(moved.rules(at: 0x40_1021) != nil)
    #expect(moved.rules(at: 0x1021) == nil)
  }
}

@Suite("System libraries of Apple's devices") struct SystemMachOTests {
  @Test("are kept by their symbols alone, which name the same as the file does", .fixtures)
  func compact() throws {
    for name in ["macho/symbolic_crash", "macho/matrix/swift-ios-O", "macho/matrix/cxx-arm64-stripped"] {
      let folder = try TemporaryFolder()
      let store = SymbolStore(folder.path)
      let image = try machO(name)
      let path = try Fixture.path("crash/" + name)
      guard image.symbolCount > 0, case .added(let entry)? = try store.addSystem(path).first else { continue }
      #expect(entry.sections == ["public"], "\(name)")
      let kept = try BreakpadImage(Bytes.mapping(store.path(of: entry)))
      #expect(kept.buildID == image.buildID)
      #expect(kept.isMachO)
      let lookup = kept.frameLookup(debug: nil, companions: .none)
      var random = SeededRandom(seed: 11)
      var named = 0
      for range in image.executableRanges where !range.isEmpty {
        for address in (0..<400).map({ _ in UInt64.random(in: range, using: &random) }) + [range.lowerBound] {
          let match = image.symbols.match(at: address)
          let frame = lookup.frames(at: address - image.loadAddress).first
          #expect(frame?.symbol == match?.name, "\(name)")
          // Symbols alone know nothing of a function without one.
          guard match?.name != nil else { continue }
          #expect(frame?.offset == match?.offset, "\(name)")
          named += 1
        }
      }
      #expect(named > 0, "\(name)")
    }
  }
}
