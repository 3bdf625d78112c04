/// A processor as unwinding sees it: DWARF's numbers of its registers, and which of them do what.
///
/// - Source: the processors' psABI supplements, "DWARF Register Number Mapping".
package struct UnwindArchitecture: Sendable, Equatable {
  package let name: String
  /// Bytes: 4 or 8.
  package let pointerSize: Int
  /// The register of the program counter: a number of its own, or the column of the return address.
  package let programCounter: Int
  package let stackPointer: Int
  package let framePointer: Int
  /// The register that a call leaves the return address in; nil where it goes to the stack.
  package let link: Int?
  private let names: [Int: String]
  private let numbers: [String: Int]

  private init(
    _ name: String, pointerSize: Int, pc: Int, sp: Int, fp: Int, link: Int?, names: [Int: String],
    aliases: [String: Int] = [:]
  ) {
    self.name = name
    self.pointerSize = pointerSize
    programCounter = pc
    stackPointer = sp
    framePointer = fp
    self.link = link
    self.names = names
    numbers = Dictionary(names.map { ($1, $0) }) { first, _ in first }.merging(aliases) { $1 }
  }

  /// DWARF's number of a register by its name in reports and in Breakpad's rules (without `$`).
  package func number(_ register: String) -> Int? { numbers[register] }

  package func name(_ number: Int) -> String? { names[number] }

  package static let x86_64 = UnwindArchitecture(
    "x86_64", pointerSize: 8, pc: 16, sp: 7, fp: 6, link: nil,
    names: [
      0: "rax", 1: "rdx", 2: "rcx", 3: "rbx", 4: "rsi", 5: "rdi", 6: "rbp", 7: "rsp", 8: "r8", 9: "r9", 10: "r10",
      11: "r11", 12: "r12", 13: "r13", 14: "r14", 15: "r15", 16: "rip",
    ])

  package static let x86 = UnwindArchitecture(
    "x86", pointerSize: 4, pc: 8, sp: 4, fp: 5, link: nil,
    names: [
      0: "eax", 1: "ecx", 2: "edx", 3: "ebx", 4: "esp", 5: "ebp", 6: "esi", 7: "edi", 8: "eip",
    ])

  package static let arm64 = UnwindArchitecture(
    "arm64", pointerSize: 8, pc: 32, sp: 31, fp: 29, link: 30,
    names: Dictionary(uniqueKeysWithValues: (0..<29).map { ($0, "x\($0)") }).merging(
      [29: "fp", 30: "lr", 31: "sp", 32: "pc"]) { $1 },
    aliases: ["x29": 29, "x30": 30, "x31": 31])

  package static let arm = UnwindArchitecture(
    "arm", pointerSize: 4, pc: 15, sp: 13, fp: 11, link: 14,
    names: Dictionary(uniqueKeysWithValues: (0..<13).map { ($0, "r\($0)") }).merging(
      [13: "sp", 14: "lr", 15: "pc"]) { $1 },
    aliases: ["fp": 11, "r13": 13, "r14": 14, "r15": 15])

  /// ARM as Apple's systems use it, with the frame pointer in r7.
  package static let armApple = UnwindArchitecture(
    "arm", pointerSize: 4, pc: 15, sp: 13, fp: 7, link: 14,
    names: Dictionary(uniqueKeysWithValues: (0..<13).map { ($0, "r\($0)") }).merging(
      [13: "sp", 14: "lr", 15: "pc"]) { $1 },
    aliases: ["fp": 7, "r13": 13, "r14": 14, "r15": 15])

  package static let mips = UnwindArchitecture(
    "mips", pointerSize: 4, pc: 64, sp: 29, fp: 30, link: 31, names: mipsNames)

  package static let mips64 = UnwindArchitecture(
    "mips64", pointerSize: 8, pc: 64, sp: 29, fp: 30, link: 31, names: mipsNames)

  package static let powerPC = UnwindArchitecture(
    "ppc", pointerSize: 4, pc: 128, sp: 1, fp: 31, link: 65, names: powerNames)

  package static let powerPC64 = UnwindArchitecture(
    "ppc64", pointerSize: 8, pc: 128, sp: 1, fp: 31, link: 65, names: powerNames)

  private static let mipsNames: [Int: String] = Dictionary(uniqueKeysWithValues: (0..<28).map { ($0, "r\($0)") })
    .merging([28: "gp", 29: "sp", 30: "fp", 31: "ra", 64: "pc"]) { $1 }

  private static let powerNames: [Int: String] = Dictionary(uniqueKeysWithValues: (0..<32).map { ($0, "r\($0)") })
    .merging([65: "lr", 128: "srr0"]) { $1 }

  /// The processor of a name as images have it; nil for those that nothing unwinds.
  ///
  /// - Parameter isApple: Whether ARM's frame pointer is r7.
  package static func named(_ name: String, isApple: Bool) -> UnwindArchitecture? {
    switch name {
    case "x86_64", "x86_64h", "amd64": .x86_64
    case "i386", "i686", "x86": .x86
    case "arm64", "arm64e", "aarch64": .arm64
    case "mips": .mips
    case "mips64": .mips64
    case "ppc": .powerPC
    case "ppc64": .powerPC64
    case _ where name.hasPrefix("arm") && !name.hasPrefix("arm64"): isApple ? .armApple : .arm
    default: nil
    }
  }
}
