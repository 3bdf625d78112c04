import MPaaSCrashReport
import MPaaSSupport

/// One diagnostic of a payload.
struct MetricKitDiagnostic {
  private(set) var report = CrashReport()

  init(_ entry: MetricKitEntry) throws(ReportError) {
    report.kind = entry.kind
    report.origin = .foreign
    let facts = entry.facts
    fill(facts)
    if let tree = entry.tree {
      var stacks = MetricKitStacks(architecture: facts["platformArchitecture"]?.string ?? "")
      try stacks.read(trees: tree, path: entry.path(of: "callStackTree"))
      report.threads = stacks.threads
      report.images = stacks.images
      report.faultingThread = stacks.attributed ?? (stacks.threads.isEmpty ? nil : 0)
      if entry.kind == .hang { report.hang = hang(facts, stacks) }
    }
    var rest = facts
    for name in Self.known { rest[name] = nil }
    if !rest.isEmpty { report.extra["metricKit"] = .object(rest) }
  }

  private static let known = [
    "appVersion", "appBuildVersion", "bundleIdentifier", "osVersion", "deviceType", "platformArchitecture", "pid",
    "exceptionType", "exceptionCode", "signal",
  ]

  private mutating func fill(_ facts: JSONValue.Object) {
    report.application.identifier = facts["bundleIdentifier"]?.string
    report.application.version = facts["appVersion"]?.string
    report.application.build = facts["appBuildVersion"]?.string
    report.application.name = facts["bundleIdentifier"]?.string ?? ""
    if let text = facts["osVersion"]?.string {
      (report.system.name, report.system.version, report.system.build) = IPSReader.nameVersionBuild(text)
    }
    report.system.model = facts["deviceType"]?.string
    report.process.pid = facts["pid"]?.integer() ?? 0
    report.process.cpuType = Self.processor(facts["platformArchitecture"]?.string ?? "")
    report.exception = exception(facts)
    if let reason = facts["exceptionReason"]?.object,
      let name = (reason["exceptionName"] ?? reason["exceptionType"])?.string
    {
      report.thrown = CrashReport.ThrownException(name: name, reason: reason["composedMessage"]?.string)
    }
  }

  private static func processor(_ architecture: String) -> String {
    architecture.hasPrefix("arm64") ? "ARM-64" : architecture == "x86_64" ? "X86-64" : architecture
  }

  /// The Mach exceptions by their numbers (`<mach/exception_types.h>`).
  private static let exceptions = [
    1: "EXC_BAD_ACCESS", 2: "EXC_BAD_INSTRUCTION", 3: "EXC_ARITHMETIC", 4: "EXC_EMULATION", 5: "EXC_SOFTWARE",
    6: "EXC_BREAKPOINT", 10: "EXC_CRASH", 11: "EXC_RESOURCE", 12: "EXC_GUARD",
  ]

  private func exception(_ facts: JSONValue.Object) -> CrashReport.Exception? {
    guard report.kind == .crash else { return nil }
    let signal: Int32 = facts["signal"]?.integer() ?? 0
    let type: Int? = facts["exceptionType"]?.integer()
    guard signal != 0 || type != nil else { return nil }
    return CrashReport.Exception(
      type: type.flatMap { Self.exceptions[$0] } ?? SignalTable.darwin.exceptionType(signal),
      signal: signal == 0 ? "" : SignalTable.darwin.name(signal), signalNumber: signal,
      code: facts["exceptionCode"]?.integer() ?? 0)
  }

  private func hang(_ facts: JSONValue.Object, _ stacks: MetricKitStacks) -> CrashReport.Hang {
    var hang = CrashReport.Hang()
    hang.name = "main thread"
    hang.duration = Self.seconds(of: facts["hangDuration"]) ?? 0
    hang.severity = hang.duration >= 2 ? .fatal : hang.duration >= 0.5 ? .severe : .hang
    hang.agreeing = stacks.agreeing
    return hang
  }

  /// The seconds of a measurement: in words, as a number, or as a value with the symbol of its unit.
  static func seconds(of value: JSONValue?) -> Double? {
    if let text = value?.string { return seconds(text) }
    guard let object = value?.object else { return value?.double }
    guard let number = object["value"]?.double else { return nil }
    let unit = object["unit"]?.string ?? object["unit"]?.object?["symbol"]?.string ?? "s"
    return seconds(number, unit)
  }

  private static func seconds(_ value: Double, _ unit: some StringProtocol) -> Double? {
    switch unit.lowercased() {
    case "s", "sec", "secs", "second", "seconds": value
    case "ms", "msec": value / 1000
    case "min", "mins", "minute", "minutes": value * 60
    default: nil
    }
  }

  /// The seconds of a measurement in words: `20 sec`, `1,5 s`, `350 ms`, `1 min`; nil where that is not understood.
  static func seconds(_ text: String) -> Double? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    // A comma before three digits parts thousands; before fewer it is a decimal sign.
    let plain: String
    if let comma = number.lastIndex(of: ","), !number.contains(".") {
      let isThousands = number.distance(from: comma, to: number.endIndex) == 4
      plain = number.map { $0 == "," ? (isThousands ? "" : ".") : String($0) }.joined()
    } else {
      plain = number.filter { $0 != "," }
    }
    guard let value = Double(plain), value.isFinite else { return nil }
    let unit = text.dropFirst(number.count).drop { $0 == " " || $0 == "\u{a0}" }
    return seconds(value, unit)
  }
}
