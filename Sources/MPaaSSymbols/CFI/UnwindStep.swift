import MPaaSSupport

/// Goes from a frame to its caller by rules.
package struct UnwindStep {
  package let architecture: UnwindArchitecture
  /// A number of 1, 2, 4 or 8 bytes in memory; nil where the memory is not there.
  package let memory: (UInt64, Int) -> UInt64?

  package init(architecture: UnwindArchitecture, memory: @escaping (UInt64, Int) -> UInt64?) {
    self.architecture = architecture
    self.memory = memory
  }

  /// The caller's registers, its program counter among them; nil where a rule that is needed cannot be followed.
  package func caller(of registers: [Int: UInt64], by rules: UnwindRules) -> [Int: UInt64]? {
    let size = architecture.pointerSize
    guard let frame = frameAddress(rules, registers) else { return nil }
    var caller = registers
    caller[architecture.stackPointer] = frame
    for (register, rule) in rules.registers {
      caller[register] = value(register, rule, registers, frame, rules)
    }
    guard !rules.isOutermost, let address = caller[rules.returnAddress] else { return nil }
    caller[architecture.programCounter] = size == 4 ? address & 0xffff_ffff : address
    return caller
  }

  private func frameAddress(_ rules: UnwindRules, _ registers: [Int: UInt64]) -> UInt64? {
    let address: UInt64?
    switch rules.frameAddress {
    case .register(let register, let offset): address = registers[register].map { $0 &+ UInt64(bitPattern: offset) }
    case .expression(let bytes): address = expression(bytes, registers, rules).value()
    case .postfix(let expression): address = postfix(expression, registers, nil)
    }
    return architecture.pointerSize == 4 ? address.map { $0 & 0xffff_ffff } : address
  }

  private func value(
    _ register: Int, _ rule: UnwindRules.Rule, _ registers: [Int: UInt64], _ frame: UInt64, _ rules: UnwindRules
  ) -> UInt64? {
    let size = architecture.pointerSize
    switch rule {
    case .undefined: return nil
    case .sameValue: return registers[register]
    case .offset(let offset): return memory(address(frame, offset), size)
    case .valueOffset(let offset): return address(frame, offset)
    case .register(let other): return registers[other]
    case .expression(let bytes):
      return expression(bytes, registers, rules).value(initial: frame).flatMap { memory($0, size) }
    case .valueExpression(let bytes): return expression(bytes, registers, rules).value(initial: frame)
    case .postfix(let expression): return postfix(expression, registers, frame)
    }
  }

  private func address(_ frame: UInt64, _ offset: Int64) -> UInt64 {
    let sum = frame &+ UInt64(bitPattern: offset)
    return architecture.pointerSize == 4 ? sum & 0xffff_ffff : sum
  }

  private func expression(_ bytes: Bytes, _ registers: [Int: UInt64], _ rules: UnwindRules) -> UnwindExpression {
    UnwindExpression(
      bytes: bytes, addressSize: architecture.pointerSize, isBigEndian: rules.isBigEndian,
      register: { registers[$0] }, memory: memory)
  }

  private func postfix(
    _ expression: StackCFI.Expression, _ registers: [Int: UInt64], _ frame: UInt64?
  ) -> UInt64? {
    let mask: UInt64 = architecture.pointerSize == 4 ? 0xffff_ffff : .max
    return expression.value(frameAddress: frame, register: { registers[$0] }) { address in
      memory(address & mask, architecture.pointerSize)
    }.map { $0 & mask }
  }
}
