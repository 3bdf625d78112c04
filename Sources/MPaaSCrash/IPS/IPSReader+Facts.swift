import MPaaSCrashReport
import MPaaSSupport

extension IPSReader {
  /// Everything but threads and images.
  static func facts(header: JSONValue.Object, body: JSONValue.Object) -> CrashReport {
    var report = CrashReport()
    let own = body["mpaas"]?.object ?? [:]
    report.incident = body["incident"]?.string ?? header["incident_id"]?.string ?? ""
    report.origin = own["origin"]?.string.flatMap(CrashReport.Origin.init) ?? .foreign
    report.isPartial = own["partial"]?.bool ?? false
    report.captured =
      time(own["captureTime"]) ?? time(body["captureTime"]) ?? time(body["date"]) ?? time(header["timestamp"])
      ?? CrashReport.Timestamp()
    report.launched = time(own["procLaunch"]) ?? time(body["procLaunch"])
    report.application = application(header, body, own)
    report.system = system(header, body, own)
    report.process = process(body, own)
    report.exception = body["exception"]?.object.map { exception($0, body, own) }
    report.lastWords = (body["asi"]?.object ?? [:]).compactMapValues(strings)
    report.kind = own["kind"]?.string.flatMap(CrashReport.Kind.init) ?? kind(header["bug_type"] ?? body["bug_type"])
    if let panic = body["panicString"]?.string { report.lastWords["kernel"] = [panic] }
    report.thrown = own["thrown"]?.object.flatMap(thrown) ?? CrashReport.ThrownException(lastWords: report.lastWords)
    report.notes = strings(body["reportNotes"]) ?? []
    report.breadcrumbs = (own["breadcrumbs"]?.array ?? []).compactMap(breadcrumb)
    report.hang = own["hang"]?.object.flatMap(hang)
    report.luaStack = (own["luaStack"]?.array ?? []).compactMap(luaFrame)
    report.faultingThread =
      body["faultingThread"]?.integer()
      ?? body["threads"]?.array?.firstIndex { $0.object?["triggered"]?.bool == true }
    return report
  }

  private static func kind(_ bugType: JSONValue?) -> CrashReport.Kind {
    bugType.map { CrashReport.Kind(bugType: $0.string ?? $0.line) } ?? .crash
  }

  private static func thrown(_ object: JSONValue.Object) -> CrashReport.ThrownException? {
    object["name"]?.string.map { CrashReport.ThrownException(name: $0, reason: object["reason"]?.string) }
  }

  private static func time(_ value: JSONValue?) -> CrashReport.Timestamp? {
    value?.string.flatMap(CrashReport.Timestamp.init)
  }

  /// The strings of an array; nil where it is none, or has anything else in it.
  static func strings(_ value: JSONValue?) -> [String]? {
    guard let elements = value?.array else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }

  private static func luaFrame(_ value: JSONValue) -> CrashReport.LuaFrame? {
    guard let object = value.object, let file = object["file"]?.string else { return nil }
    return CrashReport.LuaFrame(
      patch: object["patch"]?.string ?? "", file: file, line: object["line"]?.integer(),
      function: object["function"]?.string ?? "")
  }

  private static func breadcrumb(_ value: JSONValue) -> CrashReport.Breadcrumb? {
    guard let object = value.object, let time = time(object["time"]), let name = object["name"]?.string else {
      return nil
    }
    return CrashReport.Breadcrumb(time: time, name: name)
  }

  private static func application(
    _ header: JSONValue.Object, _ body: JSONValue.Object, _ own: JSONValue.Object
  ) -> CrashReport.Application {
    var application = CrashReport.Application()
    let bundle = body["bundleInfo"]?.object
    application.name = (header["app_name"] ?? header["name"] ?? body["procName"])?.string ?? ""
    application.identifier = bundle?["CFBundleIdentifier"]?.string ?? header["bundleID"]?.string
    application.version = bundle?["CFBundleShortVersionString"]?.string ?? filled(header["app_version"])
    application.build = bundle?["CFBundleVersion"]?.string ?? filled(header["build_version"])
    application.appKey = own["appKey"]?.string
    application.userIDHash = own["userIDHash"]?.string
    return application
  }

  /// The string, where it is not empty.
  private static func filled(_ value: JSONValue?) -> String? {
    value?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func system(
    _ header: JSONValue.Object, _ body: JSONValue.Object, _ own: JSONValue.Object
  ) -> CrashReport.OperatingSystem {
    var system = CrashReport.OperatingSystem()
    let version = body["osVersion"]?.object
    if let train = version?["train"]?.string {
      (system.name, system.version) = IPSWriter.nameAndVersion(train)
      system.build = version?["build"]?.string ?? ""
    } else if let text = (header["os_version"] ?? body["build"])?.string {
      (system.name, system.version, system.build) = nameVersionBuild(text)
    }
    if let exact = own["system"]?.object {
      system.name = exact["name"]?.string ?? system.name
      system.version = exact["version"]?.string ?? system.version
    }
    system.kernel = own["kernel"]?.string
    system.model = (body["modelCode"] ?? body["product"])?.string
    return system
  }

  /// `iPhone OS 15.2.1 (19C63)` in its three parts.
  package static func nameVersionBuild(_ text: String) -> (String, String, String) {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else {
      let (name, version) = IPSWriter.nameAndVersion(text)
      return (name, version, "")
    }
    let train = text[..<open].last == " " ? text[..<open].dropLast() : text[..<open]
    let (name, version) = IPSWriter.nameAndVersion(String(train))
    return (name, version, String(text[text.index(after: open)...].dropLast()))
  }

  private static func process(_ body: JSONValue.Object, _ own: JSONValue.Object) -> CrashReport.Process {
    var process = CrashReport.Process()
    process.name = body["procName"]?.string ?? ""
    process.path = body["procPath"]?.string ?? ""
    process.pid = body["pid"]?.integer() ?? 0
    process.cpuType = body["cpuType"]?.string ?? ""
    process.parentName = body["parentProc"]?.string
    process.parentPID = body["parentPid"]?.integer()
    process.userID = body["userID"]?.integer()
    process.systemUptime = own["systemUptime"]?.double ?? body["uptime"]?.double
    process.uptime = own["processUptime"]?.double
    process.freeMemory = own["freeMemory"]?.integer()
    process.residentMemory = own["residentMemory"]?.integer()
    return process
  }

  private static func exception(
    _ object: JSONValue.Object, _ body: JSONValue.Object, _ own: JSONValue.Object
  ) -> CrashReport.Exception {
    let signal = object["signal"]?.string ?? ""
    var exception = CrashReport.Exception(
      type: object["type"]?.string ?? "", signal: signal,
      signalNumber: SignalTable.darwin.number(signal) ?? 0, code: 0)
    guard let exact = own["exception"]?.object else {
      let subtype = object["subtype"]?.string ?? ""
      exception.codeName = subtype.split(separator: " ").first.flatMap { $0.contains("_") ? String($0) : nil }
      exception.address = subtype.split(separator: " ").last.flatMap(address)
      return exception
    }
    exception.signalNumber = exact["signalNumber"]?.integer() ?? exception.signalNumber
    exception.code = exact["code"]?.integer() ?? 0
    exception.codeName = exact["codeName"]?.string
    exception.address = exact["address"]?.integer()
    exception.senderPID = exact["sender"]?.integer()
    return exception
  }

  private static func address(_ text: Substring) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
  }
}
