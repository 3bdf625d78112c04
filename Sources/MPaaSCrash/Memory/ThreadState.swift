import CTrace
package import CUnwind
import MPaaSCrashReport

/// A thread's registers as the kernel gives them: `user_regs_struct` from `ptrace` and from a core's NT_PRSTATUS.
package struct ThreadState {
  /// In the kernel's order.
  package var values: [UInt64]

  init(values: [UInt64]) {
    self.values = values
  }

  init(_ registers: mt_registers) {
    let count = min(max(Int(registers.count), 0), Int(mt_register_limit))
    values = withUnsafeBytes(of: registers.values) { Array($0.bindMemory(to: UInt64.self).prefix(count)) }
  }

  /// The number of registers of a thread of this machine has.
  static var count: Int { Int(mt_register_count()) }

  private static let names = (0..<mt_register_count()).map { String(cString: mt_register_name($0)) }

  private subscript(name: String) -> UInt64 {
    get { Self.names.firstIndex(of: name).flatMap { values.indices.contains($0) ? values[$0] : nil } ?? 0 }
    set { if let index = Self.names.firstIndex(of: name), values.indices.contains(index) { values[index] = newValue } }
  }

  #if arch(x86_64)
    private static let counterName = "rip"
    private static let stackName = "rsp"
    private static let flavor = "x86_THREAD_STATE"
    private static let shown = [
      "rax", "rbx", "rcx", "rdx", "rdi", "rsi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
      "rip", "rflags", "cs", "fs_base", "gs_base",
    ]
  #else
    private static let counterName = "pc"
    private static let stackName = "sp"
    private static let flavor = "ARM_THREAD_STATE64"
    private static let shown = names
  #endif

  package var programCounter: UInt64 {
    get { self[Self.counterName] }
    set { self[Self.counterName] = newValue }
  }
  package var stackPointer: UInt64 { self[Self.stackName] }

  /// The number of the system call that the thread was in; nil outside of one, and where registers do not tell.
  package var systemCall: Int64? {
    let number = Int64(bitPattern: self["orig_rax"])
    return Self.names.contains("orig_rax") && number >= 0 ? number : nil
  }

  /// As a report shows them.
  var registers: CrashReport.Registers {
    CrashReport.Registers(flavor: Self.flavor, values: Self.shown.map { .init($0, self[$0]) })
  }

  /// As the unwinder wants them; nil for a thread of another architecture.
  package var unwindable: mp_registers? {
    var target = mp_registers()
    let done = values.withUnsafeBytes { mp_registers_from_user_regs(&target, $0.baseAddress, $0.count) }
    return done ? target : nil
  }
}
