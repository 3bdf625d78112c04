import MPaaSCrashReport
import MPaaSSupport

extension PLCrashReader {
  static func stacks(_ body: WireMessage, _ report: inout CrashReport) throws(PLCrashError) {
    for image in try body.messages(4) { report.images.append(try self.image(image)) }
    let table = ImageTable(report.images)
    let strips = stripsUnderscore(report)
    for message in try body.messages(3) {
      let thread = try self.thread(message, table, strips)
      if message.number(3).map({ $0 != 0 }) == true, report.faultingThread == nil {
        report.faultingThread = report.threads.count
      }
      report.threads.append(thread)
    }
    mark(&report)
  }

  /// Threads say by themselves whether they crashed; where that is not what `faultingThread` says it is kept.
  static func mark(_ report: inout CrashReport) {
    for index in report.threads.indices {
      guard var own = report.threads[index].extra["plcrash"]?.object else { continue }
      if own["crashed"] == .bool(index == report.faultingThread) { own["crashed"] = nil }
      report.threads[index].extra["plcrash"] = filled(own)
    }
  }

  static func image(_ message: WireMessage) throws(PLCrashError) -> CrashReport.Image {
    var rest: JSONValue.Object = [:]
    let uuid = message.bytes(4)
    if let uuid, uuid.isEmpty { rest["uuid"] = "" }
    let base = message.number(1) ?? 0
    rest["code_type"] = try message.messages(5).last.map(processor)
    var image = CrashReport.Image(
      base: base, size: message.number(2) ?? 0, buildID: uuid.map(\.hexadecimal) ?? "",
      path: message.string(3) ?? "",
      architecture: rest["code_type"].flatMap(PLCrashWriter.processor)?.architecture ?? "", slide: base)
    note(message, [3, 4, 5], numbers: [1, 2], &rest, order: [2, 1, 3, 4, 5])
    image.extra["plcrash"] = filled(rest)
    return image
  }

  static func thread(
    _ message: WireMessage, _ table: ImageTable, _ strips: Bool
  ) throws(PLCrashError) -> CrashReport.Thread {
    var thread = CrashReport.Thread(id: message.number(1) ?? 0)
    var rest: JSONValue.Object = [:]
    rest["crashed"] = message.number(3).map { .bool($0 != 0) }
    thread.frames = try message.messages(2).map { frame throws(PLCrashError) in
      try self.frame(frame, table, stripsUnderscore: strips)
    }
    let registers = try message.messages(4)
    if !registers.isEmpty {
      thread.registers = CrashReport.Registers(
        flavor: flavor(registers),
        values: registers.map { .init($0.string(1) ?? "", $0.number(2) ?? 0) })
      let unknown = registers.map { $0.unknown(numbers: [2], bytes: [1]) }
      if unknown.contains(where: { !$0.isEmpty }) {
        rest["registers"] = .array(unknown.map { .array($0.map { JSONValue.base64($0) }) })
      }
    }
    note(message, [2, 4], numbers: [1, 3], &rest, order: [1, 3, 4, 2])
    thread.extra["plcrash"] = filled(rest)
    return thread
  }

  static func flavor(_ registers: [WireMessage]) -> String {
    let names = Set(registers.prefix(64).compactMap { $0.string(1) })
    if names.contains("rip") { return "x86_THREAD_STATE64" }
    if names.contains("eip") { return "x86_THREAD_STATE32" }
    return names.contains("x0") ? "ARM_THREAD_STATE64" : "ARM_THREAD_STATE"
  }

  static func frame(
    _ message: WireMessage, _ table: ImageTable, stripsUnderscore: Bool
  ) throws(PLCrashError) -> CrashReport.Frame {
    var frame = CrashReport.Frame(address: message.number(3) ?? 0)
    var rest: JSONValue.Object = [:]
    frame.image = table.index(of: frame.address)
    if let symbol = try message.messages(6).last {
      let name = symbol.string(1) ?? ""
      let start = symbol.number(2) ?? 0
      var call = CrashReport.Call(function: stripsUnderscore ? PLCrashText.withoutUnderscore(name) : name)
      call.symbol = call.function == name ? nil : name
      call.offset = frame.address &- start
      frame.calls = [call]
      // Symbolication replaces the call; where the symbol lay stays true.
      var place: JSONValue.Object = ["start_address": JSONValue(start)]
      place["end_address"] = symbol.number(3).map { JSONValue($0) }
      note(symbol, [1], numbers: [2, 3], &place, order: [1, 2, 3])
      rest["symbol"] = .object(place)
    }
    note(message, [6], numbers: [3], &rest, order: [3, 6])
    frame.extra["plcrash"] = filled(rest)
    return frame
  }

  /// Apple's systems put an underscore before each symbol; others are not known to.
  static func stripsUnderscore(_ report: CrashReport) -> Bool {
    PLCrashText.systemNames.values.contains(report.system.name)
  }
}
