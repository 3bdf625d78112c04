import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

/// A row of `readelf --debug-dump=frames-interp`: what it says of each register.
private struct PeerRow {
  let address: UInt64
  let frame: String
  let registers: [String: String]
}

private func peerRows(_ path: String) throws -> [Int: [PeerRow]] {
  let text = try Command.run("readelf", ["--debug-dump=frames-interp", "--wide", path]).output
  var entries: [Int: [PeerRow]] = [:]
  var current: Int?
  var columns: [Substring] = []
  var isExceptionFrames = false
  for line in text.split(separator: "\n") {
    // Registers are written as `r9 (r9)` or `r5 (rdi)`, and only there.
    let words = line.split(separator: " ").reduce(into: [Substring]()) { words, word in
      if word.hasPrefix("("), !words.isEmpty {
        words[words.count - 1] = word.dropFirst().dropLast()
      } else {
        words.append(word)
      }
    }
    if line.hasPrefix("Contents of the") { isExceptionFrames = line.contains(".eh_frame") }
    guard isExceptionFrames, let first = words.first else { continue }
    if words.contains("FDE"), words.count > 4 {
      current = Int(first, radix: 16)
      if let current { entries[current] = [] }
    } else if words.contains("CIE") {
      current = nil
    } else if first == "LOC" {
      columns = Array(words.dropFirst(2))
    } else if let current, first.count == 16, let address = UInt64(first, radix: 16), words.count == columns.count + 2 {
      entries[current]?.append(
        PeerRow(
          address: address, frame: String(words[1]),
          registers: Dictionary(
            uniqueKeysWithValues: zip(columns.map(String.init), words.dropFirst(2).map(String.init)))))
    }
  }
  return entries
}

/// Our rules in readelf's words.
private func words(_ rules: UnwindRules, _ architecture: UnwindArchitecture) -> (
  frame: String, registers: [String: String]
) {
  func name(_ number: Int) -> String { architecture.name(number) ?? "r\(number)" }
  func signed(_ value: Int64) -> String { value < 0 ? "\(value)" : "+\(value)" }
  let frame =
    switch rules.frameAddress {
    case .register(let register, let offset): name(register) + signed(offset)
    case .expression: "exp"
    case .postfix: "postfix"
    }
  var registers: [String: String] = [:]
  for (number, rule) in rules.registers {
    registers[number == rules.returnAddress ? "ra" : name(number)] =
      switch rule {
      case .undefined: "u"
      case .sameValue: "s"
      case .offset(let offset): "c" + signed(offset)
      case .valueOffset(let offset): "v" + signed(offset)
      case .register(let other): name(other)
      case .expression: "exp"
      case .valueExpression: "vexp"
      case .postfix: "postfix"
      }
  }
  return (frame, registers)
}

@Suite("Call frame information", .fixtures, .tool("readelf")) struct CallFrameTests {
  static let files =
    [
      "gcc-dwarf4", "gcc-dwarf5", "gcc-nopie", "clang-dwarf2", "clang-dwarf5", "swift-O", "swift-Onone", "stripped",
      "minidebuginfo",
    ].map { "crash/elf/matrix/\($0)" } + ["crash/elf/symbolic_crash", "/lib/x86_64-linux-gnu/libc.so.6"]

  @Test("has the same rows as readelf shows, for each function", arguments: files)
  func rows(name: String) throws {
    let path = name.hasPrefix("/") ? name : try Fixture.path(name)
    guard FileManager.default.fileExists(atPath: path) else { return }
    let image = try ELFImage(Bytes.mapping(path))
    let table = try #require(image.callFrames(".eh_frame", .ehFrame))
    let peer = try peerRows(path)
    #expect(!peer.isEmpty)
    #expect(Set(table.entries.map(\.offset)) == Set(peer.keys))
    var compared = 0
    for entry in table.entries {
      let expected = peer[entry.offset] ?? []
      let rows = table.rows(of: entry)
      if expected.isEmpty { continue }
      #expect(rows.map(\.address) == expected.map(\.address), "\(name) at \(entry.offset)")
      for (row, expected) in zip(rows, expected) {
        let own = words(row.rules, .x86_64)
        #expect(own.frame == expected.frame, "\(name), \(String(row.address, radix: 16))")
        for (register, rule) in expected.registers where register != "rip" {
          #expect(own.registers[register] ?? "u" == rule, "\(name), \(String(row.address, radix: 16)) \(register)")
        }
        // A last row may begin where the function ends.
        guard entry.addresses.contains(row.address) else { continue }
        let middle = table.rules(at: row.address)
        #expect(middle.map { words($0, .x86_64).frame } == own.frame)
        compared += 1
      }
    }
    #expect(compared > 4)
  }

  @Test("marks the frame that returns from a signal handler")
  func signalFrame() throws {
    let path = "/lib/x86_64-linux-gnu/libc.so.6"
    guard FileManager.default.fileExists(atPath: path) else { return }
    let image = try ELFImage(Bytes.mapping(path))
    let table = try #require(image.callFrames(".eh_frame", .ehFrame))
    // The kernel returns from signals through code whose frame is marked.
    let marked = table.entries.filter { table.rules(at: $0.addresses.lowerBound)?.isSignalFrame == true }
    #expect(!marked.isEmpty)
  }
}

