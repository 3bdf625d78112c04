package import MPaaSCrashReport
import MPaaSSupport

/// Reads `.plcrash`, what PLCrashReporter and the kits built on it (App Center, HockeyApp) write.
///
/// Fields that `CrashReport` has no place for go to `extra["plcrash"]` of the report, thread, frame or image under the
/// names of `PLCrashReport.proto`; unknown fields stay there as bytes (`unknown`, base64 with their tags). A report
/// that has `extra["plcrash"]` came from such a file.
///
/// - Source: microsoft/plcrashreporter, `Source/PLCrashReport.proto`.
package enum PLCrashReader {
  static let magic = "plcrash"
  static let version: UInt8 = 1
  private static let headerSize = 8
  /// Bytes of the largest file that is read; reports have some ten thousand.
  static let largest = 16 << 20

  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: magic.utf8)
  }

  /// Reads the whole file.
  ///
  /// - Throws: `PLCrashError` with the offset of the first byte that cannot be.
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(PLCrashError) -> CrashReport {
    guard recognises(bytes) else { throw PLCrashError(.badMagic, offset: 0) }
    guard bytes.count > headerSize else { throw PLCrashError(.truncated, offset: bytes.count) }
    guard bytes.count <= largest else { throw PLCrashError(.tooLarge, offset: largest) }
    guard bytes[magic.utf8.count] == version else {
      throw PLCrashError(.unknownVersion(bytes[magic.utf8.count]), offset: magic.utf8.count)
    }
    let body = try WireMessage(UnsafeRawBufferPointer(rebasing: bytes[headerSize...]), at: headerSize)
    return try report(body)
  }

  /// The order in which PLCrashReporter writes the fields.
  static let order: [UInt64] = [9, 1, 8, 2, 7, 3, 4, 5, 6]

  private static func report(_ body: WireMessage) throws(PLCrashError) -> CrashReport {
    guard let system = try body.messages(1).last else {
      throw PLCrashError(.missing("system_info"), offset: body.offset)
    }
    var report = CrashReport()
    report.origin = .foreign
    var rest: JSONValue.Object = ["version": JSONValue(Self.version)]
    rest["system_info"] = self.system(system, &report)
    rest["machine_info"] = try body.messages(8).last.map { message throws(PLCrashError) in
      try machine(message, &report)
    }
    rest["application_info"] = try body.messages(2).last.flatMap { application($0, &report) }
    rest["process_info"] = try body.messages(7).last.map { process($0, &report) }
    rest["report_info"] = try body.messages(9).last.map { info($0, &report) }
    rest["custom_data"] = body.bytes(10).map { JSONValue.base64($0) }
    try stacks(body, &report)
    rest["exception"] = try body.messages(5).last.flatMap { message throws(PLCrashError) in
      try exception(message, &report)
    }
    rest["signal"] = try body.messages(6).last.flatMap { message throws(PLCrashError) in
      try signal(message, &report)
    }
    report.process.cpuType = codeType(report, rest)
    note(body, Set(1...10), numbers: [], &rest, order: body.fields.isEmpty ? [] : order)
    report.extra["plcrash"] = .object(rest)
    return report
  }

  /// Notes the fields that are not known, and their order where it is not the usual one.
  static func note(
    _ message: WireMessage, _ bytes: Set<UInt64>, numbers: Set<UInt64>, _ rest: inout JSONValue.Object,
    order: [UInt64]
  ) {
    let unknown = message.unknown(numbers: numbers, bytes: bytes)
    if !unknown.isEmpty { rest["unknown"] = .array(unknown.map { JSONValue.base64($0) }) }
    let found = message.order
    if found != order.filter(Set(found).contains) { rest["order"] = .array(found.map { JSONValue($0) }) }
  }

  static func filled(_ rest: JSONValue.Object) -> JSONValue? {
    rest.isEmpty ? nil : .object(rest)
  }
}

// MARK: - Facts

extension PLCrashReader {
  private static func system(_ message: WireMessage, _ report: inout CrashReport) -> JSONValue {
    var rest: JSONValue.Object = [:]
    rest["operating_system"] = message.number(1).map { JSONValue($0) }
    rest["architecture"] = message.number(3).map { JSONValue($0) }
    let number = message.number(1) ?? 3
    report.system.name = PLCrashText.systemNames[number] ?? "Unknown (\(number))"
    report.system.version = message.string(2) ?? ""
    report.system.build = message.string(5) ?? ""
    if message.string(5) == "" { rest["os_build"] = "" }
    report.captured.seconds = Int64(bitPattern: message.number(4) ?? 0)
    note(message, [2, 5], numbers: [1, 3, 4], &rest, order: [1, 2, 5, 3, 4])
    return .object(rest)
  }

  private static func machine(
    _ message: WireMessage, _ report: inout CrashReport
  ) throws(PLCrashError) -> JSONValue {
    var rest: JSONValue.Object = [:]
    report.system.model = message.string(1)
    rest["processor"] = try message.messages(2).last.map(processor)
    rest["processor_count"] = message.number(3).map { JSONValue($0) }
    rest["logical_processor_count"] = message.number(4).map { JSONValue($0) }
    note(message, [1, 2], numbers: [3, 4], &rest, order: [1, 2, 3, 4])
    return .object(rest)
  }

