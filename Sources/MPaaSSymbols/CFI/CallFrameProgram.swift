import MPaaSSupport

/// Runs the instructions of a function's call frame information up to an address.
///
/// Instructions, saved states and registers are counted; more than any compiler writes end the run without rules.
///
/// - Source: DWARF 5, 6.4.2; the GNU and ARM extensions where they are named.
struct CallFrameProgram {
  private static let mostSteps = 1 << 16
  private static let mostStates = 64
  private static let mostRegisters = 256

  private let section: CallFrameTable.Section
  private let common: CallFrameCommon
  private let entry: CallFrameTable.Entry
  /// The address at which the present rules begin.
  private(set) var address: UInt64
  /// Called with each row that is whole.
  var onRow: ((UInt64, UnwindRules) -> Void)?

  private var rules: UnwindRules
  private var initial: [Int: UnwindRules.Rule] = [:]
  private var states: [UnwindRules] = []
  private var steps = 0
  /// The register and offset that the frame address is made of; both survive an expression in between.
  private var frame: (register: Int, offset: Int64) = (0, 0)
  private var hasFrame = false

  init(_ section: CallFrameTable.Section, _ common: CallFrameCommon, _ entry: CallFrameTable.Entry) {
    self.section = section
    self.common = common
    self.entry = entry
    address = entry.addresses.lowerBound
    rules = UnwindRules(frameAddress: .register(0, offset: 0), returnAddress: common.returnAddress)
    rules.isSignalFrame = common.isSignalFrame
    rules.isBigEndian = section.isBigEndian
  }

  /// The rules at `target`; nil where the instructions are damaged or never say where the frame is.
  mutating func run(upTo target: UInt64) -> UnwindRules? {
    guard run(common.program, upTo: .max, rows: false) else { return nil }
    initial = rules.registers
    guard run(entry.program, upTo: target, rows: true) else { return nil }
    return hasFrame ? rules : nil
  }

  private mutating func run(_ program: Range<Int>, upTo target: UInt64, rows: Bool) -> Bool {
    var cursor = SectionCursor(
      section.bytes.buffer, at: program.lowerBound, end: program.upperBound, bigEndian: section.isBigEndian)
    while !cursor.isAtEnd {
      steps += 1
      guard steps < Self.mostSteps, rules.registers.count <= Self.mostRegisters else { return false }
      let code = cursor.u8()
      if let next = advance(code, &cursor) {
        guard !cursor.isBroken else { return false }
        if next > target { return true }
        if rows, next != address { onRow?(address, rules) }
        address = next
      } else if !step(code, &cursor) || cursor.isBroken {
        return false
      }
    }
    return true
  }

  /// The new address where the instruction moves on to one.
  private func advance(_ code: UInt8, _ cursor: inout SectionCursor) -> UInt64? {
    func by(_ delta: UInt64) -> UInt64 { address &+ delta &* common.codeAlignment }
    switch code {
    case 0x40...0x7f: return by(UInt64(code & 0x3f))
    case 0x01: return CallFramePointer.read(common.encoding, &cursor, section, addressSize: common.addressSize)
    case 0x02: return by(UInt64(cursor.u8()))
    case 0x03: return by(UInt64(cursor.u16()))
    case 0x04: return by(UInt64(cursor.u32()))
    case 0x1d: return by(cursor.u64())  // DW_CFA_MIPS_advance_loc8
    default: return nil
    }
  }

  private mutating func step(_ code: UInt8, _ cursor: inout SectionCursor) -> Bool {
    switch code {
    case 0x00: return true
    case 0x80...0xbf: set(Int(code & 0x3f), .offset(factored(cursor.uleb())))
    case 0xc0...0xff: restore(Int(code & 0x3f))
    case 0x05: set(register(&cursor), .offset(factored(cursor.uleb())))
    case 0x06: restore(register(&cursor))
    case 0x07: set(register(&cursor), .undefined)
    case 0x08: set(register(&cursor), .sameValue)
    case 0x09: set(register(&cursor), .register(register(&cursor)))
    case 0x0a, 0x0b: return state(isSaved: code == 0x0a)
    case 0x0c...0x0f, 0x12, 0x13: return frameAddress(code, &cursor)
    case 0x10: set(register(&cursor), .expression(block(&cursor)))
    case 0x11: set(register(&cursor), .offset(factored(cursor.sleb())))
    case 0x14: set(register(&cursor), .valueOffset(factored(cursor.uleb())))
    case 0x15: set(register(&cursor), .valueOffset(factored(cursor.sleb())))
    case 0x16: set(register(&cursor), .valueExpression(block(&cursor)))
    case 0x2c, 0x2d: rules.isReturnAddressSigned.toggle()  // DW_CFA_AARCH64_negate_ra_state, and with the pc
    case 0x2e: _ = cursor.uleb()  // DW_CFA_GNU_args_size
    case 0x2f: set(register(&cursor), .offset(0 &- factored(cursor.uleb())))  // DW_CFA_GNU_negative_offset_extended
    default: return false
    }
    return true
  }

  private mutating func frameAddress(_ code: UInt8, _ cursor: inout SectionCursor) -> Bool {
    switch code {
    case 0x0c: frame = (register(&cursor), Int64(bitPattern: cursor.uleb()))
    case 0x0d: frame.register = register(&cursor)
    case 0x0e: frame.offset = Int64(bitPattern: cursor.uleb())
    case 0x12: frame = (register(&cursor), factored(cursor.sleb()))
    case 0x13: frame.offset = factored(cursor.sleb())
    default:
      rules.frameAddress = .expression(block(&cursor))
      hasFrame = true
      return true
    }
    rules.frameAddress = .register(frame.register, offset: frame.offset)
    hasFrame = true
    return true
  }

  /// Remembers the rules or takes the last remembered ones back, the frame address with them, as GCC and LLVM do.
  private mutating func state(isSaved: Bool) -> Bool {
    if isSaved {
      states.append(rules)
      return states.count <= Self.mostStates
    }
    guard let last = states.popLast() else { return false }
    rules = last
    if case .register(let register, let offset) = last.frameAddress { frame = (register, offset) }
    return true
  }

  private mutating func set(_ register: Int, _ rule: UnwindRules.Rule) {
    rules.registers[register] = rule
  }

  private mutating func restore(_ register: Int) {
    rules.registers[register] = initial[register]
  }

  private func register(_ cursor: inout SectionCursor) -> Int {
    Int(truncatingIfNeeded: cursor.uleb() & 0xffff)
  }

  private func factored(_ value: UInt64) -> Int64 { Int64(bitPattern: value) &* common.dataAlignment }

  private func factored(_ value: Int64) -> Int64 { value &* common.dataAlignment }

  private func block(_ cursor: inout SectionCursor) -> Bytes {
    let size = cursor.uleb()
    let start = cursor.offset
    cursor.skip(size)
    guard !cursor.isBroken else { return .empty }
    return section.bytes.slice(at: UInt64(start), size: size) ?? .empty
  }
}