@Suite("Call frame instructions") struct CallFrameInstructionTests {
  /// A `.debug_frame` with one CIE and one function of 0x100 bytes at 0x1000.
  private func table(
    _ program: [UInt8], initial: [UInt8] = [0x0c, 7, 8, 0x90, 1], size: UInt64 = 0x100
  ) -> CallFrameTable {
    func record(_ body: [UInt8]) -> [UInt8] {
      withUnsafeBytes(of: UInt32(body.count).littleEndian) { Array($0) } + body
    }
    let common = record([0xff, 0xff, 0xff, 0xff, 4, 0, 8, 0, 1, 0x78, 16] + initial)
    let start = withUnsafeBytes(of: UInt64(0x1000).littleEndian) { Array($0) }
    let length = withUnsafeBytes(of: size.littleEndian) { Array($0) }
    return CallFrameTable(
      CallFrameTable.Section(
        Bytes(common + record([0, 0, 0, 0] + start + length + program)), kind: .debugFrame, address: 0, addressSize: 8))
  }

  private func walk(
    _ program: [UInt8], at address: UInt64, registers: [Int: UInt64] = [7: 0x7000, 6: 0x7100, 3: 3],
    memory: [UInt64: UInt64] = [:]
  ) -> [Int: UInt64]? {
    guard let rules = table(program).rules(at: address) else { return nil }
    return UnwindStep(architecture: .x86_64) { address, _ in memory[address] }.caller(of: registers, by: rules)
  }

  @Test("move on by 1, 2 and 4 bytes, and to an address")
  func advance() {
    let program: [UInt8] =
      [0x44, 0x0e, 16, 0x02, 4, 0x0e, 24, 0x03, 8, 0, 0x0e, 32, 0x04, 16, 0, 0, 0, 0x0e, 40]
      + [0x01, 0x80, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 48]
    let expected: [(UInt64, Int64)] = [
      (0x1000, 8), (0x1004, 16), (0x1008, 24), (0x1010, 32), (0x1020, 40), (0x1080, 48),
    ]
    for (address, offset) in expected {
      guard case .register(7, let found)? = table(program).rules(at: address)?.frameAddress else {
        Issue.record("no rules at \(address)")
        continue
      }
      #expect(found == offset)
    }
    #expect(table(program).rules(at: 0x1100) == nil)
    #expect(table(program).rules(at: 0xfff) == nil)
  }

  @Test("find the frame, the return address and saved registers in memory")
  func caller() throws {
    let caller = try #require(
      walk([0x0e, 32, 0x83, 2], at: 0x1000, memory: [0x7018: 0x4444, 0x7010: 33]))
    #expect(caller[7] == 0x7020)
    #expect(caller[16] == 0x4444)
    #expect(caller[3] == 33)
    #expect(caller[6] == 0x7100)
  }

  @Test("remember and restore rules together with the frame address")
  func state() throws {
    let program: [UInt8] = [0x0a, 0x0d, 6, 0x0e, 16, 0x41, 0x0b]
    guard case .register(6, 16)? = table(program).rules(at: 0x1000)?.frameAddress,
      case .register(7, 8)? = table(program).rules(at: 0x1001)?.frameAddress
    else {
      Issue.record("the state was not restored")
      return
    }
  }

  @Test("compute values by expressions: of the frame, of a register's place, of a register itself")
  func expressions() throws {
    // The frame is the value at rsp + 16 (breg7 16, deref); rbx is at the frame - 24; rbp is the frame + 1.
    let program: [UInt8] = [0x0f, 3, 0x77, 16, 0x06, 0x10, 3, 2, 0x48, 0x1c, 0x16, 6, 2, 0x31, 0x22]
    let caller = try #require(
      walk(program, at: 0x1000, memory: [0x7010: 0x8000, 0x7ff8: 0x4444, 0x7fe8: 77]))
    #expect(caller[7] == 0x8000)
    #expect(caller[16] == 0x4444)
    #expect(caller[3] == 77)
    #expect(caller[6] == 0x8001)
  }

  @Test("end the stack where the return address is undefined, and where a rule needs memory that is not there")
  func ends() {
    #expect(walk([0x07, 16], at: 0x1000, memory: [0x7000: 1]) == nil)
    #expect(walk([], at: 0x1000) == nil)
  }

  @Test("toggle the signature of return addresses on ARM64")
  func signed() {
    let table = table([0x2d, 0x44, 0x2d])
    #expect(table.rules(at: 0x1000)?.isReturnAddressSigned == true)
    #expect(table.rules(at: 0x1004)?.isReturnAddressSigned == false)
  }

  @Test("that loop in an expression, restore what was never saved or run on for ever give no rules")
  func hostile() {
    #expect(walk([0x0f, 3, 0x2f, 0xfd, 0xff], at: 0x1000) == nil)
    #expect(table([0x0b]).rules(at: 0x1000) == nil)
    #expect(table([UInt8](repeating: 0, count: 1 << 17)).rules(at: 0x1000) == nil)
    #expect(table([UInt8](repeating: 0x0a, count: 100)).rules(at: 0x1000) == nil)
    #expect(table([0x3f]).rules(at: 0x1000) == nil)
  }
}

