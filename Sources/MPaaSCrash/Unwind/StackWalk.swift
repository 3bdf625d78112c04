import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// The ways in which the address of a frame was found, the most certain first.
package enum FrameTrust: String, Sendable {
  /// It is the program counter of the thread.
  case context
  /// By unwind information.
  case cfi
  /// A call went to an address without code; its return address lies on top of the stack or in the link register.
  case call
  case framePointer = "frame_pointer"
  /// It lay on the stack and is in a module; it may be no frame at all.
  case scan
}

/// Walks the stack of a thread in the memory that a dump holds.
///
/// Each step is by unwind information where there is some, else by the frame pointer, else by looking for a return
/// address on the stack. The rules are those of Breakpad's and rust-minidump's stack walkers, so that the same dump
/// gives the same frames. 1,024 frames at most; each frame must lie further up the stack than the one before.
///
/// - Source: Breakpad, `src/processor/stackwalker_*.cc`.
struct StackWalk {
  static let mostFrames = 1024

  struct Frame {
    var registers: [Int: UInt64]
    var trust: FrameTrust
    /// A signal interrupted the code here, so that the address is not a return address.
    var isInterrupted = false
  }

  let architecture: UnwindArchitecture
  let images: ImageTable
  let isWindows: Bool
  /// A number in the memory of the dump.
  let memory: (UInt64, Int) -> UInt64?
  /// The same, only on the thread's own stack.
  let stack: (UInt64, Int) -> UInt64?
  /// The rules at an address of the process in the image of an index.
  let rules: (Int, UInt64) -> UnwindRules?
  /// Tells whether an address can hold code; false only where the dump says what is mapped there.
  let isCode: (UInt64) -> Bool
  /// The highest address that pointers of ARM64 have bits for; what is above it is a signature.
  let pointerMask: UInt64

  /// Frames, innermost first, and why they end.
  struct Stack {
    var frames: [Frame]
    /// The last frame is the outermost one for certain.
    var isWhole = false
    /// The last frame is not the outermost one for certain.
    var cut: CrashReport.StackCut?
  }

  /// The stack that begins with the registers of a thread.
  func stack(from registers: [Int: UInt64]) -> Stack {
    var stack = Stack(frames: [Frame(registers: registers, trust: .context)])
    while let last = stack.frames.last {
      guard stack.frames.count < Self.mostFrames else {
        stack.cut = .limit
        break
      }
      guard let next = caller(of: last, in: &stack) else { break }
      stack.frames.append(next)
    }
    return stack
  }

  var pointer: Int { architecture.pointerSize }
  private var counter: Int { architecture.programCounter }

  func address(_ frame: Frame) -> UInt64 { frame.registers[counter] ?? 0 }

  func load(_ address: UInt64) -> UInt64? { stack(address, pointer) }

  /// The address whose rules hold in a frame.
  func instruction(_ frame: Frame) -> UInt64 {
    let isReturn = frame.trust != .context && !frame.isInterrupted
    return CodeAddress.lookup(address(frame), isReturn: isReturn, architecture: architecture.name)
  }

  /// - Parameter stack: Told why there is no caller, where that is known.
  private func caller(of frame: Frame, in stack: inout Stack) -> Frame? {
    guard let sp = frame.registers[architecture.stackPointer] else { return nil }
    let rules = rules(frame)
    stack.isWhole = rules?.isOutermost == true
    if stack.isWhole { return nil }
    guard var found = byRules(frame, rules) ?? byCall(frame) ?? byFramePointer(frame) ?? byScan(frame) else {
      // Without rules the frame may well be the outermost one, whose caller nothing describes.
      if rules != nil { stack.cut = .unreadable }
      return nil
    }
    if architecture.name == "arm" { found.registers[counter] = address(found) & ~1 }
    let next = found.registers[architecture.stackPointer] ?? 0
    // The first page is never code: there the outermost frame is reached.
    stack.isWhole = address(found) < 4096
    if stack.isWhole { return nil }
    if next > sp { return found }
    // A leaf of a processor with a link register has nothing on the stack.
    guard next == sp, architecture.link != nil, address(found) != address(frame),
      frame.trust == .context || found.trust == .cfi || found.trust == .call
    else {
      stack.cut = .loop
      return nil
    }
    return found
  }

  private func rules(_ frame: Frame) -> UnwindRules? {
    let address = instruction(frame)
    return images.index(of: address).flatMap { rules($0, address) }
  }

  private func byRules(_ frame: Frame, _ rules: UnwindRules?) -> Frame? {
    guard let rules else { return nil }
    let step = UnwindStep(architecture: architecture, memory: memory)
    guard var caller = step.caller(of: frame.registers, by: rules) else { return nil }
    if architecture == .arm64 {
      for register in [counter, 30] { caller[register] = caller[register].map { $0 & pointerMask } }
    }
    return Frame(registers: caller, trust: .cfi, isInterrupted: rules.isSignalFrame)
  }
}

// MARK: - Without unwind information

