import MPaaSCrashReport
import MPaaSSupport

/// A diagnostic as it stands in a file, whatever layout the file has.
struct MetricKitEntry {
  /// The place, for errors; empty where it is the whole file.
  var path = ""
  let kind: CrashReport.Kind
  /// By the names that `diagnosticMetaData` has in `MXDiagnosticPayload`.
  let facts: JSONValue.Object
  /// The value of `callStackTree`.
  let tree: JSONValue?
  var captured: CrashReport.Timestamp?

  /// The path of a member.
  func path(of member: String) -> String { path.isEmpty ? member : "\(path).\(member)" }

  /// The kind of a diagnostic by what was measured in it; nil where that is no one kind's.
  static func kind(measured facts: JSONValue.Object) -> CrashReport.Kind? {
    if facts["hangDuration"] != nil { return .hang }
    if facts["totalCPUTime"] != nil { return .cpuUsage }
    if ["writesCaused", "totalWritesCaused", "totalBytesWritten"].contains(where: { facts[$0] != nil }) {
      return .diskWrites
    }
    if facts["launchDuration"] != nil { return .other }
    if ["signal", "exceptionType", "exceptionCode"].contains(where: { facts[$0] != nil }) { return .crash }
    return nil
  }

  /// The kinds by the cases of `DiagnosticResult`.
  private static let cases: [String: CrashReport.Kind] = [
    "crash": .crash, "hang": .hang, "cpuException": .cpuUsage, "diskWriteException": .diskWrites, "appLaunch": .other,
    "memoryException": .other,
  ]
}

extension MetricKitEntry {
  /// One `MXDiagnostic`, one of the diagnostics of iOS 27 (`HangDiagnostic` …), or a call-stack tree alone.
  init(diagnostic root: JSONValue.Object) {
    var facts = root["diagnosticMetaData"]?.object ?? root
    facts["callStackTree"] = nil
    facts["version"] = nil
    self.init(kind: Self.kind(measured: facts) ?? .other, facts: facts, tree: root["callStackTree"])
  }

  /// A `DiagnosticReport` of iOS 27: the time, the environment, and a diagnostic at the top or below the name of its kind.
  init(report root: JSONValue.Object) {
    let found = Self.diagnostic(in: root, depth: 2) ?? (path: "", object: root, kind: nil)
    var facts = found.object
    for name in ["callStackTree", "environment", "timeRange", "version"] { facts[name] = nil }
    let kind = Self.kind(measured: facts) ?? found.kind ?? Self.named(in: root) ?? .other
    facts.merge(Self.facts(ofEnvironment: root["environment"]?.object ?? [:])) { own, _ in own }
    self.init(
      path: found.path, kind: kind, facts: facts, tree: found.object["callStackTree"], captured: Self.end(of: root))
  }

  /// The object that has the stacks, with the kind that the names of the way there tell.
  private static func diagnostic(
    in object: JSONValue.Object, depth: Int
  ) -> (path: String, object: JSONValue.Object, kind: CrashReport.Kind?)? {
    if object["callStackTree"] != nil { return ("", object, nil) }
    guard depth > 0 else { return nil }
    for (name, value) in object.sortedByName {
      guard let inner = value.object, let found = diagnostic(in: inner, depth: depth - 1) else { continue }
      return (found.path.isEmpty ? name : "\(name).\(found.path)", found.object, cases[name] ?? found.kind)
    }
    return nil
  }

  /// The kind that a member's value names.
  private static func named(in object: JSONValue.Object) -> CrashReport.Kind? {
    for (_, value) in object.sortedByName {
      if let name = value.string, let kind = cases[name] { return kind }
    }
    return nil
  }

  private static func facts(ofEnvironment environment: JSONValue.Object) -> JSONValue.Object {
    var facts = environment
    facts["appVersion"] = facts.removeValue(forKey: "applicationVersion")
    facts["appBuildVersion"] = facts.removeValue(forKey: "applicationBuildVersion")
    if let system = environment["osVersion"]?.object {
      let name = [system["platform"], system["number"]].compactMap { $0?.string }.joined(separator: " ")
      let build = system["buildNumber"]?.string.map { " (\($0))" } ?? ""
      facts["osVersion"] = .string(name + build)
    }
    return facts
  }

