/// Rules for unwinding as Breakpad's symbol files have them: `.cfa: $rsp 8 + .ra: .cfa -8 + ^`.
///
/// - Source: google/breakpad, `docs/symbol_files.md`, "STACK CFI records".
package struct StackCFI: Sendable {
  /// A postfix expression over registers, `.cfa` and numbers.
  package struct Expression: Sendable, Equatable {
    package enum Token: Sendable, Equatable {
      case number(Int64)
      case register(Int)
      case frameAddress
      case undefined
      case add, subtract, multiply, divide, remainder, align, load
    }

    package let tokens: [Token]
  }

  private let architecture: UnwindArchitecture
  private var frameAddress: Expression?
  private var registers: [Int: Expression] = [:]

  /// - Parameters:
  ///   - initial: The rules of the `STACK CFI INIT` record, without address and size.
  ///   - changes: Those of the `STACK CFI` records up to the address that is asked for, in their order.
  package init?(initial: some StringProtocol, changes: [some StringProtocol], architecture: UnwindArchitecture) {
    self.architecture = architecture
    guard add(initial), changes.allSatisfy({ add($0) }), frameAddress != nil else { return nil }
  }

  /// The rules in the form that all unwinding works with; nil where they do not tell the return address.
  ///
  /// - Source: Breakpad, `src/processor/cfi_frame_info.cc`: records without `.cfa` or `.ra` are not used.
  package var rules: UnwindRules? {
    guard let frameAddress, registers[architecture.programCounter] != nil else { return nil }
    var rules = UnwindRules(frameAddress: .postfix(frameAddress), returnAddress: architecture.programCounter)
    rules.registers = registers.mapValues { UnwindRules.Rule.postfix($0) }
    return rules
  }

  private mutating func add(_ text: some StringProtocol) -> Bool {
    var name: Substring?
    var tokens: [Expression.Token] = []
    for word in text.split(separator: " ") where !word.isEmpty {
      if word.hasSuffix(":") {
        guard finish(name, tokens) else { return false }
        name = Substring(word.dropLast())
        tokens = []
      } else if let token = token(Substring(word)), tokens.count < 256 {
        tokens.append(token)
      } else {
        return false
      }
    }
    return finish(name, tokens)
  }

  private mutating func finish(_ name: Substring?, _ tokens: [Expression.Token]) -> Bool {
    guard let name else { return tokens.isEmpty }
    guard !tokens.isEmpty else { return false }
    let expression = Expression(tokens: tokens)
    switch name {
    case ".cfa": frameAddress = expression
    case ".ra": registers[architecture.programCounter] = expression
    default:
      // Registers that no unwinding needs (vectors, flags) are left out.
      if let number = number(name) { registers[number] = expression }
    }
    return true
  }

  private func number(_ name: Substring) -> Int? {
    architecture.number(String(name.first == "$" ? name.dropFirst() : name))
  }

  private func token(_ word: Substring) -> Expression.Token? {
    switch word {
    case "+": .add
    case "-": .subtract
    case "*": .multiply
    case "/": .divide
    case "%": .remainder
    case "@": .align
    case "^": .load
    case ".cfa": .frameAddress
    case ".undef": .undefined
    default: Int64(word).map { .number($0) } ?? number(word).map { .register($0) }
    }
  }
}

extension StackCFI.Expression {
  /// The value; nil where a register, the memory or an operand is missing.
  func value(
    frameAddress: UInt64?, register: (Int) -> UInt64?, memory: (UInt64) -> UInt64?
  ) -> UInt64? {
    var stack: [UInt64] = []
    for token in tokens {
      switch token {
      case .number(let value): stack.append(UInt64(bitPattern: value))
      case .register(let number):
        guard let value = register(number) else { return nil }
        stack.append(value)
      case .frameAddress:
        guard let frameAddress else { return nil }
        stack.append(frameAddress)
      case .undefined: return nil
      case .load:
        guard let address = stack.popLast(), let value = memory(address) else { return nil }
        stack.append(value)
      default:
        guard let right = stack.popLast(), let left = stack.popLast(), let value = Self.apply(token, left, right)
        else { return nil }
        stack.append(value)
      }
    }
    return stack.count == 1 ? stack[0] : nil
  }

  private static func apply(_ token: Token, _ left: UInt64, _ right: UInt64) -> UInt64? {
    switch token {
    case .add: left &+ right
    case .subtract: left &- right
    case .multiply: left &* right
    case .divide: right == 0 ? nil : left / right
    case .remainder: right == 0 ? nil : left % right
    case .align: right != 0 && right & (right - 1) == 0 ? left & ~(right - 1) : nil
    default: nil
    }
  }
}
