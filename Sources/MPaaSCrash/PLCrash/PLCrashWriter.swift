package import MPaaSCrashReport
import MPaaSSupport

/// Writes a report as `.plcrash`.
///
/// A report that was read from such a file gives the same bytes again; a report of another origin gives what the
/// format has places for. Each frame has one symbol there: the function itself rather than a call inlined into it.
package enum PLCrashWriter {
  package static func bytes(of report: CrashReport) -> [UInt8] {
    let rest = report.extra["plcrash"]?.object ?? [:]
    var body = WireWriter()
    reportInfo(report, rest["report_info"]?.object, &body)
    body.bytes(1, system(report, rest["system_info"]?.object ?? [:]))
    machine(report, rest["machine_info"]?.object, &body)
    body.bytes(2, application(report, rest["application_info"]?.object ?? [:]))
    process(report, rest["process_info"]?.object, &body)
    for index in report.threads.indices { body.bytes(3, thread(index, report)) }
    for image in report.images { body.bytes(4, self.image(image)) }
    exception(report, rest["exception"]?.object ?? [:], &body)
    body.bytes(6, signal(report, rest["signal"]?.object ?? [:]))
    if let data = rest["custom_data"]?.base64 { body.bytes(10, data) }
    body.raw(unknown(rest))
    return Array(PLCrashReader.magic.utf8) + [PLCrashReader.version] + body.message(order: order(rest))
  }

  private static func unknown(_ rest: JSONValue.Object?) -> [[UInt8]] {
    (rest?["unknown"]?.array ?? []).compactMap(\.base64)
  }

  private static func order(_ rest: JSONValue.Object?) -> [UInt64] {
    (rest?["order"]?.array ?? []).compactMap { $0.integer() }
  }

  private static func message(_ writer: WireWriter, _ rest: JSONValue.Object?) -> [UInt8] {
    var writer = writer
    writer.raw(unknown(rest))
    return writer.message(order: order(rest))
  }

  /// The processor that a JSON object of the reader's stands for.
  static func processor(_ value: JSONValue) -> ProcessorType? {
    guard let object = value.object else { return nil }
    return ProcessorType(
      encoding: object["encoding"]?.integer() ?? 0, type: object["type"]?.integer() ?? 0,
      subtype: object["subtype"]?.integer() ?? 0)
  }

  /// A processor's message: as it was read, else the one that the name stands for.
  private static func processor(_ value: JSONValue?, or name: String) -> [UInt8]? {
    var writer = WireWriter()
    if let object = value?.object {
      writer.number(1, object["encoding"]?.integer())
      writer.number(2, object["type"]?.integer())
      writer.number(3, object["subtype"]?.integer())
      return message(writer, object)
    }
    guard let type = ProcessorType(architecture: name) else { return nil }
    writer.number(1, type.encoding)
    writer.number(2, type.type)
    writer.number(3, type.subtype)
    return writer.message()
  }

  private static func isRead(_ report: CrashReport) -> Bool { report.extra["plcrash"] != nil }
}

// MARK: - Facts

extension PLCrashWriter {
  private static func reportInfo(
    _ report: CrashReport, _ rest: JSONValue.Object?, _ body: inout WireWriter
  ) {
    let uuid = [UInt8](hexadecimal: report.incident.filter { $0 != "-" }).flatMap { $0.count == 16 ? $0 : nil }
    guard rest != nil || !isRead(report) else { return }
    var writer = WireWriter()
    let isRequested = rest.map { $0["user_requested"]?.bool } ?? (report.exception == nil)
    writer.number(1, isRequested.map { $0 ? 1 : 0 })
    if let uuid = uuid ?? rest?["uuid"]?.base64 { writer.bytes(2, uuid) }
    body.bytes(9, message(writer, rest))
  }

  private static func system(_ report: CrashReport, _ rest: JSONValue.Object) -> [UInt8] {
    var writer = WireWriter()
    let known = PLCrashText.systemNames.filter { $0.value == report.system.name }.map(\.key).min()
    let number: UInt64? = rest["operating_system"]?.integer()
    writer.number(1, isRead(report) ? number : known ?? systemNumber(report.system.name))
    writer.string(2, report.system.version)
    if !report.system.build.isEmpty || rest["os_build"] != nil { writer.string(5, report.system.build) }
    let architecture: UInt64? = rest["architecture"]?.integer()
    let own = ProcessorType(architecture: report.process.cpuType)?.legacyNumber ?? 6
    writer.number(3, isRead(report) ? architecture : own)
    writer.number(4, UInt64(bitPattern: report.captured.seconds))
    return message(writer, rest)
  }

  /// Names of today for the numbers of then; 3 is "unknown".
  private static func systemNumber(_ name: String) -> UInt64 {
    switch name {
    case "macOS", "OS X": 0
    case "iOS", "iPadOS": 1
    case "tvOS": 4
    default: 3
    }
  }

  private static func machine(_ report: CrashReport, _ rest: JSONValue.Object?, _ body: inout WireWriter) {
    guard rest != nil || (!isRead(report) && report.system.model != nil) else { return }
    var writer = WireWriter()
    writer.string(1, report.system.model)
    let processor = self.processor(rest?["processor"], or: isRead(report) ? "" : report.process.cpuType)
    if let processor { writer.bytes(2, processor) }
    writer.number(3, rest.map { $0["processor_count"]?.integer() } ?? 0)
    writer.number(4, rest.map { $0["logical_processor_count"]?.integer() } ?? 0)
    body.bytes(8, message(writer, rest))
  }