extension StackWalk {
  private func frame(_ pc: UInt64, _ sp: UInt64, _ fp: UInt64?, _ trust: FrameTrust) -> Frame {
    var registers = [counter: pc, architecture.stackPointer: sp]
    registers[architecture.framePointer] = fp
    return Frame(registers: registers, trust: trust)
  }

  /// The caller of an address that no image holds, as gdb finds it: the call has just been made.
  private func byCall(_ frame: Frame) -> Frame? {
    guard frame.trust == .context, images.index(of: address(frame)) == nil,
      let sp = frame.registers[architecture.stackPointer]
    else { return nil }
    let stored = architecture.link.map { frame.registers[$0] } ?? load(sp)
    guard let pc = stored.map({ architecture == .arm64 ? $0 & pointerMask : $0 }), looksLikeCode(pc) else { return nil }
    var found = Frame(registers: frame.registers, trust: .call)
    found.registers[counter] = pc
    if architecture.link == nil { found.registers[architecture.stackPointer] = sp &+ UInt64(pointer) }
    return found
  }

  private func byFramePointer(_ frame: Frame) -> Frame? {
    guard let fp = frame.registers[architecture.framePointer], let sp = frame.registers[architecture.stackPointer],
      fp < UInt64.max - 64
    else { return nil }
    switch architecture.name {
    case "x86_64":
      for step in 0...(isWindows ? 15 : 0) {
        guard let found = longFrame(fp + UInt64(step) * 16, sp) else { return nil }
        if let frame = found { return frame }
      }
      return nil
    case "x86":
      guard let pc = load(fp + 4), let caller = load(fp) else { return nil }
      return self.frame(pc, fp + 8, caller, .framePointer)
    case "arm64": return armFrame(fp, sp)
    case "arm" where architecture == .armApple:
      guard let pc = load(fp + 4), let caller = load(fp) else { return nil }
      return self.frame(pc, fp + 8, caller, .framePointer)
    default: return nil
    }
  }

  /// The caller by a frame pointer of x86-64; nil where memory is missing, an empty value where it makes no sense.
  private func longFrame(_ fp: UInt64, _ sp: UInt64) -> Frame?? {
    guard let pc = load(fp + 8), let caller = load(fp) else { return nil }
    let next = fp + 16
    guard caller >= next else { return .some(nil) }
    guard load(caller) != nil else { return nil }
    guard !Self.isImpossible(pc), next > sp, load(next) != nil else { return .some(nil) }
    return frame(pc, next, caller, .framePointer)
  }

  private func armFrame(_ fp: UInt64, _ sp: UInt64) -> Frame? {
    // Zero marks the outermost frame; an address of zero ends the walk.
    guard fp != 0 else { return frame(0, sp, nil, .framePointer) }
    guard let caller = load(fp), let stored = load(fp + 8) else { return nil }
    let pc = stored & pointerMask
    guard !Self.isImpossible(pc) else { return nil }
    var found = frame(pc, fp + 16, caller & pointerMask, .framePointer)
    let next = caller & pointerMask
    if next != 0, next < UInt64.max - 64, let link = load(next + 8) { found.registers[30] = link & pointerMask }
    return found
  }

  /// x86-64 copies bit 47 to all above it, and ARM64 uses no more bits either.
  private static func isImpossible(_ address: UInt64) -> Bool {
    address > 0x7fff_ffff_ffff && address < 0xffff_8000_0000_0000
  }

  private func byScan(_ frame: Frame) -> Frame? {
    guard let sp = frame.registers[architecture.stackPointer] else { return nil }
    let words = [.context, .cfi, .call].contains(frame.trust) ? 160 : 40
    for index in 0..<words {
      let (place, overflow) = sp.addingReportingOverflow(UInt64(index * pointer))
      guard !overflow, let stored = load(place) else { return nil }
      let pc = architecture == .arm64 ? stored & pointerMask : stored
      guard looksLikeCode(pc) else { continue }
      let next = place &+ UInt64(pointer)
      return self.frame(pc, next, framePointer(frame, place, next, index), .scan)
    }
    return nil
  }

  private func looksLikeCode(_ address: UInt64) -> Bool {
    guard address > 1, pointer == 4 || !Self.isImpossible(address) else { return false }
    return images.index(of: address - 1) != nil && isCode(address - 1)
  }

  /// The caller's frame pointer where a return address was found: pushed below it, or never changed.
  private func framePointer(_ frame: Frame, _ place: UInt64, _ next: UInt64, _ index: Int) -> UInt64? {
    let last = frame.registers[architecture.framePointer]
    guard architecture.link == nil, index > 0 else { return nil }
    let pushed = place - UInt64(pointer)
    guard let value = load(pushed) else { return nil }
    let isNear = value > place && value - pushed <= 128 << 10
    if pointer == 8 {
      guard let last else { return nil }
      if last == pushed, isNear { return load(value) == nil ? nil : value }
      return last >= next ? last : nil
    }
    if isNear { return load(value) == nil ? nil : value }
    guard let last, last >= next, load(last) != nil else { return nil }
    return last
  }
}
