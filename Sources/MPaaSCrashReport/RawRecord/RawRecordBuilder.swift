import MPaaSBase

/// Puts a report together from the sections of a record.
struct RawRecordBuilder {
  private let machine: UInt32
  private var report = CrashReport()
  private var crashedThread: UInt64?
  private var hasCrash = false
  private var stack: KeptStack?
  private var hang: HangRecord?
  /// The last section has been read.
  private(set) var isEnded = false

  init(machine: UInt32) {
    self.machine = machine
    report.incident = CrashReport.newIncident()
    report.process.cpuType = machine == Self.arm64 ? "ARM-64" : "X86-64"
  }

  private static let arm64: UInt32 = 183

  /// Takes one section in; sections of unknown kinds are passed over.
  mutating func take(_ kind: UInt32, _ payload: ByteCursor) throws(ByteError) {
    var cursor = payload
    switch RawRecord.Kind(rawValue: kind) {
    case .process: try takeProcess(&cursor)
    case .crash: try takeCrash(&cursor)
    case .thread: try takeThread(&cursor)
    case .image: try takeImage(&cursor)
    case .memory: try takeMemory(&cursor)
    case .lastWords:
      let image = try cursor.text()
      report.lastWords[image, default: []].append(try cursor.text())
    case .breadcrumbs: try takeBreadcrumbs(&cursor)
    case .lua: try takeLua(&cursor)
    case .stack: try takeStack(&cursor)
    case .hang: hang = try HangRecord(&cursor)
    case .sample: try hang?.takeSample(&cursor)
    case .hangEnd: try hang?.takeEnd(&cursor)
    case .note: report.notes.append(try cursor.text())
    case .end:
      report.isPartial = try cursor.u32() & 1 == 1
      isEnded = true
    case nil: break
    }
  }

  /// The report; nil where the crash or the crashed thread is missing.
  func finished(_ complete: (inout CrashReport, KeptStack) -> Void) -> CrashReport? {
    var report = report
    if let hang, !hasCrash {
      guard hang.fill(&report) else { return nil }
      Self.findImages(&report)
      return report
    }
    guard hasCrash, let crashedThread else { return nil }
    guard let index = report.threads.firstIndex(where: { $0.id == crashedThread }) else { return nil }
    report.faultingThread = index
    if let stack, stack.thread == crashedThread { complete(&report, stack) }
    if !isEnded {
      report.isPartial = true
      report.notes.append("The record ends early: the process was ended while it was being written.")
    }
    Self.findImages(&report)
    return report
  }

  private static func findImages(_ report: inout CrashReport) {
    for thread in report.threads.indices {
      for frame in report.threads[thread].frames.indices {
        let address = report.threads[thread].frames[frame].address
        report.threads[thread].frames[frame].image = report.images.firstIndex { $0.contains(address) }
      }
    }
  }

  private mutating func takeProcess(_ cursor: inout ByteCursor) throws(ByteError) {
    report.process.pid = Int32(bitPattern: try cursor.u32())
    report.process.parentPID = Int32(bitPattern: try cursor.u32())
    report.process.userID = try cursor.u32()
    report.launched = try cursor.timestamp()
    report.process.name = try cursor.text()
    report.process.path = try cursor.text()
    report.application.name = try cursor.text()
    report.application.identifier = try cursor.optionalText()
    report.application.version = try cursor.optionalText()
    report.application.build = try cursor.optionalText()
    report.application.appKey = try cursor.optionalText()
    report.application.userIDHash = try cursor.optionalText()
    report.system.name = try cursor.text()
    report.system.version = try cursor.text()
    report.system.build = try cursor.text()
    report.system.kernel = try cursor.optionalText()
    report.system.model = try cursor.optionalText()
  }

  private mutating func takeCrash(_ cursor: inout ByteCursor) throws(ByteError) {
    let signal = Int32(bitPattern: try cursor.u32()), code = Int32(bitPattern: try cursor.u32())
    _ = try cursor.u32()
    let flags = try cursor.u32(), address = try cursor.u64()
    let sender = Int32(bitPattern: try cursor.u32())
    _ = try cursor.u32()
    var exception = CrashReport.Exception(
      signal: signal, code: code, address: address, sender: sender, table: .linux)
    if flags & 1 == 0 { exception.address = nil }
    if flags & 2 == 0 { exception.senderPID = nil }
    report.exception = exception
    crashedThread = try cursor.u64()
    report.captured = try cursor.timestamp()
    report.process.uptime = Double(try cursor.u64()) / 1e9
    report.process.systemUptime = Double(try cursor.u64()) / 1e9
    hasCrash = true
  }

