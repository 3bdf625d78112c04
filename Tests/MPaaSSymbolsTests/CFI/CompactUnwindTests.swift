import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

/// Sections of a thin 64-bit Mach-O file, as far as these tests need them.
private struct MachOSections {
  var sections: [String: (address: UInt64, bytes: [UInt8])] = [:]
  var text: UInt64 = 0

  init(_ path: String) throws {
    let data = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func u32(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
    func u64(_ at: Int) -> UInt64 { UInt64(u32(at)) | UInt64(u32(at + 4)) << 32 }
    func name(_ at: Int) -> String { String(decoding: data[at..<at + 16].prefix { $0 != 0 }, as: UTF8.self) }
    var offset = 32
    for _ in 0..<u32(16) {
      if u32(offset) == 0x19 {
        if name(offset + 8) == "__TEXT" { text = u64(offset + 24) }
        for index in 0..<u32(offset + 64) {
          let place = offset + 72 + index * 80
          let start = u32(place + 48), size = Int(u64(place + 40))
          guard start > 0, start + size <= data.count else { continue }
          sections[name(place)] = (u64(place + 32), Array(data[start..<start + size]))
        }
      }
      offset += u32(offset + 4)
    }
  }

  func unwind(_ architecture: UnwindArchitecture) -> CompactUnwind? {
    func section(_ name: String) -> CompactUnwind.Section? {
      sections[name].map { CompactUnwind.Section(Bytes($0.bytes), address: $0.address) }
    }
    return section("__unwind_info").flatMap {
      CompactUnwind(
        $0.bytes, architecture: architecture, textAddress: text, exceptionFrames: section("__eh_frame"),
        code: section("__text"))
    }
  }
}

@Suite("Compact unwind information", .fixtures) struct CompactUnwindTests {
  static let files: [(String, Bool)] = [
    ("crash/macho/symbolic_crash", false), ("crash/macho/samply_simple/mac-oso/main", true),
    ("crash/macho/llvm/dsym-test-exe", false),
  ]

  @Test("has the words that llvm-objdump shows for each function", .tool("llvm-objdump"), arguments: files)
  func words(name: String, isARM: Bool) throws {
    let path = try Fixture.path(name)
    let file = try MachOSections(path)
    let unwind = try #require(file.unwind(isARM ? .arm64 : .x86_64))
    let text = try Command.run("llvm-objdump", ["--macho", "--unwind-info", path]).output
    var checked = 0
    for line in text.split(separator: "\n") where line.contains("function offset=") && line.contains("encoding") {
      let numbers = line.split(whereSeparator: { " =,[]".contains($0) }).filter { $0.hasPrefix("0x") }
        .compactMap { UInt64($0.dropFirst(2), radix: 16) }
      guard numbers.count == 2, let encoding = UInt32(exactly: numbers[1]) else { continue }
      let found = unwind.encoding(at: file.text + numbers[0])
      if encoding == 0 {
        #expect(found == nil, "\(line)")
      } else {
        #expect(found?.encoding == encoding, "\(line)")
        #expect(found?.function == file.text + numbers[0], "\(line)")
      }
      checked += 1
    }
    #expect(checked > 0, "\(text.prefix(2000))")
  }

  @Test("gives the rules of frames with a frame pointer, and __eh_frame's where it refers to them")
  func rules() throws {
    let plain = try MachOSections(Fixture.path("crash/macho/llvm/dsym-test-exe"))
    let rules = try #require(plain.unwind(.x86_64)?.rules(at: plain.text + 0xf81))
    guard case .register(6, 16) = rules.frameAddress, case .offset(-8)? = rules.registers[16] else {
      Issue.record("\(rules)")
      return
    }
    let file = try MachOSections(Fixture.path("crash/macho/symbolic_crash"))
    let frames = try #require(file.unwind(.x86_64)?.rules(at: file.text + 0xdb40))
    guard case .offset(-8)? = frames.registers[16] else {
      Issue.record("\(frames)")
      return
    }
  }