  private static func application(_ report: CrashReport, _ rest: JSONValue.Object) -> [UInt8] {
    let application = report.application
    var writer = WireWriter()
    writer.string(1, application.identifier ?? (isRead(report) ? nil : application.name))
    writer.string(2, application.build ?? (isRead(report) ? nil : application.version ?? ""))
    if isRead(report) || application.build != nil { writer.string(3, application.version) }
    return message(writer, rest)
  }

  private static func process(_ report: CrashReport, _ rest: JSONValue.Object?, _ body: inout WireWriter) {
    guard rest != nil || !isRead(report) else { return }
    let process = report.process
    var writer = WireWriter()
    if !process.name.isEmpty || rest?["process_name"] != nil { writer.string(1, process.name) }
    writer.number(2, rest?["process_id"]?.integer() ?? UInt64(bitPattern: Int64(process.pid)))
    if !process.path.isEmpty || rest?["process_path"] != nil { writer.string(3, process.path) }
    writer.string(4, process.parentName)
    let parent: UInt64? = rest?["parent_process_id"]?.integer()
    writer.number(
      5, parent ?? process.parentPID.map { UInt64(bitPattern: Int64($0)) } ?? (isRead(report) ? nil : 0))
    writer.number(6, rest.map { $0["native"]?.bool.map { $0 ? 1 : 0 } } ?? 1)
    writer.number(7, report.launched.map { UInt64(bitPattern: $0.seconds) })
    body.bytes(7, message(writer, rest))
  }

  private static func exception(_ report: CrashReport, _ rest: JSONValue.Object, _ body: inout WireWriter) {
    guard let thrown = report.thrown else { return }
    var writer = WireWriter()
    writer.string(1, thrown.name)
    writer.string(2, thrown.reason ?? (isRead(report) ? nil : ""))
    for frame in report.lastExceptionBacktrace { writer.bytes(3, self.frame(frame, report)) }
    body.bytes(5, message(writer, rest))
  }

  private static func signal(_ report: CrashReport, _ rest: JSONValue.Object) -> [UInt8] {
    var writer = WireWriter()
    let exception = report.exception
    writer.string(1, exception?.signal ?? "SIGTRAP")
    writer.string(2, rest["code"]?.string ?? exception?.codeName ?? "#\(exception?.code ?? 0)")
    writer.number(3, exception?.address ?? (isRead(report) ? nil : 0))
    if let mach = rest["mach_exception"]?.object {
      var inner = WireWriter()
      inner.number(1, mach["type"]?.integer())
      for code in mach["codes"]?.array ?? [] { inner.number(2, code.integer()) }
      writer.bytes(4, message(inner, mach))
    }
    return message(writer, rest)
  }
}

// MARK: - Stacks

extension PLCrashWriter {
  private static func thread(_ index: Int, _ report: CrashReport) -> [UInt8] {
    let thread = report.threads[index]
    let rest = thread.extra["plcrash"]?.object ?? [:]
    var writer = WireWriter()
    writer.number(1, isRead(report) ? thread.id : UInt64(index))
    writer.number(3, (rest["crashed"]?.bool ?? (index == report.faultingThread)) ? 1 : 0)
    let unknown = rest["registers"]?.array ?? []
    for (place, register) in (thread.registers?.values ?? []).enumerated() {
      var inner = WireWriter()
      inner.string(1, register.name)
      inner.number(2, register.value)
      if unknown.indices.contains(place) { inner.raw((unknown[place].array ?? []).compactMap(\.base64)) }
      writer.bytes(4, inner.message())
    }
    for frame in thread.frames { writer.bytes(2, self.frame(frame, report)) }
    return message(writer, rest)
  }

  private static func frame(_ frame: CrashReport.Frame, _ report: CrashReport) -> [UInt8] {
    let rest = frame.extra["plcrash"]?.object ?? [:]
    var writer = WireWriter()
    writer.number(3, frame.address)
    if let call = frame.calls.last {
      let place = rest["symbol"]?.object
      let known: UInt64? = place?["start_address"]?.integer()
      var symbol = WireWriter()
      symbol.string(1, call.symbol ?? call.function)
      // Without a start, the frame's own address at least makes no false offset.
      symbol.number(2, call.offset.map { frame.address &- $0 } ?? known ?? frame.address)
      symbol.number(3, place?["end_address"]?.integer())
      writer.bytes(6, message(symbol, place))
    }
    return message(writer, rest)
  }

  private static func image(_ image: CrashReport.Image) -> [UInt8] {
    let rest = image.extra["plcrash"]?.object ?? [:]
    var writer = WireWriter()
    writer.number(2, image.size)
    writer.number(1, image.base)
    writer.string(3, image.path)
    if !image.buildID.isEmpty || rest["uuid"] != nil { writer.bytes(4, [UInt8](hexadecimal: image.buildID) ?? []) }
    if let type = processor(rest["code_type"], or: image.architecture) { writer.bytes(5, type) }
    return message(writer, rest)
  }
}
