import MPaaSCrashReport
import MPaaSSupport

extension AppleCrashWriter {
  /// A thread with its title; on macOS names stand in the title, on iOS on a line before it.
  mutating func writeThread(_ index: Int) {
    let thread = report.threads[index]
    let crashed = index == report.faultingThread ? " Crashed" : ""
    let queue = thread.queue.map { "Dispatch queue: " + $0 }
    let hasNames = thread.name != nil || queue != nil
    let names = (thread.name ?? "") + (queue.map { " " + $0 } ?? "")
    if isMac {
      add("Thread \(index)\(crashed):" + (hasNames ? ": " + names : ""))
    } else {
      if hasNames { add("Thread \(index) name:  " + names) }
      add("Thread \(index)\(crashed):")
    }
    writeFrames(thread.frames)
    if let cut = thread.cut { add("    " + cut.line) }
    add("")
  }

  mutating func writeFrames(_ frames: [CrashReport.Frame]) {
    lines += Self.backtrace(frames, of: report)
  }

  /// A line for each call.
  static func backtrace(_ frames: [CrashReport.Frame], of report: CrashReport) -> [String] {
    var lines: [String] = []
    for frame in frames {
      let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0] : nil }
      let name = image.map { $0.name.isEmpty ? "???" : $0.name } ?? "???"
      for call in frame.calls.isEmpty ? [nil] : frame.calls.map(Optional.some) {
        let address = aligned("0x" + String(frame.address, radix: 16), 18)
        let base = image?.base ?? 0
        let symbol = call.map(symbol) ?? "0x\(String(base, radix: 16)) + \(frame.address &- base)"
        lines.append(padded("\(lines.count)", 4) + padded(name, 30) + "\t" + address + " " + symbol)
      }
    }
    return lines
  }

  /// The name as the report has it: Apple's tools do not shorten names.
  private static func symbol(_ call: CrashReport.Call) -> String {
    var call = call
    call.symbol = nil
    return CrashText.symbol(call)
  }

  /// The registers of the crashed thread, in the rows that Apple has for each architecture.
  mutating func writeRegisters() {
    guard let index = report.faultingThread, report.threads.indices.contains(index),
      let registers = report.threads[index].registers, !registers.values.isEmpty
    else { return }
    add("", "Thread \(index) crashed with \(Self.title(registers.flavor)):")
    let state = report.threads[index].extra["threadState"]?.object ?? [:]
    let isWide = !registers.flavor.hasSuffix("32") && registers.flavor != "ARM_THREAD_STATE"
    let isARM = registers.flavor.hasPrefix("ARM")
    for names in Self.rows(registers) {
      let texts = names.compactMap { name -> String? in
        guard let value = registers[name] else { return nil }
        let isShort = !isWide || name == "cpsr" || name == "esr"
        let number = "0x" + value.padded(to: isShort ? 8 : 16, radix: 16)
        let words = state[name]?.object?["description"]?.string.map { " " + $0 } ?? ""
        return Self.aligned(name == "rflags" ? "rfl" : name == "eflags" ? "efl" : name, 5) + ": " + number + words
      }
      if !texts.isEmpty { add((isARM ? " " : "") + texts.joined()) }
    }
    if !isARM { writeProcessorState(registers, state) }
    add("")
  }

  private mutating func writeProcessorState(_ registers: CrashReport.Registers, _ state: JSONValue.Object) {
    add("  ")
    if let cpu = registers["cpu"] { add(Self.padded("Logical CPU:", 17) + "\(cpu)") }
    if let error = registers["err"] {
      let words = (state["err"] ?? state["trap"])?.object?["description"]?.string.map { " " + $0 } ?? ""
      add(Self.padded("Error Code:", 17) + "0x" + error.padded(to: 8, radix: 16) + words)
    }
    if let trap = registers["trap"] { add(Self.padded("Trap Number:", 17) + "\(trap)", "") }
  }

  static func title(_ flavor: String) -> String {
    switch flavor {
    case "ARM_THREAD_STATE64": "ARM Thread State (64-bit)"
    case "ARM_THREAD_STATE", "ARM_THREAD_STATE32": "ARM Thread State (32-bit)"
    case "x86_THREAD_STATE32": "X86 Thread State (32-bit)"
    case "x86_THREAD_STATE", "x86_THREAD_STATE64": "X86 Thread State (64-bit)"
    default: flavor
    }
  }

  private static func rows(_ registers: CrashReport.Registers) -> [[String]] {
    let rows: [[String]]
    switch title(registers.flavor).prefix(3) {
    case "ARM" where registers["x0"] != nil:
      rows =
        (0..<7).map { row in (0..<4).map { "x\(row * 4 + $0)" } }
        + [["x28", "fp", "lr"], ["sp", "pc", "cpsr"], ["far", "esr"]]
    case "ARM":
      rows = (0..<3).map { row in (0..<4).map { "r\(row * 4 + $0)" } } + [["ip", "sp", "lr", "pc"], ["cpsr"]]
    case "X86" where registers["rax"] != nil:
      rows = [
        ["rax", "rbx", "rcx", "rdx"], ["rdi", "rsi", "rbp", "rsp"], ["r8", "r9", "r10", "r11"],
        ["r12", "r13", "r14", "r15"], ["rip", "rflags", "cr2"],
      ]
    default:
      rows = [
        ["eax", "ebx", "ecx", "edx"], ["edi", "esi", "ebp", "esp"], ["ss", "efl", "eflags", "eip", "cs"],
        ["ds", "es", "fs", "gs"], ["cr2"],
      ]
    }
    let named = Set(rows.joined()).union(["cpu", "err", "trap"])
    let others = registers.values.map(\.name).filter { !named.contains($0) }
    return rows + stride(from: 0, to: others.count, by: 4).map { Array(others[$0..<min($0 + 4, others.count)]) }
  }

  /// The images in the report's order; iOS has their architectures, macOS their versions.
  mutating func writeImages() {
    add("Binary Images:")
    for image in report.images {
      let end = image.base &+ (image.size > 0 ? image.size - 1 : 0)
      let range =
        Self.aligned("0x" + String(image.base, radix: 16), 18) + " - "
        + Self.aligned("0x" + String(end, radix: 16), 18)
      let name = image.name.isEmpty ? "???" : image.name
      let path = image.path.isEmpty ? "???" : image.path
      guard isMac else {
        add("\(range) \(name) \(image.architecture)  <\(IPSWriter.uuid(image.buildID).filter { $0 != "-" })> \(path)")
        continue
      }
      let identifier = image.extra["CFBundleIdentifier"]?.string ?? name
      add("\(range) \(identifier) (\(Self.version(image))) <\(IPSWriter.uuid(image.buildID))> \(path)")
    }
    guard IPSWriter.images(of: report).count > report.images.count else { return }
    let zeroes = IPSWriter.uuid("")
    let nowhere = Self.aligned("0x0", 18) + " - 0xffffffffffffffff ??? "
    add(nowhere + (isMac ? "(*) <\(zeroes)> ???" : "unknown-arch  <\(zeroes.filter { $0 != "-" })> ???"))
  }

  /// `1.0 - 1`, or a star where there is no version.
  private static func version(_ image: CrashReport.Image) -> String {
    if let text = image.extra["apple_text"]?.object?["version"]?.string { return text }
    let parts = ["CFBundleShortVersionString", "CFBundleVersion"].compactMap { image.extra[$0]?.string }
    return parts.isEmpty ? "*" : parts.joined(separator: " - ")
  }
}
