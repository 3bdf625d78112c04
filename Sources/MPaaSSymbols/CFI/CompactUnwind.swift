package import MPaaSSupport

/// Apple's compact unwind information (`__unwind_info`): a 32-bit word a function, for x86-64 and ARM64.
///
/// - Source: `<mach-o/compact_unwind_encoding.h>`; llvm-project, `libunwind/src/CompactUnwinder.hpp`.
package struct CompactUnwind: UnwindSource {
  let info: Bytes
  private let architecture: UnwindArchitecture
  let textAddress: UInt64
  private let exceptionFrames: CallFrameTable?
  private let code: @Sendable (UInt64) -> UInt32?

  /// - Parameters:
  ///   - info: The section.
  ///   - textAddress: The address of the image's header, which functions are counted from.
  ///   - exceptionFrames: `__eh_frame`, which functions of an unusual kind refer to.
  ///   - code: Four bytes of the image's code, by address; large frames have their size in an instruction.
  package init?(
    _ info: Bytes, architecture: UnwindArchitecture, textAddress: UInt64, exceptionFrames: CallFrameTable? = nil,
    code: @escaping @Sendable (UInt64) -> UInt32? = { _ in nil }
  ) {
    guard architecture == .x86_64 || architecture == .arm64 else { return nil }
    var cursor = SectionCursor(info.buffer, bigEndian: false)
    guard cursor.u32() == 1, !cursor.isBroken else { return nil }
    self.info = info
    self.architecture = architecture
    self.textAddress = textAddress
    self.exceptionFrames = exceptionFrames
    self.code = code
  }

  /// A section and where it is in the image's own addresses.
  package struct Section: Sendable {
    package var bytes: Bytes
    package var address: UInt64

    package init(_ bytes: Bytes, address: UInt64) {
      self.bytes = bytes
      self.address = address
    }
  }

  /// The same from the sections of a 64-bit Mach-O image as they are: `__eh_frame` and `__text`.
  package init?(
    _ info: Bytes, architecture: UnwindArchitecture, textAddress: UInt64, exceptionFrames: Section?, code: Section?
  ) {
    let frames = exceptionFrames.map {
      CallFrameTable(CallFrameTable.Section($0.bytes, kind: .ehFrame, address: $0.address, addressSize: 8))
    }
    self.init(info, architecture: architecture, textAddress: textAddress, exceptionFrames: frames) { address in
      guard let code, address >= code.address, let part = code.bytes.slice(at: address - code.address, size: 4)
      else { return nil }
      return withExtendedLifetime(part) { UInt32(littleEndian: part.buffer.loadUnaligned(as: UInt32.self)) }
    }
  }

  package func rules(at address: UInt64) -> UnwindRules? {
    guard let found = encoding(at: address) else { return nil }
    let isX86 = architecture == .x86_64
    switch (isX86, found.encoding >> 24 & 0xf) {
    case (true, 1): return x86Frame(found.encoding)
    case (true, 2): return x86Frameless(found.encoding, size: UInt64(found.encoding >> 16 & 0xff) * 8)
    case (true, 3): return x86Indirect(found.encoding, function: found.function)
    case (false, 2): return armFrameless(found.encoding)
    case (false, 4): return armFrame(found.encoding)
    case (true, 4), (false, 3):
      return exceptionFrames?.rules(ofEntryAt: Int(found.encoding & 0xff_ffff), at: address)
        ?? exceptionFrames?.rules(at: address)
    default: return nil
    }
  }

  /// The word for an address and the function's first address; nil where the table has none.
  package func encoding(at address: UInt64) -> (encoding: UInt32, function: UInt64)? {
    defer { withExtendedLifetime(info) {} }
    guard address >= textAddress, let offset = UInt32(exactly: address - textAddress) else { return nil }
    var cursor = SectionCursor(info.buffer, at: 4, bigEndian: false)
    let commonOffset = Int(cursor.u32()), commonCount = Int(cursor.u32())
    cursor.skip(8)
    let indexOffset = Int(cursor.u32()), indexCount = Int(cursor.u32())
    guard !cursor.isBroken, indexCount > 1 else { return nil }
    let index = last(below: indexCount - 1) { word(indexOffset + $0 * 12).map { $0 <= offset } }
    guard let index, let base = word(indexOffset + index * 12), let page = word(indexOffset + index * 12 + 4),
      let next = word(indexOffset + (index + 1) * 12), offset < next, page != 0
    else { return nil }
    let found =
      word(Int(page)) == 2
      ? regular(Int(page), offset)
      : compressed(Int(page), offset - base, base: base, common: (commonOffset, commonCount))
    guard let found, found.encoding != 0 else { return nil }
    return (found.encoding, textAddress &+ UInt64(found.function))
  }

  private func regular(_ page: Int, _ offset: UInt32) -> (encoding: UInt32, function: UInt32)? {
    guard let head = word(page + 4) else { return nil }
    let (start, count) = (page + Int(head & 0xffff), Int(head >> 16))
    guard let index = last(below: count, { word(start + $0 * 8).map { $0 <= offset } }),
      let function = word(start + index * 8), let encoding = word(start + index * 8 + 4)
    else { return nil }
    return (encoding, function)
  }

  private func compressed(
    _ page: Int, _ offset: UInt32, base: UInt32, common: (offset: Int, count: Int)
  ) -> (encoding: UInt32, function: UInt32)? {
    guard word(page) == 3, let head = word(page + 4), let own = word(page + 8) else { return nil }
    let (start, count) = (page + Int(head & 0xffff), Int(head >> 16))
    guard let index = last(below: count, { word(start + $0 * 4).map { $0 & 0xff_ffff <= offset } }),
      let entry = word(start + index * 4)
    else { return nil }
    let number = Int(entry >> 24)
    let place =
      number < common.count
      ? common.offset + number * 4
      : number - common.count < Int(own >> 16) ? page + Int(own & 0xffff) + (number - common.count) * 4 : nil
    guard let place, let encoding = word(place) else { return nil }
    return (encoding, base &+ (entry & 0xff_ffff))
  }

  /// A word of the section; nil outside it.
  func word(_ offset: Int) -> UInt32? {
    guard offset >= 0, info.count >= 4, offset <= info.count - 4 else { return nil }
    return UInt32(littleEndian: info.buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The last index below `count` that belongs, of indices that are split by it.
  private func last(below count: Int, _ belongs: (Int) -> Bool?) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      guard let isBelow = belongs(middle) else { return nil }
      if isBelow { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}

// MARK: - Words to rules

extension CompactUnwind {
  private static let x86Registers = [0: nil, 1: 3, 2: 12, 3: 13, 4: 14, 5: 15, 6: 6] as [UInt32: Int?]

  private func x86Rules(_ register: Int, _ offset: Int64) -> UnwindRules {
    var rules = UnwindRules(frameAddress: .register(register, offset: offset), returnAddress: 16)
    rules.registers[16] = .offset(-8)
    return rules
  }

  private func x86Frame(_ encoding: UInt32) -> UnwindRules {
    var rules = x86Rules(6, 16)
    rules.registers[6] = .offset(-16)
    let first = -16 - 8 * Int64(encoding >> 16 & 0xff)
    for index in 0..<5 {
      guard let register = Self.x86Registers[encoding >> (3 * UInt32(index)) & 7] ?? nil else { continue }
      rules.registers[register] = .offset(first + 8 * Int64(index))
    }
    return rules
  }

  private func x86Indirect(_ encoding: UInt32, function: UInt64) -> UnwindRules? {
    guard let size = code(function &+ UInt64(encoding >> 16 & 0xff)) else { return nil }
    return x86Frameless(encoding, size: UInt64(size) + 8 * UInt64(encoding >> 13 & 7))
  }

  /// A frame without frame pointer: size, and the saved registers as the number of a permutation.
  private func x86Frameless(_ encoding: UInt32, size: UInt64) -> UnwindRules {
    var rules = x86Rules(7, Int64(size))
    let count = min(Int(encoding >> 10 & 7), 6)
    var permutation = Int(encoding & 0x3ff)
    var free: [UInt32] = [1, 2, 3, 4, 5, 6]
    var place = -8 - 8 * Int64(count)
    for index in 0..<count {
      // The digits of a number whose base falls with each register that is taken.
      let weight = (index + 1..<count).reduce(1) { product, later in product * (6 - later) }
      let digit = min(permutation / weight, free.count - 1)
      permutation -= digit * weight
      if let register = Self.x86Registers[free.remove(at: digit)] ?? nil { rules.registers[register] = .offset(place) }
      place += 8
    }
    return rules
  }

  private func armRules(_ register: Int, _ offset: Int64) -> UnwindRules {
    UnwindRules(frameAddress: .register(register, offset: offset), returnAddress: 30)
  }

  private func armFrame(_ encoding: UInt32) -> UnwindRules {
    var rules = armRules(29, 16)
    rules.registers[29] = .offset(-16)
    rules.registers[30] = .offset(-8)
    addPairs(encoding, below: -16, &rules)
    return rules
  }

  private func armFrameless(_ encoding: UInt32) -> UnwindRules {
    var rules = armRules(31, 16 * Int64(encoding >> 12 & 0xfff))
    addPairs(encoding, below: 0, &rules)
    return rules
  }

  /// Pairs of saved registers, x19 and x20 first, from the top down.
  private func addPairs(_ encoding: UInt32, below start: Int64, _ rules: inout UnwindRules) {
    var place = start
    for pair in 0..<5 where encoding & 1 << UInt32(pair) != 0 {
      rules.registers[19 + 2 * pair] = .offset(place - 8)
      rules.registers[20 + 2 * pair] = .offset(place - 16)
      place -= 16
    }
  }
}
