import MPaaSCrashReport
import MPaaSSupport

/// Fills a report from the records of a Crashlytics folder.
struct CrashlyticsReader {
  private var files: [String: [JSONValue.Object]]
  private var result = CrashReport()
  private(set) var rest: JSONValue.Object = [:]

  init(_ files: [String: [JSONValue.Object]]) {
    self.files = files
  }

  mutating func keep(_ name: String, _ value: JSONValue) {
    rest[name] = value
  }

  mutating func report() -> CrashReport {
    result.origin = .foreign
    readMetadata()
    readImages()
    readCause()
    readLog()
    for (name, records) in files {
      rest[name] = .array(records.map { .object(Self.decoded($0)) })
    }
    return result
  }

  private mutating func readMetadata() {
    var left: [JSONValue] = []
    for record in files.removeValue(forKey: "metadata.clsrecord") ?? [] {
      var record = JSONMembers(record)
      var identity = record.members("identity")
      result.incident = identity.string("session_id") ?? result.incident
      result.launched = CrashReport.Timestamp(identity["started_at"]) ?? result.launched
      record.keep("identity", identity)
      var host = record.members("host")
      if let platform = host["platform"]?.string {
        result.system.name = ["ios": "iOS", "tvos": "tvOS", "mac": "macOS", "watchos": "watchOS"][platform] ?? platform
      }
      result.system.version = host.string("os_display_version") ?? result.system.version
      result.system.build = host.string("os_build_version") ?? result.system.build
      result.system.model = host.string("model") ?? result.system.model
      record.keep("host", host)
      var application = record.members("application")
      result.application.identifier = application.string("bundle_id") ?? result.application.identifier
      result.application.version = application.string("display_version") ?? result.application.version
      result.application.build = application.string("build_version") ?? result.application.build
      record.keep("application", application)
      if let executable = record["executable"]?.object {
        result.process.cpuType = MachArchitecture.cpuType(executable["architecture"]?.string ?? "")
        executableBase = JSONMembers.address(executable["base"])
        architecture = executable["architecture"]?.string ?? ""
      }
      if !record.rest.isEmpty { left.append(.object(record.rest)) }
    }
    if !left.isEmpty { rest["metadata.clsrecord"] = .array(left) }
  }

  private var executableBase: UInt64?
  private var architecture = ""

  private mutating func readImages() {
    var left: [JSONValue] = []
    for record in files.removeValue(forKey: "binary_images.clsrecord") ?? [] {
      guard let load = record["load"]?.object, record.count == 1 else {
        left.append(.object(record))
        continue
      }
      var members = JSONMembers(load)
      let base = members.address("base") ?? 0
      var image = CrashReport.Image(
        base: base, size: members.address("size") ?? 0,
        buildID: members.string("uuid").map(IPSWriter.buildID(ofUUID:)) ?? "",
        path: members.string("path") ?? "", architecture: architecture, slide: base)
      let bundle = [
        "CFBundleIdentifier": "bundle_id", "CFBundleShortVersionString": "display_version",
        "CFBundleVersion": "build_version",
      ]
      for (name, member) in bundle { image.extra[name] = members.string(member).map(JSONValue.string) }
      if !members.rest.isEmpty { image.extra["crashlytics"] = .object(members.rest) }
      result.images.append(image)
    }
    if !left.isEmpty { rest["binary_images.clsrecord"] = .array(left) }
    guard let main = result.images.first(where: { $0.base == executableBase }) ?? result.images.first else { return }
    result.process.path = main.path
    result.process.name = main.name
    result.application.name = main.name
  }

  /// Reads the file that tells what happened; the others of its kind are kept as they are.
  private mutating func readCause() {
    guard let cause = CrashlyticsRecords.causes.first(where: { files[$0] != nil }) else { return }
    var members = JSONMembers((files.removeValue(forKey: cause) ?? []).reduce(into: [:]) { $0.merge($1) { $1 } })
    let symbols = files.removeValue(forKey: cause + ".symbolicated")?.first?["threads"]?.array ?? []
    readThreads(&members, symbols)
    readException(&members)
    readSignal(members)
    var runtime = members.members("runtime")
    if let entries = runtime.array("crash_info_entries"), !entries.isEmpty {
      result.lastWords["crash_info"] = entries.compactMap(\.string).map(Self.text)
    }
    members.keep("runtime", runtime)
    let statistics = members["process_stats"]?.object ?? [:]
    result.process.freeMemory = (statistics["free_mem"] ?? statistics["freeMem"])?.integer()
    result.process.residentMemory = statistics["resident"]?.integer()
    if !members.rest.isEmpty { rest[cause] = .object(Self.decoded(members.rest)) }
  }

