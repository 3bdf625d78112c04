import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport

/// The facts that lists and groups show of a crash: all that is kept beside the report itself.
struct CrashSummary: Sendable, Equatable {
  /// 32 lower-case hexadecimal digits where the report names itself so; else a digest of its bytes.
  var event: String
  /// The format's name, as `crash convert` has it.
  var format: String
  /// As `crash group` prints it.
  var group: String
  var strategy: String
  var kind: String
  var exception: String
  /// The event in a line.
  var title: String
  /// The call that the group is named by; empty without a name.
  var function: String
  var module: String
  /// `Cart.swift:12`; empty without lines.
  var place: String
  var process: String
  var version: String
  var system: String
  var device: String
  var user: String
  /// `fatal`, `error` …; empty where the report has none.
  var level: String
  var environment: String
  /// Seconds since 1970 by the device's clock; 0 where the report does not tell.
  var captured: Double
  /// The facts that issues are searched by.
  var facts: IssueFacts
  /// The images that the deciding stack lacks names of.
  var missing: [MissingImage]

  /// The number of characters that the store keeps of each text of a report.
  private static let longest = 300

  init(
    _ report: CrashReport, format: String, event: String, _ classifier: inout FrameClassifier
  ) {
    let fingerprint = Fingerprint(report, &classifier)
    let sentry = report.extra["sentry"]?.object ?? .init()
    self.event = event
    self.format = format
    group = Self.group(fingerprint, report, sentry, classifier.rules).description
    strategy = fingerprint.strategy.rawValue
    kind = report.kind.rawValue
    exception = Self.cut(fingerprint.exception)
    let blamed = fingerprint.blamed
    function = Self.cut(blamed?.name ?? "")
    module = Self.cut(blamed?.module ?? "")
    place = Self.cut(Self.place(of: blamed, fingerprint, report))
    let subject = sentry["transaction"]?.string ?? sentry["culprit"]?.string
    let other = fingerprint.exception == "none" ? subject.flatMap { $0.isEmpty ? nil : $0 } : nil
    title = Self.cut(Self.message(report, sentry) ?? other ?? fingerprint.exception)
    process = Self.cut(report.process.name.isEmpty ? report.application.name : report.process.name)
    version = Self.cut(report.versionText)
    system = Self.cut(IPSWriter.osVersion(report.system))
    device = Self.cut(report.system.model ?? "")
    let person = sentry["user"]?.object ?? .init()
    let names = ["id", "username", "email"].lazy.compactMap { IssueFacts.text(person[$0]) }
    user = Self.cut(report.application.userIDHash ?? names.first { !$0.isEmpty } ?? "")
    level = Self.cut(sentry["level"]?.string ?? "")
    environment = Self.cut(sentry["environment"]?.string ?? "")
    facts = IssueFacts(report, fingerprint, title: title, place: place)
    missing = MissingImage.all(of: report, fingerprint)
    captured = Double(report.captured.seconds) + Double(report.captured.nanoseconds) / 1e9
  }

  /// The group by the stack; by what a Sentry event asks for, or by its message, where there is no stack.
  private static func group(
    _ fingerprint: Fingerprint, _ report: CrashReport, _ sentry: JSONValue.Object, _ rules: GroupingRules
  ) -> GroupID {
    let parts = sentry["fingerprint"]?.array?.compactMap(\.string) ?? []
    let standard = ["{{ default }}", "{{default}}"]
    if !parts.isEmpty, !parts.allSatisfy(standard.contains) {
      var hash = StableHash()
      hash.add("fingerprint")
      for part in parts { hash.add(standard.contains(part) ? fingerprint.group.description : part) }
      return Fingerprint.placed(GroupID(hash: hash.value), fingerprint.units, report, rules).0
    }
    // A message with a stack attached says what it is about itself; where it was sent from does not.
    let isMessage = !sentry.isEmpty && report.thrown == nil && report.exception == nil
    guard fingerprint.strategy == .none || isMessage else { return fingerprint.group }
    let entry = sentry["logentry"]?.object ?? sentry["message"]?.object ?? .init()
    let text = entry["message"]?.string ?? sentry["message"]?.string ?? report.thrown?.name
    guard let text, !text.isEmpty else { return fingerprint.group }
    var hash = StableHash()
    for part in ["message", text, sentry["transaction"]?.string ?? "", sentry["logger"]?.string ?? ""] {
      hash.add(part)
    }
    return Fingerprint.placed(GroupID(hash: hash.value), fingerprint.units, report, rules).0
  }

  private static func message(_ report: CrashReport, _ sentry: JSONValue.Object) -> String? {
    if let thrown = report.thrown {
      return thrown.name + (thrown.reason.flatMap { $0.isEmpty ? nil : ": " + $0 } ?? "")
    }
    if let message = CrashText.message(report) { return message }
    if let exception = report.exception { return CrashText.cause(exception) }
    let entry = sentry["logentry"]?.object ?? sentry["message"]?.object ?? .init()
    return entry["formatted"]?.string ?? entry["message"]?.string ?? sentry["message"]?.string
  }

  private static func place(of unit: Fingerprint.Unit?, _ fingerprint: Fingerprint, _ report: CrashReport) -> String {
    guard let unit, let stack = fingerprint.stack, let index = unit.call else { return "" }
    let frames = report[stack: stack]
    guard frames.indices.contains(unit.frame), frames[unit.frame].calls.indices.contains(index) else { return "" }
    let call = frames[unit.frame].calls[index]
    guard let file = call.file, let name = file.split(separator: "/").last else { return "" }
    return name + (call.line.map { ":\($0)" } ?? "")
  }

  private static func cut(_ text: String) -> String { IssueFacts.kept(text, longest) }
}
