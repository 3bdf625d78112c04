import MPaaSCrashReport
import MPaaSSupport

/// Fills a report from KSCrash's JSON, member by member.
struct KSCrashReader {
  private var root: JSONMembers
  private var report = CrashReport()
  private var body: JSONValue.Object = [:]

  init(_ object: JSONValue.Object) {
    root = JSONMembers(object)
  }

  consuming func read() throws(ReportError) -> CrashReport {
    report.origin = .foreign
    readReport()
    readSystem()
    report.images = try IPSReader.elements(root["binary_images"], "binary_images").map(Self.image)
    root.drop("binary_images")
    if report.process.cpuType.isEmpty, let image = report.mainImage {
      report.process.cpuType = MachArchitecture.cpuType(image.architecture)
    }
    try readCrash()
    report.keep(inBody: body)
    if !root.rest.isEmpty { report.extra["kscrash"] = .object(root.rest) }
    return report
  }

  private mutating func readReport() {
    var part = root.members("report")
    report.incident = part.string("id") ?? ""
    report.process.name = part.string("process_name") ?? ""
    report.captured = CrashReport.Timestamp(part["timestamp"]) ?? CrashReport.Timestamp()
    root.keep("report", part)
    report.isPartial = root["incomplete"]?.bool ?? false
  }

  private mutating func readSystem() {
    var part = root.members("system")
    report.application.name = part["CFBundleName"]?.string ?? part["CFBundleExecutable"]?.string ?? report.process.name
    report.application.identifier = part.string("CFBundleIdentifier")
    report.application.version = part.string("CFBundleShortVersionString")
    report.application.build = part.string("CFBundleVersion")
    report.process.path = part.string("CFBundleExecutablePath") ?? ""
    if part["process_name"]?.string == report.process.name || report.process.name.isEmpty {
      report.process.name = part.string("process_name") ?? report.process.name
    }
    report.process.pid = part.integer("process_id") ?? 0
    report.process.parentPID = part.integer("parent_process_id")
    report.process.parentName = part.string("parent_process_name")
    report.system.name = part.string("system_name") ?? ""
    report.system.version = part.string("system_version") ?? ""
    report.system.build = part.string("os_version") ?? ""
    report.system.kernel = part.string("kernel_version")
    report.system.model = part.string("machine")
    report.launched = CrashReport.Timestamp(part["app_start_time"])
    let architecture = part.number("binary_cpu_type").flatMap { type in
      MachArchitecture.name(type: type, subtype: part.number("binary_cpu_subtype") ?? 0)
    }
    report.process.cpuType = MachArchitecture.cpuType(architecture ?? part["cpu_arch"]?.string ?? "")
    body["crashReporterKey"] = part["device_app_hash"]
    var memory = part.members("memory")
    report.process.freeMemory = memory.integer("free")
    part.keep("memory", memory)
    root.keep("system", part)
  }

  private static func image(_ object: JSONValue.Object) -> CrashReport.Image {
    var members = JSONMembers(object)
    let base = members.address("image_addr") ?? 0
    let architecture = MachArchitecture.name(
      type: members.number("cpu_type") ?? 0, subtype: members.number("cpu_subtype") ?? 0)
    // As in Apple's own reports, addresses are told by their distance from where the image was loaded.
    var image = CrashReport.Image(
      base: base, size: members.address("image_size") ?? 0,
      buildID: members["uuid"]?.string.map(IPSWriter.buildID(ofUUID:)) ?? "", path: members.string("name") ?? "",
      architecture: architecture ?? "", slide: base)
    members.drop("uuid")
    if !members.rest.isEmpty { image.extra["kscrash"] = .object(members.rest) }
    return image
  }

  private mutating func readCrash() throws(ReportError) {
    var crash = root.members("crash")
    if let diagnosis = crash["diagnosis"]?.string { report.notes.append(diagnosis) }
    let frames = KSCrashFrames(report.images)
    let flavor = MachArchitecture.stateFlavor(report.process.cpuType)
    for (index, object) in try IPSReader.elements(crash["threads"], "crash.threads").enumerated() {
      report.threads.append(thread(object, index, frames, flavor))
    }
    if report.threads.isEmpty, let object = crash["crashed_thread"]?.object {
      report.threads = [thread(object, 0, frames, flavor)]
      report.faultingThread = 0
      crash.drop("crashed_thread")
    }
    crash.drop("threads")
    var error = crash.members("error")
    readError(&error)
    crash.keep("error", error)
    root.keep("crash", crash)
  }