  /// The seconds from 1970 to 2001, where Swift's times begin.
  private static let reference = 978_307_200.0

  private static func end(of root: JSONValue.Object) -> CrashReport.Timestamp? {
    guard let range = root["timeRange"]?.object else { return nil }
    let value = range["end"] ?? range["begin"]
    guard let seconds = value?.double else { return CrashReport.Timestamp(value) }
    // Such reports are of 2026 and later: what is more counts from 1970.
    return CrashReport.Timestamp(JSONValue(seconds < 1.5e9 ? seconds + reference : seconds))
  }
}

extension MetricKitEntry {
  /// The words that events have, by kinds.
  private static let events: [(word: String, kind: CrashReport.Kind)] = [
    ("hang", .hang), ("disk", .diskWrites), ("cpu", .cpuUsage),
  ]

  /// The diagnostics of App Store Connect's logs, which Xcode's organizer shows.
  ///
  ///     {"productData": [{"signatureId": …, "diagnosticLogs": [{"diagnosticMetaData": {"event": "hang", …},
  ///      "callStackTree": [{"callStacks": […]}]}]}]}
  ///
  /// - Source: Apple, "App Store Connect API", DiagnosticLogs.
  static func logs(_ root: JSONValue.Object) throws(ReportError) -> [MetricKitEntry] {
    var entries: [MetricKitEntry] = []
    for (index, product) in try elements(root["productData"], "productData").enumerated() {
      let path = "productData[\(index)].diagnosticLogs"
      for (index, log) in try elements(product["diagnosticLogs"], path).enumerated() {
        var facts = log["diagnosticMetaData"]?.object ?? [:]
        facts["bundleIdentifier"] = facts.removeValue(forKey: "bundleId")
        facts["appBuildVersion"] = facts.removeValue(forKey: "buildVersion")
        let event = facts["event"]?.string?.lowercased() ?? ""
        let told = events.first { event.contains($0.word) }?.kind
        if told == .hang, let detail = facts["eventDetail"] { facts["hangDuration"] = detail }
        let kind = told ?? Self.kind(measured: facts) ?? .other
        entries.append(
          MetricKitEntry(path: "\(path)[\(index)]", kind: kind, facts: facts, tree: log["callStackTree"]))
      }
    }
    return entries
  }

  private static func elements(_ value: JSONValue?, _ path: String) throws(ReportError) -> [JSONValue.Object] {
    guard let value else { throw ReportError(.missing(path: path)) }
    guard let array = value.array else {
      throw ReportError(.wrongKind(path: path, expected: "array", found: value.kind))
    }
    var objects: [JSONValue.Object] = []
    for (index, element) in array.enumerated() {
      guard let object = element.object else {
        throw ReportError(.wrongKind(path: "\(path)[\(index)]", expected: "object", found: element.kind))
      }
      objects.append(object)
    }
    return objects
  }

  /// The diagnostics of `MXDiagnosticPayload`, whose lists have the kinds.
  static func payload(
    _ root: JSONValue.Object, _ lists: [(name: String, kind: CrashReport.Kind)]
  ) throws(ReportError) -> [MetricKitEntry] {
    let end = CrashReport.Timestamp(root["timeStampEnd"]) ?? CrashReport.Timestamp(root["timeStampBegin"])
    var entries: [MetricKitEntry] = []
    for list in lists where root[list.name] != nil {
      for (index, object) in try elements(root[list.name], list.name).enumerated() {
        entries.append(
          MetricKitEntry(
            path: "\(list.name)[\(index)]", kind: list.kind, facts: object["diagnosticMetaData"]?.object ?? [:],
            tree: object["callStackTree"], captured: end))
      }
    }
    return entries
  }
}