@Suite("Breakpad's rules for unwinding") struct StackCFITests {
  private func caller(_ initial: String, _ changes: [String] = []) -> [Int: UInt64]? {
    let memory: [UInt64: UInt64] = [0x7018: 0x4444, 0x7010: 33]
    guard let rules = StackCFI(initial: initial, changes: changes, architecture: .x86_64)?.rules else { return nil }
    return UnwindStep(architecture: .x86_64) { address, _ in memory[address] }
      .caller(of: [7: 0x7000, 3: 3], by: rules)
  }

  @Test("are postfix: frame, return address, registers; later records replace rules")
  func rules() throws {
    let found = try #require(caller(".cfa: $rsp 8 + .ra: .cfa -8 + ^", [".cfa: $rsp 32 +", "$rbx: .cfa 16 - ^"]))
    #expect(found[7] == 0x7020)
    #expect(found[16] == 0x4444)
    #expect(found[3] == 33)
  }

  @Test("know alignment, division and remainders")
  func arithmetic() throws {
    let found = try #require(caller(".cfa: $rsp 33 + 16 @ .ra: 4 3 * 5 % 100 + 2 /"))
    #expect(found[7] == 0x7020)
    #expect(found[16] == 51)
    #expect(caller(".cfa: $rsp .ra: 1 0 /") == nil)
  }

  @Test(
    "that are no rules are refused", arguments: ["", ".ra: 1", ".cfa:", "8 .cfa: 1", ".cfa: $nothing", ".cfa: 1 2"])
  func refused(text: String) {
    #expect(caller(text) == nil)
  }
}

@Suite("Damaged unwind information") struct UnwindFuzzTests {
  @Test("gives rules or none, within bounded time and memory", .fixtures, .timeLimit(.minutes(10)))
  func callFrames() throws {
    let image = try ELFImage(Bytes.mapping(Fixture.path("crash/elf/matrix/clang-dwarf5")))
    let section = try #require(image.callFrames(".eh_frame", .ehFrame)?.section)
    let original = section.bytes.array
    var random = SeededRandom(seed: 11)
    for round in 0..<SeededRandom.rounds(or: 300) {
      var bytes = original
      for _ in 0...Int.random(in: 0..<12, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      var damaged = section
      damaged.bytes = Bytes(bytes)
      if round % 3 == 0 { damaged.kind = .debugFrame }
      if round % 5 == 0 { damaged.isBigEndian = true }
      let start = ProcessorTime()
      let table = CallFrameTable(damaged)
      let step = UnwindStep(architecture: .x86_64) { address, _ in address &* 3 }
      for entry in table.entries.prefix(200) {
        for row in table.rows(of: entry).prefix(100) {
          _ = step.caller(of: [6: 1, 7: 2, 3: 5], by: row.rules)
        }
      }
      #expect(start.elapsed < .seconds(1))
    }
  }

  @Test("of Breakpad gives rules or none")
  func stackCFI() {
    var random = SeededRandom(seed: 12)
    let words = [
      ".cfa:", ".ra:", "$rsp", "$rbx:", "8", "-8", "+", "^", "@", "/", "%", ".cfa", ".undef", "*", "x", ":", "$",
    ]
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      let rules = StackCFI(initial: text.joined(separator: " "), changes: [String](), architecture: .x86_64)?.rules
      guard let rules else { continue }
      _ = UnwindStep(architecture: .x86_64) { address, _ in address }.caller(of: [7: 2, 3: 5], by: rules)
    }
  }
}
