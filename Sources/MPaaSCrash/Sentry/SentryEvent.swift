package import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols

/// An event as Sentry's SDKs for native code send it.
///
/// Frames stand outermost first there. All members that the model has no place for are kept as `sentry` in the `extra`
/// of the report, thread, frame or image.
/// - Source: "Event Payloads", develop.sentry.dev/sdk/data-model: exception, threads, stacktrace, debug_meta, contexts.
package enum SentryEvent {
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard IPSReader.recognises(bytes) else { return false }
    let names = TopLevelNames(bytes).names
    return names.contains("debug_meta") || (names.contains("event_id") && names.contains("platform"))
  }

  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    try read(IPSReader.object(bytes))
  }

  static func read(_ event: JSONValue.Object) throws(ReportError) -> CrashReport {
    try SentryReader(event).read()
  }
}

/// Fills a report from an event, member by member.
private struct SentryReader {
  private var root: JSONMembers
  private var report = CrashReport()
  private var table = ImageTable([])
  private let demangler = Demangler()

  init(_ object: JSONValue.Object) {
    root = JSONMembers(object)
  }

  consuming func read() throws(ReportError) -> CrashReport {
    report.origin = .foreign
    report.incident = root.string("event_id") ?? ""
    report.captured = CrashReport.Timestamp(root["timestamp"]) ?? CrashReport.Timestamp()
    try readImages()
    readContexts()
    let isList = root["threads"]?.array != nil
    var threads = root.members("threads")
    let objects = try IPSReader.elements(isList ? root["threads"] : threads["values"], "threads")
    for (index, object) in objects.enumerated() { report.threads.append(thread(object, index)) }
    if isList { root.drop("threads") }
    threads.drop("values")
    root.keep("threads", threads)
    readException()
    if !root.rest.isEmpty { report.extra["sentry"] = .object(root.rest) }
    return report
  }

  private mutating func readImages() throws(ReportError) {
    var meta = root.members("debug_meta")
    report.images = try IPSReader.elements(meta["images"], "debug_meta.images").map(Self.image)
    meta.drop("images")
    root.keep("debug_meta", meta)
    table = ImageTable(report.images)
  }

  private static func image(_ object: JSONValue.Object) -> CrashReport.Image {
    var members = JSONMembers(object)
    let base = members.address("image_addr") ?? 0
    let named = members.string("arch")
    let architecture =
      named ?? MachArchitecture.name(type: members.number("cpu_type") ?? 0, subtype: members.number("cpu_subtype") ?? 0)
    // A debug identifier has an age behind the UUID on Windows; a code identifier is the longer one on Linux.
    let key = ["code_id", "uuid", "debug_id", "id"].first { members[$0]?.string?.isEmpty == false }
    let path = members["code_file"] != nil ? "code_file" : "name"
    var image = CrashReport.Image(
      base: base, size: members.address("image_size") ?? 0,
      buildID: key.flatMap { members[$0]?.string }.map(IPSWriter.buildID(ofUUID:)) ?? "",
      path: members.string(path) ?? "",
      architecture: architecture ?? "", slide: base)
    if let key { members.drop(key) }
    if !members.rest.isEmpty { image.extra["sentry"] = .object(members.rest) }
    return image
  }

  private mutating func readContexts() {
    var contexts = root.members("contexts")
    var system = contexts.members("os")
    report.system.name = system.string("name") ?? ""
    report.system.version = system.string("version") ?? ""
    report.system.build = system.string("build") ?? ""
    report.system.kernel = system.string("kernel_version")
    contexts.keep("os", system)
    var device = contexts.members("device")
    report.system.model = device.string("model")
    report.process.freeMemory = device.integer("free_memory")
    report.process.cpuType = MachArchitecture.cpuType(device["arch"]?.string ?? report.images.first?.architecture ?? "")
    contexts.keep("device", device)
    var app = contexts.members("app")
    report.application.name = app.string("app_name") ?? report.images.first?.name ?? ""
    report.application.identifier = app.string("app_identifier")
    report.application.version = app.string("app_version")
    report.application.build = app.string("app_build")
    report.launched = CrashReport.Timestamp(app["app_start_time"])
    contexts.keep("app", app)
    root.keep("contexts", contexts)
    report.process.path = report.images.first?.path ?? ""
    report.process.name = report.images.first?.name ?? ""
  }

  private mutating func thread(_ object: JSONValue.Object, _ index: Int) -> CrashReport.Thread {
    var members = JSONMembers(object)
    // Early SDKs had the thread's place in the list as its `uuid`.
    var thread = CrashReport.Thread(id: members.integer("id") ?? members.integer("uuid") ?? 0)
    thread.name = members.string("name")
    var trace = members.members("stacktrace")
    (thread.frames, thread.registers) = stack(&trace)
    members.keep("stacktrace", trace)
    if members["crashed"]?.bool == true, report.faultingThread == nil { report.faultingThread = index }
    if members["crashed"]?.bool != nil { members.drop("crashed") }
    if !members.rest.isEmpty { thread.extra["sentry"] = .object(members.rest) }
    return thread
  }