  /// A table with one page and one function at 0x100 of an image at 0x1000.
  private func table(_ encoding: UInt32) -> [UInt8] {
    let words: [UInt32] =
      [1, 28, 0, 28, 0, 28, 2] + [0x100, 52, 0, 0x200, 0, 0] + [2, 8 | 1 << 16, 0x100, encoding]
    return words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
  }

  private func caller(
    _ encoding: UInt32, _ architecture: UnwindArchitecture, _ registers: [Int: UInt64], code: UInt32? = nil
  ) throws -> [Int: UInt64] {
    let unwind = try #require(
      CompactUnwind(Bytes(table(encoding)), architecture: architecture, textAddress: 0x1000) { _ in code })
    let rules = try #require(unwind.rules(at: 0x1180))
    #expect(unwind.rules(at: 0x1200) == nil)
    // Memory whose every word is its own address.
    return try #require(
      UnwindStep(architecture: architecture) { address, _ in address }.caller(of: registers, by: rules))
  }

  @Test("of x86-64 frames with a frame pointer restores the pushed registers")
  func frame() throws {
    // rbx and r14 pushed below rbp: offset 2, registers 1 and 4.
    let caller = try caller(0x0100_0000 | 2 << 16 | 1 | 4 << 3, .x86_64, [6: 0x7000, 7: 0x6f00])
    #expect(caller[16] == 0x7008)
    #expect(caller[6] == 0x7000)
    #expect(caller[7] == 0x7010)
    #expect(caller[3] == 0x6ff0)
    #expect(caller[14] == 0x6ff8)
  }

  @Test("of x86-64 frames without frame pointer knows size and permutation, also from the instruction")
  func frameless() throws {
    // 4 registers; permutation 60·0 + 12·1 + 3·1 + 0: rbx, r13, r14, r12.
    let immediate = try caller(0x0200_0000 | 8 << 16 | 4 << 10 | 15, .x86_64, [7: 0x7000])
    #expect(immediate[7] == 0x7040)
    #expect(immediate[16] == 0x7038)
    #expect(immediate[3] == 0x7018)
    #expect(immediate[13] == 0x7020)
    #expect(immediate[14] == 0x7028)
    #expect(immediate[12] == 0x7030)
    let indirect = try caller(0x0300_0000 | 3 << 16 | 1 << 13, .x86_64, [7: 0x7000], code: 0x1000)
    #expect(indirect[7] == 0x8008)
    #expect(indirect[16] == 0x8000)
  }

  @Test("of ARM64 knows frames with a frame pointer and leaves without")
  func arm() throws {
    let frame = try caller(0x0400_0001, .arm64, [29: 0x7000, 31: 0x6f00, 30: 1])
    #expect(frame[32] == 0x7008)
    #expect(frame[29] == 0x7000)
    #expect(frame[31] == 0x7010)
    #expect(frame[19] == 0x6ff8)
    #expect(frame[20] == 0x6ff0)
    let leaf = try caller(0x0200_0000 | 2 << 12, .arm64, [29: 0x7000, 31: 0x6f00, 30: 0x1234])
    #expect(leaf[32] == 0x1234)
    #expect(leaf[31] == 0x6f20)
    #expect(leaf[29] == 0x7000)
  }

  @Test("with damage gives rules or none", .timeLimit(.minutes(10)))
  func fuzz() throws {
    let file = try MachOSections(Fixture.path("crash/macho/symbolic_crash"))
    let original = try #require(file.sections["__unwind_info"]).bytes
    var random = SeededRandom(seed: 13)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = original
      for _ in 0...Int.random(in: 0..<12, using: &random) {
        bytes[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      let architecture: UnwindArchitecture = Bool.random(using: &random) ? .arm64 : .x86_64
      guard let unwind = CompactUnwind(Bytes(bytes), architecture: architecture, textAddress: file.text) else {
        continue
      }
      for _ in 0..<50 { _ = unwind.rules(at: file.text &+ UInt64.random(in: 0..<0x10_0000, using: &random)) }
    }
  }
}
