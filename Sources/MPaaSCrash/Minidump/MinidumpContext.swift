import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// The registers of a thread as a dump has them.
///
/// - Source: Breakpad, `minidump_cpu_{x86,amd64,arm,arm64,mips,ppc,ppc64}.h`.
struct MinidumpContext {
  let architecture: UnwindArchitecture
  /// General registers in the order of the processor's manuals.
  var registers: CrashReport.Registers

  /// The same by DWARF's numbers.
  var numbered: [Int: UInt64] {
    registers.values.reduce(into: [:]) { numbered, register in
      if let number = architecture.number(register.name) { numbered[number] = register.value }
    }
  }

  /// The layout of a context of one kind: general registers with their offsets and sizes.
  private struct Form {
    let architecture: UnwindArchitecture
    let flavor: String
    let size: Int
    let registers: [(name: String, offset: Int, size: Int)]
  }

  /// - Parameters:
  ///   - processor: `processor_architecture` of the system information; the context's own flags count more.
  ///   - isApple: Whether ARM's frame pointer is r7.
  init?(_ bytes: UnsafeRawBufferPointer, processor: UInt16, isApple: Bool, isBigEndian: Bool) {
    guard let form = Self.form(bytes, processor, isApple, isBigEndian), bytes.count >= form.size else { return nil }
    architecture = form.architecture
    registers = CrashReport.Registers(flavor: form.flavor, values: [])
    for register in form.registers {
      var cursor = ByteCursor(bytes, at: register.offset, bigEndian: isBigEndian)
      guard let value = try? cursor.unsigned(size: register.size) else { return nil }
      registers.values.append(.init(register.name, value))
    }
  }

  private static func form(
    _ bytes: UnsafeRawBufferPointer, _ processor: UInt16, _ isApple: Bool, _ isBigEndian: Bool
  ) -> Form? {
    switch processor {
    case 0, 10: return x86
    case 9: return x86_64
    case 5: return arm(isApple)
    case 12: return arm64
    case 0x8003: return oldARM64
    case 1: return mips(.mips)
    case 0x8004: return mips(.mips64)
    case 3: return power
    case 0x8002: return power64
    default: return byFlags(bytes, isBigEndian)
    }
  }

  /// The kind of a context in a dump that does not say what it ran on.
  private static func byFlags(_ bytes: UnsafeRawBufferPointer, _ isBigEndian: Bool) -> Form? {
    var cursor = ByteCursor(bytes, bigEndian: isBigEndian)
    guard let flags = try? cursor.u32() else { return nil }
    cursor.offset = 48
    let late = try? cursor.u32()
    if let late, late & 0xffff_ff00 == 0x10_0000, bytes.count >= x86_64.size { return x86_64 }
    switch flags & 0xffff_ff00 {
    case 0x1_0000: return x86
    case 0x4000_0000: return arm(false)
    case 0x40_0000: return arm64
    case 0x8000_0000: return oldARM64
    default: return nil
    }
  }

  private static func row(_ names: [String], from offset: Int, size: Int) -> [(name: String, offset: Int, size: Int)] {
    names.enumerated().map { ($1, offset + $0 * size, size) }
  }

  private static let x86 = Form(
    architecture: .x86, flavor: "x86_THREAD_STATE32", size: 204,
    registers: [
      ("eax", 176, 4), ("ebx", 164, 4), ("ecx", 172, 4), ("edx", 168, 4), ("edi", 156, 4), ("esi", 160, 4),
      ("ebp", 180, 4), ("esp", 196, 4), ("ss", 200, 4), ("eflags", 192, 4), ("eip", 184, 4), ("cs", 188, 4),
      ("ds", 152, 4), ("es", 148, 4), ("fs", 144, 4), ("gs", 140, 4),
    ])

  private static let x86_64: Form = {
    let places: [(String, Int)] = [
      ("rax", 120), ("rbx", 144), ("rcx", 128), ("rdx", 136), ("rdi", 176), ("rsi", 168), ("rbp", 160), ("rsp", 152),
    ]
    return Form(
      architecture: .x86_64, flavor: "x86_THREAD_STATE", size: 256,
      registers: places.map { ($0, $1, 8) } + row((8...15).map { "r\($0)" }, from: 184, size: 8)
        + [("rip", 248, 8), ("rflags", 68, 4), ("cs", 56, 2), ("fs", 62, 2), ("gs", 64, 2)])
  }()

  private static func arm(_ isApple: Bool) -> Form {
    Form(
      architecture: isApple ? .armApple : .arm, flavor: "ARM_THREAD_STATE", size: 72,
      registers: row((0...12).map { "r\($0)" } + ["sp", "lr", "pc", "cpsr"], from: 4, size: 4))
  }

  private static let armNames = (0...28).map { "x\($0)" } + ["fp", "lr", "sp", "pc"]

  private static let arm64 = Form(
    architecture: .arm64, flavor: "ARM_THREAD_STATE64", size: 272,
    registers: row(armNames, from: 8, size: 8) + [("cpsr", 4, 4)])

  private static let oldARM64 = Form(
    architecture: .arm64, flavor: "ARM_THREAD_STATE64", size: 276,
    registers: row(armNames, from: 8, size: 8) + [("cpsr", 272, 4)])

  private static func mips(_ architecture: UnwindArchitecture) -> Form {
    let names = (0...27).map { "r\($0)" } + ["gp", "sp", "fp", "ra"]
    return Form(
      architecture: architecture, flavor: "MIPS_THREAD_STATE", size: 328,
      registers: row(names, from: 8, size: 8) + [("pc", 312, 8)])
  }

  private static let power = Form(
    architecture: .powerPC, flavor: "PPC_THREAD_STATE", size: 160,
    registers: [("srr0", 4, 4)] + row((0...31).map { "r\($0)" }, from: 12, size: 4) + [("lr", 148, 4)])

  private static let power64 = Form(
    architecture: .powerPC64, flavor: "PPC_THREAD_STATE64", size: 304,
    registers: [("srr0", 8, 8)] + row((0...31).map { "r\($0)" }, from: 24, size: 8) + [("lr", 296, 8)])
}
