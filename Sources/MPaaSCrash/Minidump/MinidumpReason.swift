import MPaaSCrashReport
import MPaaSSupport

/// The reason why a process of a dump ended: in the words of its system, and as an exception of the model.
///
/// - Source: Breakpad's `minidump_exception_{linux,mac,win32}.h`; the words are those of minidump-stackwalk.
struct MinidumpReason {
  /// Such as `SIGSEGV / SEGV_MAPERR`, `EXC_BAD_ACCESS / KERN_INVALID_ADDRESS`, `EXCEPTION_ACCESS_VIOLATION_WRITE`.
  private(set) var text = ""
  private(set) var address: UInt64?
  /// Nil where nothing went wrong and the dump was only asked for.
  private(set) var exception: CrashReport.Exception?
  private let is32Bit: Bool

  /// The address with all digits that the processor has.
  var addressText: String { "0x" + (address ?? 0).padded(to: is32Bit ? 8 : 16, radix: 16) }

  init(_ record: JSONValue.Object, _ system: MinidumpSystem) {
    let code: UInt32 = record["exception_code"]?.integer() ?? 0
    let flags: UInt32 = record["exception_flags"]?.integer() ?? 0
    let count: Int = record["number_parameters"]?.integer() ?? 0
    let parameters: [UInt64] = (record["exception_information"]?.array ?? []).prefix(max(count, 0))
      .map { $0.integer() ?? 0 }
    is32Bit = system.is32Bit
    address = record["exception_address"]?.integer()
    if is32Bit { address = address.map { $0 & 0xffff_ffff } }
    if system.isWindows {
      windows(code, parameters)
    } else if system.isApple {
      mac(code, flags, parameters)
    } else {
      linux(code, Int32(bitPattern: flags))
    }
  }

  private mutating func linux(_ signal: UInt32, _ code: Int32) {
    guard signal != 0xffff_ffff else {
      text = "DUMP_REQUESTED"
      return
    }
    let number = Int32(truncatingIfNeeded: signal)
    let table = SignalTable.linux
    var found = CrashReport.Exception(signal: number, code: code, address: address ?? 0, sender: 0, table: table)
    found.senderPID = nil
    // Old writers did not store the code; the address is there nevertheless.
    let isFault = table.hasAddress(number, code: 1)
    if code == 0 {
      found.codeName = nil
      found.address = isFault ? address : nil
    }
    exception = found
    text = ([found.signal] + (found.codeName.map { [$0] } ?? [])).joined(separator: " / ")
  }

  private mutating func mac(_ type: UInt32, _ code: UInt32, _ parameters: [UInt64]) {
    guard type != 0x4350_7378 else {  // Crashpad's own: the dump was asked for
      text = "Simulated Exception"
      return
    }
    let name = MachException.name(UInt64(type)) ?? "0x\(String(type, radix: 16))"
    let codeName = Self.macCodes[type]?[code]
    let signal = Self.signal(type, code)
    var found = CrashReport.Exception(
      type: name, signal: signal, signalNumber: SignalTable.darwin.number(signal) ?? 0, code: Int32(bitPattern: code))
    found.codeName = codeName
    if type == 1 { found.address = parameters.count > 1 ? parameters[1] : address }
    if type == 1, let place = found.address { address = place }
    exception = found
    text = "\(name) / \(codeName ?? "0x" + String(code, radix: 16))"
  }

  /// The signal that BSD makes of a Mach exception.
  private static func signal(_ type: UInt32, _ code: UInt32) -> String {
    switch type {
    case 1: code == 2 ? "SIGBUS" : "SIGSEGV"
    case 2: "SIGILL"
    case 3: "SIGFPE"
    case 5 where code == 0x10003: "SIGABRT"
    case 6: "SIGTRAP"
    case 7: "SIGSYS"
    case 10: "SIGABRT"
    default: ""
    }
  }

  private static let macCodes: [UInt32: [UInt32: String]] = [
    1: [
      1: "KERN_INVALID_ADDRESS", 2: "KERN_PROTECTION_FAILURE", 8: "KERN_NO_ACCESS", 9: "KERN_MEMORY_FAILURE",
      10: "KERN_MEMORY_ERROR", 50: "KERN_CODESIGN_ERROR", 0xd: "EXC_I386_GPFLT", 0x101: "EXC_ARM_DA_ALIGN",
      0x102: "EXC_ARM_DA_DEBUG",
    ],
    2: [1: "EXC_I386_INVOP"],
    3: [1: "EXC_I386_DIV", 2: "EXC_I386_INTO", 5: "EXC_I386_EXTERR", 8: "EXC_I386_SSEEXTERR"],
    5: [0x10003: "SIGABRT", 0x10002: "UNCAUGHT_NS_EXCEPTION", 0xdead_c0de: "UNCAUGHT_NS_EXCEPTION"],
    6: [1: "EXC_I386_SGL", 2: "EXC_I386_BPT"],
  ]
}