  private mutating func thread(
    _ object: JSONValue.Object, _ index: Int, _ frames: KSCrashFrames, _ flavor: String
  ) -> CrashReport.Thread {
    var members = JSONMembers(object)
    var thread = CrashReport.Thread(id: 0)
    thread.name = members.string("name")
    thread.queue = members.string("dispatch_queue")
    if members["crashed"]?.bool == true, report.faultingThread == nil { report.faultingThread = index }
    members.drop("crashed")
    if members["index"] == JSONValue(index) { members.drop("index") }
    var backtrace = members.members("backtrace")
    thread.frames = (backtrace.array("contents") ?? []).compactMap { $0.object.map(frames.frame) }
    members.keep("backtrace", backtrace)
    var registers = members.members("registers")
    if let basic = registers["basic"]?.object, basic.values.allSatisfy({ JSONMembers.address($0) != nil }) {
      let names = CrashReport.Registers.sorted(Array(basic.keys))
      thread.registers = CrashReport.Registers(
        flavor: flavor, values: names.map { .init($0, JSONMembers.address(basic[$0]) ?? 0) })
      registers.drop("basic")
    }
    members.keep("registers", registers)
    if !members.rest.isEmpty { thread.extra["kscrash"] = .object(members.rest) }
    return thread
  }

  /// Reads the cause: a Mach exception, a signal, an exception of a language, or what the program reported by itself.
  private mutating func readError(_ error: inout JSONMembers) {
    guard !error.rest.isEmpty else { return }
    let mach = error["mach"]?.object ?? [:]
    let signal = error["signal"]?.object ?? [:]
    let type = mach["exception_name"]?.string ?? ""
    let number = signal["signal"]?.integer(Int32.self) ?? KSCrashSignal.number(of: type)
    var exception = CrashReport.Exception(
      type: type.isEmpty ? SignalTable.darwin.exceptionType(number) : type,
      signal: signal["name"]?.string ?? (number > 0 ? SignalTable.darwin.name(number) : ""), signalNumber: number,
      code: signal["code"]?.integer() ?? 0)
    exception.codeName = (mach["code_name"] ?? signal["code_name"])?.string
    // KSCrash writes 0 for a missing address; 0 is one only where memory was accessed.
    exception.address = JSONMembers.address(error["address"])
    if exception.address == 0, exception.type != "EXC_BAD_ACCESS" { exception.address = nil }
    report.exception = exception
    let codes = [mach["code"], mach["subcode"]].compactMap(JSONMembers.address)
    if codes.count == 2 {
      body["exception"] = [
        "codes": .string(codes.map { CrashText.address($0) }.joined(separator: ", ")),
        "rawCodes": .array(codes.map { JSONValue($0) }),
      ]
    }
    let kind = error["type"]?.string ?? ""
    let key = ["nsexception", "cpp_exception", "user_reported"].first { error[$0] != nil }
    let thrown = key.flatMap { error[$0]?.object }
    let reason = (error["reason"] ?? thrown?["reason"])?.string
    if let name = thrown?["name"]?.string {
      report.thrown = CrashReport.ThrownException(
        name: key == "cpp_exception" ? KSCrashFrames.demangledType(name) : name, reason: reason)
    } else if let reason {
      report.lastWords["unknown"] = [reason]
    }
    if kind == "deadlock" { report.kind = .hang }
    // The thread of an exception has the stack that the exception object kept, and no registers.
    if key == "nsexception" || key == "cpp_exception", let index = report.faultingThread,
      report.threads.indices.contains(index),
      report.threads[index].registers == nil, !report.threads[index].frames.isEmpty
    {
      report.threads[index].frames[0].kind = .returned
    }
  }
}

/// The signal that stands for a Mach exception where a report names none.
private enum KSCrashSignal {
  static func number(of type: String) -> Int32 {
    switch type {
    case "EXC_BAD_ACCESS": 11
    case "EXC_BAD_INSTRUCTION": 4
    case "EXC_ARITHMETIC": 8
    case "EXC_BREAKPOINT": 5
    case "EXC_CRASH", "EXC_SOFTWARE": 6
    default: 0
    }
  }
}

extension JSONMembers {
  /// A number that stays among the members.
  func number(_ name: String) -> UInt64? {
    self[name]?.integer()
  }
}