  private mutating func takeThread(_ cursor: inout ByteCursor) throws(ByteError) {
    var thread = CrashReport.Thread(id: try cursor.u64())
    let flags = try cursor.u32()
    let stop = try cursor.u32()
    thread.name = try cursor.optionalText()
    var values: [UInt64] = []
    for _ in 0..<(try cursor.u32()) { values.append(try cursor.u64()) }
    values.append(try cursor.u64())
    if flags & 4 != 0 { thread.registers = registers(values) }
    for _ in 0..<(try cursor.u32()) {
      let address = try cursor.u64()
      thread.frames.append(CrashReport.Frame(address: address, kind: Self.kind(try cursor.u32())))
    }
    if !thread.frames.isEmpty { thread.cut = CrashReport.StackCut(stop: stop) }
    if flags & 2 != 0 { report.notes.append("Thread \(thread.id) did not stop in time; its stack may be incomplete.") }
    if flags & 8 != 0 { report.notes.append("Thread \(thread.id) crashed too, while this report was being written.") }
    report.threads.append(thread)
  }

  /// `mp_frame_kind`.
  static func kind(_ number: UInt32) -> CrashReport.Frame.Kind {
    switch number {
    case 2: .interrupted
    case 3: .asynchronous
    default: .physical
    }
  }

  /// libunwind's order on x86_64, then the flags.
  private static let intelNames =
    ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"] + (8...15).map { "r\($0)" } + ["rip", "rflags"]
  private static let armNames = (0...28).map { "x\($0)" } + ["fp", "lr", "sp", "pc", "cpsr"]

  private func registers(_ values: [UInt64]) -> CrashReport.Registers? {
    let names = machine == Self.arm64 ? Self.armNames : Self.intelNames
    guard values.count == names.count else { return nil }
    let found = Dictionary(uniqueKeysWithValues: zip(names, values))
    let flavor = machine == Self.arm64 ? "ARM_THREAD_STATE64" : "x86_THREAD_STATE"
    return CrashReport.Registers(
      flavor: flavor,
      values: CrashReport.Registers.sorted(names).compactMap { name in
        found[name].map { .init(name, $0) }
      })
  }

  private mutating func takeImage(_ cursor: inout ByteCursor) throws(ByteError) {
    let base = try cursor.u64(), end = try cursor.u64(), bias = try cursor.u64()
    _ = try cursor.u32()
    let machine = try cursor.u32()
    let build = try cursor.bytes(Int(try cursor.u32())).hexadecimal
    let architecture = machine == Self.arm64 ? "arm64" : "x86_64"
    report.images.append(
      CrashReport.Image(
        base: base, size: end > base ? end - base : 0, buildID: build, path: try cursor.text(),
        architecture: architecture, slide: bias))
  }

  private mutating func takeMemory(_ cursor: inout ByteCursor) throws(ByteError) {
    report.process.freeMemory = try cursor.u64()
    _ = try cursor.u64()
    report.process.residentMemory = try cursor.u64()
  }

  private mutating func takeLua(_ cursor: inout ByteCursor) throws(ByteError) {
    for _ in 0..<(try cursor.u32()) {
      let patch = try cursor.text()
      let file = try cursor.text()
      let line = try cursor.u32()
      report.luaStack.append(
        CrashReport.LuaFrame(patch: patch, file: file, line: line == 0 ? nil : Int(line), function: try cursor.text()))
    }
  }

  private mutating func takeStack(_ cursor: inout ByteCursor) throws(ByteError) {
    let thread = try cursor.u64()
    let address = try cursor.u64()
    let bytes = Array(try cursor.bytes(Int(try cursor.u32())))
    if stack?.append(bytes, at: address, of: thread) != true {
      stack = KeptStack(thread: thread, address: address, bytes: bytes)
    }
  }

  private mutating func takeBreadcrumbs(_ cursor: inout ByteCursor) throws(ByteError) {
    for _ in 0..<(try cursor.u32()) {
      let time = try cursor.timestamp()
      report.breadcrumbs.append(CrashReport.Breadcrumb(time: time, name: try cursor.text()))
    }
  }
}

extension ByteCursor {
  /// A length and that many bytes.
  mutating func text() throws(ByteError) -> String {
    String(utf8: try bytes(Int(try u32())))
  }

  fileprivate mutating func optionalText() throws(ByteError) -> String? {
    let text = try text()
    return text.isEmpty ? nil : text
  }

  mutating func timestamp() throws(ByteError) -> CrashReport.Timestamp {
    let seconds = Int64(bitPattern: try u64())
    return CrashReport.Timestamp(seconds: seconds, nanoseconds: try u32())
  }
}