  static func processor(_ message: WireMessage) -> JSONValue {
    var rest: JSONValue.Object = [:]
    rest["encoding"] = message.number(1).map { JSONValue($0) }
    rest["type"] = message.number(2).map { JSONValue($0) }
    rest["subtype"] = message.number(3).map { JSONValue($0) }
    note(message, [], numbers: [1, 2, 3], &rest, order: [1, 2, 3])
    return .object(rest)
  }

  private static func application(_ message: WireMessage, _ report: inout CrashReport) -> JSONValue? {
    var rest: JSONValue.Object = [:]
    report.application.identifier = message.string(1)
    report.application.build = message.string(2)
    report.application.version = message.string(3)
    note(message, [1, 2, 3], numbers: [], &rest, order: [1, 2, 3])
    return filled(rest)
  }

  private static func process(_ message: WireMessage, _ report: inout CrashReport) -> JSONValue {
    var rest: JSONValue.Object = [:]
    report.process.name = message.string(1) ?? ""
    report.application.name = report.process.name
    report.process.path = message.string(3) ?? ""
    report.process.parentName = message.string(4)
    if message.string(1) == "" { rest["process_name"] = "" }
    if message.string(3) == "" { rest["process_path"] = "" }
    let (pid, parent) = (message.number(2) ?? 0, message.number(5))
    report.process.pid = Int32(exactly: pid) ?? 0
    if Int32(exactly: pid) == nil { rest["process_id"] = JSONValue(pid) }
    report.process.parentPID = parent.flatMap(Int32.init(exactly:))
    if report.process.parentPID == nil { rest["parent_process_id"] = parent.map { JSONValue($0) } }
    rest["native"] = message.number(6).map { .bool($0 != 0) }
    report.launched = message.number(7).map { CrashReport.Timestamp(seconds: Int64(bitPattern: $0)) }
    note(message, [1, 3, 4], numbers: [2, 5, 6, 7], &rest, order: [1, 2, 3, 4, 5, 6, 7])
    return .object(rest)
  }

  private static func info(_ message: WireMessage, _ report: inout CrashReport) -> JSONValue {
    var rest: JSONValue.Object = [:]
    let isRequested = message.number(1).map { $0 != 0 }
    if isRequested == true { report.kind = .other }
    rest["user_requested"] = isRequested.map(JSONValue.bool)
    if let uuid = message.bytes(2) {
      if uuid.count == 16 {
        report.incident = IPSWriter.uuid(uuid.hexadecimal).uppercased()
      } else {
        rest["uuid"] = .base64(uuid)
      }
    }
    note(message, [2], numbers: [1], &rest, order: [1, 2])
    return .object(rest)
  }

  private static func exception(
    _ message: WireMessage, _ report: inout CrashReport
  ) throws(PLCrashError) -> JSONValue? {
    var rest: JSONValue.Object = [:]
    report.thrown = CrashReport.ThrownException(name: message.string(1) ?? "", reason: message.string(2))
    let table = ImageTable(report.images)
    report.lastExceptionBacktrace = try message.messages(3).map { frame throws(PLCrashError) in
      try self.frame(frame, table, stripsUnderscore: stripsUnderscore(report))
    }
    note(message, [1, 2, 3], numbers: [], &rest, order: [1, 2, 3])
    return filled(rest)
  }

  private static func signal(
    _ message: WireMessage, _ report: inout CrashReport
  ) throws(PLCrashError) -> JSONValue? {
    var rest: JSONValue.Object = [:]
    let name = message.string(1) ?? ""
    let code = message.string(2) ?? ""
    let mach = try message.messages(4).last
    let number = SignalTable.darwin.number(name) ?? 0
    let type = mach?.number(1).flatMap(MachException.name) ?? SignalTable.darwin.exceptionType(number)
    var exception = CrashReport.Exception(
      type: type, signal: name, signalNumber: number,
      code: code.hasPrefix("#") ? Int32(code.dropFirst()) ?? 0 : SignalTable.darwin.code(code, of: number) ?? 0)
    exception.address = message.number(3)
    if code.isEmpty || code.hasPrefix("#") { rest["code"] = .string(code) } else { exception.codeName = code }
    rest["mach_exception"] = mach.map { mach in
      var rest: JSONValue.Object = ["codes": .array(mach.numbers(2).map { JSONValue($0) })]
      rest["type"] = mach.number(1).map { JSONValue($0) }
      note(mach, [], numbers: [1, 2], &rest, order: [1, 2])
      return .object(rest)
    }
    report.exception = exception
    note(message, [1, 2, 4], numbers: [3], &rest, order: [1, 2, 3, 4])
    return filled(rest)
  }

  /// The value of `Code Type`: the first image with a processor that has a name, else the machine's, else the old
  /// field's.
  private static func codeType(_ report: CrashReport, _ rest: JSONValue.Object) -> String {
    for image in report.images {
      if let type = image.extra["plcrash"]?.object?["code_type"].flatMap(PLCrashWriter.processor)?.codeType {
        return type
      }
    }
    if let own = rest["machine_info"]?.object?["processor"].flatMap(PLCrashWriter.processor), own.encoding == 1 {
      return own.codeType ?? "Unknown (\(own.type))"
    }
    let legacy: UInt64? = rest["system_info"]?.object?["architecture"]?.integer()
    guard let processor = legacy.flatMap(ProcessorType.init(legacy:)) else { return "Unknown" }
    return processor.codeType ?? "Unknown (\(processor.type))"
  }
}
