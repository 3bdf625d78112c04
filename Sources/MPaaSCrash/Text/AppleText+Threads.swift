import MPaaSCrashReport
import MPaaSSupport

extension AppleText {
  /// A section for each thread, the crashed one first.
  var threads: [[ReportLine]] {
    let crashed = report.faultingThread.flatMap { report.threads.indices.contains($0) ? $0 : nil }
    var sections: [[ReportLine]] = []
    if let crashed { sections.append(thread(crashed...crashed)) }
    var rest = report.threads.indices.filter { $0 != crashed }[...]
    while let first = rest.popFirst() {
      var last = first
      while options.foldsThreads, let next = rest.first, next == last + 1, isSameStack(first, next) {
        last = next
        rest = rest.dropFirst()
      }
      sections.append(thread(first...last))
    }
    return sections
  }

  private func isSameStack(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (report.threads[left], report.threads[right])
    return left.name == right.name && left.queue == right.queue && left.frames == right.frames && left.cut == right.cut
  }

  /// One thread, or several with the same stack.
  private func thread(_ range: ClosedRange<Int>) -> [ReportLine] {
    let thread = report.threads[range.lowerBound]
    let isCrashed = report.faultingThread == range.lowerBound && report.exception != nil
    let role: ReportLine.Role = isCrashed ? .crashed : .heading
    let title = range.count > 1 ? "Threads \(range.lowerBound)–\(range.upperBound)" : "Thread \(range.lowerBound)"
    var lines: [ReportLine] = []
    let names = [Self.process(of: thread), thread.name, thread.queue.map { "Dispatch queue: " + $0 }].compactMap { $0 }
    if !names.isEmpty { lines.append(ReportLine("\(title) name:  " + names.joined(separator: " "), role)) }
    lines.append(
      ReportLine(title + (isCrashed ? " Crashed:" : range.count > 1 ? ": same stack" : ":"), role))
    return lines + backtrace(thread.frames) + (thread.cut.map { [ReportLine("    " + $0.line, .faint)] } ?? [])
  }

  /// `Demo [12]`: the process of a thread in a report of several.
  private static func process(of thread: CrashReport.Thread) -> String? {
    guard let process = thread.extra["process"]?.object, let pid = process["pid"]?.string else { return nil }
    return "\(process["name"]?.string ?? "") [\(pid)]"
  }

  /// The backtrace of the uncaught exception: this says more than where the process ended.
  var lastExceptionBacktrace: [ReportLine] {
    guard !report.lastExceptionBacktrace.isEmpty else { return [] }
    return [ReportLine("Last Exception Backtrace:", .crashed)] + backtrace(report.lastExceptionBacktrace)
  }

  /// A line for each call, numbered through.
  private func backtrace(_ frames: [CrashReport.Frame]) -> [ReportLine] {
    var lines: [ReportLine] = []
    for frame in frames {
      for call in frame.calls.isEmpty ? [nil] : frame.calls.map(Optional.some) {
        lines.append(line(lines.count, frame, call))
      }
    }
    return lines
  }

  /// `0   orderbook   0x000000010000beef PriceLadder.level(at:) + 44 (Ladder.swift:12) [inlined]`.
  private func line(_ number: Int, _ frame: CrashReport.Frame, _ call: CrashReport.Call?) -> ReportLine {
    let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0] : nil }
    var line = ReportLine("\(number)")
    line.pad(to: 4)
    line.append(image.map { $0.name.isEmpty ? "???" : $0.name } ?? "???", .image)
    line.pad(to: 34)
    line.append(CrashText.address(frame.address), .address)
    line.append(" ")
    if let call, !call.function.isEmpty {
      line.append(CrashText.name(call), .function)
      if let offset = call.offset { line.append(" + \(offset)", .faint) }
    } else {
      let base = image?.base ?? 0
      line.append("0x\(String(base, radix: 16)) + \(frame.address &- base)", .faint)
    }
    if let place = call.flatMap(place) {
      line.append(" (")
      line.append(place.file, .path)
      if let number = place.line {
        line.append(":")
        line.append("\(number)", .lineNumber)
      }
      line.append(")")
    }
    if call?.isInlined == true { line.append(" [inlined]", .faint) }
    if frame.kind == .asynchronous { line.append(" [async]", .faint) }
    return line
  }

  private func place(_ call: CrashReport.Call) -> (file: String, line: Int?)? {
    guard let file = call.file, !file.isEmpty, !file.hasSuffix("<compiler-generated>") else { return nil }
    // A symbol table knows files only by guess: the last one that was named before the symbol.
    if call.line == nil, call.offset != nil { return nil }
    let name = options.showsFullPaths ? file : file.split(separator: "/").last.map(String.init) ?? file
    return (name, call.line)
  }

  /// The registers of the crashed thread, four a line.
  var registers: [ReportLine] {
    guard let index = report.faultingThread, report.threads.indices.contains(index),
      let registers = report.threads[index].registers, !registers.values.isEmpty
    else { return [] }
    var lines = [ReportLine("Thread \(index) crashed with \(stateName(registers.flavor)):", .heading)]
    for start in stride(from: 0, to: registers.values.count, by: 4) {
      var line = ReportLine()
      for register in registers.values[start..<min(start + 4, registers.values.count)] {
        line.append(String(repeating: " ", count: max(6 - register.name.count, 1)) + register.name + ": ")
        line.append(CrashText.address(register.value), .address)
      }
      lines.append(line)
    }
    return lines
  }

  private func stateName(_ flavor: String) -> String {
    switch flavor {
    case "x86_THREAD_STATE": report.process.cpuType == "X86" ? "X86 Thread State (32-bit)" : "X86 Thread State (64-bit)"
    case "x86_THREAD_STATE64": "X86 Thread State (64-bit)"
    case "ARM_THREAD_STATE64": "ARM Thread State (64-bit)"
    default: flavor
    }
  }

  /// `0x100000000 - 0x100003fff +orderbook x86_64  <build ID> /path`; the plus marks the program's own image.
  var images: [ReportLine] {
    guard options.showsImages, !report.images.isEmpty else { return [] }
    let main = report.mainImage
    return [ReportLine("Binary Images:", .heading)]
      + report.images.sorted { $0.base < $1.base }.map { image in
        let end = image.base &+ (image.size > 0 ? image.size - 1 : 0)
        var line = ReportLine("\(padded(image.base)) - \(padded(end))", .address)
        line.append(image == main ? " +" : "  ")
        line.append(image.name.isEmpty ? "???" : image.name, .image)
        line.append(" \(image.architecture)  <\(image.buildID)> ")
        line.append(image.path, .path)
        return line
      }
  }

  private func padded(_ address: UInt64) -> String {
    let text = "0x" + String(address, radix: 16)
    return String(repeating: " ", count: max(18 - text.count, 0)) + text
  }
}
