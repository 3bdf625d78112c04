import MPaaSSupport

/// Evaluates the DWARF expressions of call frame information.
///
/// Only what makes sense there is known: no locations, no types, no calls. 1,024 operations and 256 values at most.
///
/// - Source: DWARF 5, 2.5.1 and 6.4.2.
struct UnwindExpression {
  let bytes: Bytes
  let addressSize: Int
  let isBigEndian: Bool
  let register: (Int) -> UInt64?
  /// A number of 1, 2, 4 or 8 bytes in memory.
  let memory: (UInt64, Int) -> UInt64?

  /// The value on top at the end, after starting with `initial`; nil where something is not known.
  func value(initial: UInt64? = nil) -> UInt64? {
    defer { withExtendedLifetime(bytes) {} }
    var stack = initial.map { [$0] } ?? []
    var cursor = SectionCursor(bytes.buffer, bigEndian: isBigEndian)
    var steps = 0
    while !cursor.isAtEnd {
      steps += 1
      guard steps <= 1024, stack.count <= 256, run(cursor.u8(), &cursor, &stack), !cursor.isBroken else { return nil }
    }
    return stack.last.map(trimmed)
  }

  private func trimmed(_ value: UInt64) -> UInt64 { addressSize == 4 ? value & 0xffff_ffff : value }

  private func signed(_ value: UInt64) -> Int64 {
    addressSize == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  private func run(_ code: UInt8, _ cursor: inout SectionCursor, _ stack: inout [UInt64]) -> Bool {
    switch code {
    case 0x03, 0x08...0x11, 0x30...0x4f: stack.append(constant(code, &cursor))
    case 0x06, 0x94: return load(code == 0x06 ? addressSize : Int(cursor.u8()), &stack)
    case 0x12...0x17: return move(code, &cursor, &stack)
    case 0x19, 0x1f, 0x20, 0x23: return unary(code, &cursor, &stack)
    case 0x1a...0x1e, 0x21, 0x22, 0x24...0x27, 0x29...0x2e: return binary(code, &stack)
    case 0x28: return branch(&cursor, &stack, isTaken: stack.popLast() ?? 0 != 0)
    case 0x2f: return branch(&cursor, &stack, isTaken: true)
    case 0x70...0x8f, 0x92:
      let number = code == 0x92 ? Int(truncatingIfNeeded: cursor.uleb() & 0xffff) : Int(code - 0x70)
      guard let value = register(number) else { return false }
      stack.append(value &+ UInt64(bitPattern: cursor.sleb()))
    case 0x96: return true
    default: return false
    }
    return true
  }

  private func constant(_ code: UInt8, _ cursor: inout SectionCursor) -> UInt64 {
    switch code {
    case 0x03: cursor.unsigned(size: UInt8(addressSize))
    case 0x08: UInt64(cursor.u8())
    case 0x09: UInt64(bitPattern: Int64(Int8(bitPattern: cursor.u8())))
    case 0x0a: UInt64(cursor.u16())
    case 0x0b: UInt64(bitPattern: Int64(Int16(bitPattern: cursor.u16())))
    case 0x0c: UInt64(cursor.u32())
    case 0x0d: UInt64(bitPattern: Int64(Int32(bitPattern: cursor.u32())))
    case 0x0e, 0x0f: cursor.u64()
    case 0x10: cursor.uleb()
    case 0x11: UInt64(bitPattern: cursor.sleb())
    default: UInt64(code - 0x30)
    }
  }

  private func load(_ size: Int, _ stack: inout [UInt64]) -> Bool {
    guard let address = stack.popLast(), let value = memory(trimmed(address), size) else { return false }
    stack.append(value)
    return true
  }

  private func move(_ code: UInt8, _ cursor: inout SectionCursor, _ stack: inout [UInt64]) -> Bool {
    func pick(_ index: Int) -> Bool {
      guard index < stack.count else { return false }
      stack.append(stack[stack.count - 1 - index])
      return true
    }
    switch code {
    case 0x12: return pick(0)
    case 0x13: return stack.popLast() != nil
    case 0x14: return pick(1)
    case 0x15: return pick(Int(cursor.u8()))
    case 0x16:
      guard stack.count >= 2 else { return false }
      stack.swapAt(stack.count - 1, stack.count - 2)
      return true
    default:
      guard stack.count >= 3, let top = stack.popLast() else { return false }
      stack.insert(top, at: stack.count - 2)
      return true
    }
  }

  private func unary(_ code: UInt8, _ cursor: inout SectionCursor, _ stack: inout [UInt64]) -> Bool {
    guard let value = stack.popLast() else { return false }
    switch code {
    case 0x19: stack.append(signed(value).magnitude)
    case 0x1f: stack.append(0 &- value)
    case 0x20: stack.append(~value)
    default: stack.append(value &+ cursor.uleb())
    }
    return true
  }

  private func binary(_ code: UInt8, _ stack: inout [UInt64]) -> Bool {
    guard let right = stack.popLast(), let left = stack.popLast() else { return false }
    let (a, b) = (signed(left), signed(right))
    switch code {
    case 0x1a: stack.append(left & right)
    case 0x1b:
      guard b != 0 else { return false }
      stack.append(UInt64(bitPattern: a.dividedReportingOverflow(by: b).partialValue))
    case 0x1c: stack.append(left &- right)
    case 0x1d:
      guard trimmed(right) != 0 else { return false }
      stack.append(trimmed(left) % trimmed(right))
    case 0x1e: stack.append(left &* right)
    case 0x21: stack.append(left | right)
    case 0x22: stack.append(left &+ right)
    case 0x24: stack.append(left << right)
    case 0x25: stack.append(trimmed(left) >> right)
    case 0x26: stack.append(UInt64(bitPattern: a >> Int64(clamping: right)))
    case 0x27: stack.append(left ^ right)
    case 0x29: stack.append(a == b ? 1 : 0)
    case 0x2a: stack.append(a >= b ? 1 : 0)
    case 0x2b: stack.append(a > b ? 1 : 0)
    case 0x2c: stack.append(a <= b ? 1 : 0)
    case 0x2d: stack.append(a < b ? 1 : 0)
    default: stack.append(a != b ? 1 : 0)
    }
    return true
  }

  private func branch(_ cursor: inout SectionCursor, _ stack: inout [UInt64], isTaken: Bool) -> Bool {
    let distance = Int(Int16(bitPattern: cursor.u16()))
    if isTaken { cursor.move(to: cursor.offset + distance) }
    return true
  }
}