// MARK: - Windows

extension MinidumpReason {
  private mutating func windows(_ code: UInt32, _ parameters: [UInt64]) {
    guard code != 0x0517_a7ed else {  // Crashpad's own: the dump was asked for
      text = "Simulated Exception"
      return
    }
    let general = Self.windowsCodes[code] ?? "0x" + String(code, radix: 16)
    text = general
    let isAccess = code == 0xc000_0005 || code == 0xc000_0006
    if isAccess, let kind = parameters.first {
      text += [0: "_READ", 1: "_WRITE", 8: "_EXEC"][kind] ?? ""
    }
    if isAccess, parameters.count > 1 { address = is32Bit ? parameters[1] & 0xffff_ffff : parameters[1] }
    if code == 0xc000_0409, let kind = parameters.first { text += " / fast fail \(kind)" }
    var found = CrashReport.Exception(type: general, signal: "", signalNumber: 0, code: Int32(bitPattern: code))
    found.codeName = text == general ? nil : text
    found.address = address
    exception = found
  }

  /// - Source: Microsoft, `winnt.h` and `ntstatus.h`; 0xe06d7363 is "msc" of Visual C++'s exceptions.
  private static let windowsCodes: [UInt32: String] = [
    0x4000_0005: "STATUS_SEGMENT_NOTIFICATION", 0x4001_0005: "DBG_CONTROL_C", 0x4001_0008: "DBG_CONTROL_BREAK",
    0x8000_0001: "EXCEPTION_GUARD_PAGE", 0x8000_0002: "EXCEPTION_DATATYPE_MISALIGNMENT",
    0x8000_0003: "EXCEPTION_BREAKPOINT", 0x8000_0004: "EXCEPTION_SINGLE_STEP",
    0xc000_0005: "EXCEPTION_ACCESS_VIOLATION", 0xc000_0006: "EXCEPTION_IN_PAGE_ERROR",
    0xc000_0008: "EXCEPTION_INVALID_HANDLE", 0xc000_0017: "STATUS_NO_MEMORY",
    0xc000_001d: "EXCEPTION_ILLEGAL_INSTRUCTION", 0xc000_0025: "EXCEPTION_NONCONTINUABLE_EXCEPTION",
    0xc000_0026: "EXCEPTION_INVALID_DISPOSITION", 0xc000_008c: "EXCEPTION_BOUNDS_EXCEEDED",
    0xc000_008d: "EXCEPTION_FLT_DENORMAL_OPERAND", 0xc000_008e: "EXCEPTION_FLT_DIVIDE_BY_ZERO",
    0xc000_008f: "EXCEPTION_FLT_INEXACT_RESULT", 0xc000_0090: "EXCEPTION_FLT_INVALID_OPERATION",
    0xc000_0091: "EXCEPTION_FLT_OVERFLOW", 0xc000_0092: "EXCEPTION_FLT_STACK_CHECK",
    0xc000_0093: "EXCEPTION_FLT_UNDERFLOW", 0xc000_0094: "EXCEPTION_INT_DIVIDE_BY_ZERO",
    0xc000_0095: "EXCEPTION_INT_OVERFLOW", 0xc000_0096: "EXCEPTION_PRIV_INSTRUCTION",
    0xc000_00fd: "EXCEPTION_STACK_OVERFLOW", 0xc000_0135: "STATUS_DLL_NOT_FOUND",
    0xc000_0139: "STATUS_ENTRYPOINT_NOT_FOUND", 0xc000_0142: "STATUS_DLL_INIT_FAILED",
    0xc000_0194: "EXCEPTION_POSSIBLE_DEADLOCK", 0xc000_0374: "STATUS_HEAP_CORRUPTION",
    0xc000_0409: "STATUS_STACK_BUFFER_OVERRUN", 0xc000_0417: "STATUS_INVALID_CRUNTIME_PARAMETER",
    0xc000_0420: "STATUS_ASSERTION_FAILURE", 0xe000_0008: "Out of Memory",
    0xe06d_7363: "Unhandled C++ Exception",
  ]
}