  private mutating func readThreads(_ members: inout JSONMembers, _ symbols: [JSONValue]) {
    let table = ImageTable(result.images)
    func names(_ member: String, _ index: Int) -> String? {
      let list = members[member]?.array ?? []
      return list.indices.contains(index) ? list[index].string.flatMap { $0.isEmpty ? nil : $0 } : nil
    }
    for (index, value) in (members["threads"]?.array ?? []).enumerated() {
      var object = JSONMembers(value.object)
      var thread = CrashReport.Thread(id: 0)
      thread.name = names("thread_names", index)
      thread.queue = names("dispatch_queue_names", index)
      let known = symbols.indices.contains(index) ? symbols[index].array ?? [] : []
      for (place, address) in (object.array("stacktrace") ?? []).enumerated() {
        var frame = CrashReport.Frame(address: JSONMembers.address(address) ?? 0)
        frame.image = table.index(of: frame.address)
        if known.indices.contains(place), let symbol = known[place].object { Self.name(&frame, JSONMembers(symbol)) }
        thread.frames.append(frame)
      }
      if object["crashed"]?.bool == true, result.faultingThread == nil { result.faultingThread = index }
      object.drop("crashed")
      if let registers = object["registers"]?.object, registers.values.allSatisfy({ JSONMembers.address($0) != nil }) {
        let names = CrashReport.Registers.sorted(Array(registers.keys))
        thread.registers = CrashReport.Registers(
          flavor: MachArchitecture.stateFlavor(result.process.cpuType),
          values: names.map { .init($0, JSONMembers.address(registers[$0]) ?? 0) })
        object.drop("registers")
      }
      if !object.rest.isEmpty { thread.extra["crashlytics"] = .object(object.rest) }
      result.threads.append(thread)
    }
    // Names of threads that have no stack stay.
    if result.threads.count >= members["thread_names"]?.array?.count ?? 0 { members.drop("thread_names") }
    if result.threads.count >= members["dispatch_queue_names"]?.array?.count ?? 0 {
      members.drop("dispatch_queue_names")
    }
    members.drop("threads")
  }

  /// Names a frame by its entry in a `.symbolicated` file.
  private static func name(_ frame: inout CrashReport.Frame, _ symbol: JSONMembers) {
    var symbol = symbol
    if let name = symbol.string("symbol") {
      var call = CrashReport.Call(function: name)
      let raw = symbol.string("raw_symbol")
      call.symbol = raw == name ? nil : raw
      call.offset = symbol.integer("offset")
      call.file = symbol.string("file")
      call.line = symbol.integer("line")
      frame.calls = [call]
    }
    let rest = symbol.rest.filter { $0.value != .null && $0.value != 0 }
    if !rest.isEmpty { frame.extra["crashlytics"] = .object(rest) }
  }

  /// An uncaught exception, with the stack where it was thrown.
  private mutating func readException(_ members: inout JSONMembers) {
    var exception = members.members("exception")
    defer { members.keep("exception", exception) }
    guard let name = exception.string("name") else { return }
    result.thrown = CrashReport.ThrownException(
      name: Self.text(name), reason: exception.string("reason").map(Self.text))
    result.captured = CrashReport.Timestamp(exception["time"]) ?? result.captured
    let table = ImageTable(result.images)
    result.lastExceptionBacktrace = (exception.array("frames") ?? []).map { value in
      var members = JSONMembers(value.object)
      var frame = CrashReport.Frame(address: members.address("pc") ?? 0)
      frame.image = table.index(of: frame.address)
      if let symbol = members.string("symbol") {
        var call = CrashReport.Call(function: Self.text(symbol))
        call.file = members.string("file").map(Self.text)
        call.line = members.integer("line")
        call.offset = members.integer("offset")
        frame.calls = [call]
      }
      if !members.rest.isEmpty { frame.extra["crashlytics"] = .object(members.rest) }
      return frame
    }
    if result.exception == nil {
      result.exception = CrashReport.Exception(type: "EXC_CRASH", signal: "SIGABRT", signalNumber: 6, code: 0)
    }
  }

