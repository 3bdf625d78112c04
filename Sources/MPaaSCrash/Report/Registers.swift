extension CrashReport.Registers {
  private static let order: [String: Int] = {
    let names =
      ["rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", "rsp"] + (0...15).map { "r\($0)" }
      + ["ip", "rip", "rflags", "cr2", "eax", "ebx", "ecx", "edx", "edi", "esi", "ebp", "esp", "ss", "eflags", "eip"]
      + ["cs", "ds", "es", "fs", "gs", "err", "trap", "cpu"]
      + (0...30).map { "x\($0)" } + ["fp", "lr", "sp", "pc", "cpsr", "far", "esr"]
    return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }()

  /// The names in the order that the architecture's manuals list them, unknown ones last, by the alphabet.
  package static func sorted(_ names: [String]) -> [String] {
    names.sorted { (order[$0] ?? .max, $0) < (order[$1] ?? .max, $1) }
  }

  /// How many of the first values are `x0`, `x1`, … of ARM in this order.
  var generalARMRegisters: Int {
    values.enumerated().first { $1.name != "x\($0)" }?.offset ?? values.count
  }
}