  /// The frames of a stack, turned round, and its registers.
  private func stack(_ trace: inout JSONMembers) -> ([CrashReport.Frame], CrashReport.Registers?) {
    let frames = (trace.array("frames") ?? []).reversed().compactMap { $0.object.map(frame) }
    guard let registers = trace["registers"]?.object, registers.values.allSatisfy({ JSONMembers.address($0) != nil })
    else { return (frames, nil) }
    trace.drop("registers")
    let names = CrashReport.Registers.sorted(Array(registers.keys))
    let values = names.map { CrashReport.Registers.Register($0, JSONMembers.address(registers[$0]) ?? 0) }
    return (
      frames, CrashReport.Registers(flavor: MachArchitecture.stateFlavor(report.process.cpuType), values: values)
    )
  }

  private func frame(_ object: JSONValue.Object) -> CrashReport.Frame {
    var members = JSONMembers(object)
    var frame = CrashReport.Frame(address: members.address("instruction_addr") ?? 0)
    frame.image = table.index(of: frame.address)
    if let image = frame.image.map({ report.images[$0] }) {
      if members["package"]?.string == image.path { members.drop("package") }
      if JSONMembers.address(members["image_addr"]) == image.base { members.drop("image_addr") }
    }
    let name = members["function"]?.string ?? ""
    if !name.isEmpty, name != "<redacted>" {
      members.drop("function")
      let raw = members.string("raw_function")
      var call = CrashReport.Call(function: raw == nil ? demangler.demangle(name) : name)
      call.symbol = raw ?? (call.function == name ? nil : name)
      if let start = JSONMembers.address(members["symbol_addr"]), start > 0, start <= frame.address {
        call.offset = frame.address - start
        members.drop("symbol_addr")
      }
      call.file = members.string("abs_path") ?? members.string("filename")
      if let name = members["filename"]?.string, call.file?.hasSuffix(name) == true { members.drop("filename") }
      call.line = members.integer("lineno")
      call.column = members.integer("colno")
      frame.calls = [call]
    }
    if !members.rest.isEmpty { frame.extra["sentry"] = .object(members.rest) }
    return frame
  }

  /// The exception that ended the process: the last one, which the others led to.
  private mutating func readException() {
    var part = root.members("exception")
    let isList = root["exception"]?.array != nil
    var values = (isList ? root.array("exception") : part.array("values")) ?? []
    guard let last = values.popLast()?.object else {
      root.keep("exception", part)
      return
    }
    var members = JSONMembers(last)
    readCause(JSONMembers(members["mechanism"]?.object), type: members["type"]?.string ?? "")
    if let type = members["type"]?.string, !type.hasPrefix("EXC_"), !type.hasPrefix("SIG") {
      report.thrown = CrashReport.ThrownException(name: type, reason: members["value"]?.string)
    }
    var trace = members.members("stacktrace")
    let (frames, registers) = stack(&trace)
    members.keep("stacktrace", trace)
    let index = report.faultingThread
    if let index, report.threads[index].frames.isEmpty {
      report.threads[index].frames = frames
      report.threads[index].registers = report.threads[index].registers ?? registers
    } else if !frames.isEmpty, index.map({ report.threads[$0].frames }) != frames {
      report.lastExceptionBacktrace = frames
    }
    if let registers, index.flatMap({ report.threads[$0].registers }) != registers {
      trace.keep("registers", .object(Dictionary(registers.values.map { ($0.name, JSONValue($0.value)) }) { $1 }))
      members.keep("stacktrace", trace)
    }
    values.append(.object(members.rest))
    root.keep("exception", ["values": .array(values)])
  }

  /// The signal and the Mach exception behind it; newer SDKs have both in `meta`.
  private mutating func readCause(_ mechanism: JSONMembers, type: String) {
    let meta = mechanism["meta"]?.object ?? .init()
    let signal = (meta["signal"] ?? mechanism["posix_signal"])?.object ?? .init()
    let mach = (meta["mach_exception"] ?? mechanism["mach_exception"])?.object ?? .init()
    guard !signal.isEmpty || !mach.isEmpty || type.hasPrefix("EXC_") || type.hasPrefix("SIG") else { return }
    let number: Int32 =
      (signal["number"] ?? signal["signal"])?.integer() ?? SignalTable.darwin.number(type) ?? 0
    let name = (mach["name"] ?? mach["exception_name"])?.string ?? (type.hasPrefix("EXC_") ? type : nil)
    var exception = CrashReport.Exception(
      type: name ?? SignalTable.darwin.exceptionType(number),
      signal: signal["name"]?.string ?? (number > 0 ? SignalTable.darwin.name(number) : ""), signalNumber: number,
      code: signal["code"]?.integer() ?? 0)
    exception.codeName = (mach["code_name"] ?? signal["code_name"])?.string
    exception.address = JSONMembers.address(mechanism["relevant_address"])
    report.exception = exception
  }
}