  private mutating func readSignal(_ members: JSONMembers) {
    if let mach = members["mach_exception"]?.object {
      var exception = CrashReport.Exception(type: mach["name"]?.string ?? "", signal: "", signalNumber: 0, code: 0)
      exception.codeName = mach["code_name"]?.string
      let codes = (mach["codes"]?.array ?? []).map(JSONMembers.address)
      if exception.type == "EXC_BAD_ACCESS", codes.count > 1 { exception.address = codes[1] }
      result.exception = exception
      result.captured = CrashReport.Timestamp(mach["time"]) ?? result.captured
    }
    if let signal = members["signal"]?.object {
      let number: Int32 = signal["number"]?.integer() ?? 0
      var exception = CrashReport.Exception(
        type: SignalTable.darwin.exceptionType(number),
        signal: signal["name"]?.string ?? SignalTable.darwin.name(number),
        signalNumber: number, code: signal["code"]?.integer() ?? 0)
      exception.codeName = signal["code_name"]?.string
      exception.address = JSONMembers.address(signal["address"])
      result.exception = exception
      result.captured = CrashReport.Timestamp(signal["time"]) ?? result.captured
    }
  }

  /// Makes breadcrumbs of the program's log, oldest first.
  private mutating func readLog() {
    for name in ["log_a.clsrecord", "log_b.clsrecord"] {
      var left: [JSONValue] = []
      for record in files.removeValue(forKey: name) ?? [] {
        guard let log = record["log"]?.object, log.count == 2, let message = log["msg"]?.string,
          let time = CrashReport.Timestamp(log["time"].map(Self.micros))
        else {
          left.append(.object(Self.decoded(record)))
          continue
        }
        result.breadcrumbs.append(CrashReport.Breadcrumb(time: time, name: Self.text(message)))
      }
      if !left.isEmpty { rest[name] = .array(left) }
    }
    result.breadcrumbs.sort { ($0.time.seconds, $0.time.nanoseconds) < ($1.time.seconds, $1.time.nanoseconds) }
  }

  /// Times of the log are in milliseconds.
  private static func micros(_ value: JSONValue) -> JSONValue {
    value.integer(Int64.self).map { JSONValue($0.multipliedReportingOverflow(by: 1000).partialValue) } ?? value
  }

  /// Members whose texts are written as hexadecimal digits.
  private static let encoded: Set = ["key", "value", "domain", "name", "reason", "msg", "crash_info_entries"]

  /// The object with such texts decoded, however deep they stand.
  private static func decoded(_ object: JSONValue.Object) -> JSONValue.Object {
    .init(object.map { ($0, decoded($1, isText: encoded.contains($0))) }) { $1 }
  }

  private static func decoded(_ value: JSONValue, isText: Bool) -> JSONValue {
    switch value {
    case .object(let object): .object(decoded(object))
    case .array(let elements): .array(elements.map { decoded($0, isText: isText) })
    case .string(let text) where isText: .string(Self.text(text))
    default: value
    }
  }

  /// The text that hexadecimal digits stand for; the digits themselves where they are none or no UTF-8.
  static func text(_ digits: String) -> String {
    let bytes = Array(digits.utf8)
    guard bytes.count % 2 == 0, !bytes.isEmpty else { return digits }
    var decoded: [UInt8] = []
    for place in stride(from: 0, to: bytes.count, by: 2) {
      guard let high = TextBytes.hexDigit(bytes[place]), let low = TextBytes.hexDigit(bytes[place + 1]) else {
        return digits
      }
      decoded.append(high << 4 | low)
    }
    let text = String(decoding: decoded, as: UTF8.self)
    return Array(text.utf8) == decoded ? text : digits
  }
}
