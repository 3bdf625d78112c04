package import MPaaSCrashReport
import MPaaSSupport

/// Writes a report as the text that Apple's own tools make of an .ips file, column for column.
///
/// iOS and its relatives have one layout, macOS has another. Unlike `AppleText` it adds nothing of our own, keeps the
/// threads in the report's order, and says nothing of what the report does not have.
/// - Source: reports of iOS 15 and macOS 12 beside the .ips files that they were made from; "Interpreting the JSON
/// format
///   of a crash report", developer.apple.com.
package struct AppleCrashWriter {
  let report: CrashReport
  /// The members of the .ips body, but for threads and images.
  let body: JSONValue.Object
  let isMac: Bool
  var lines: [String] = []

  /// The text of a report: the one that it was read from with better frames put in, else a new one.
  ///
  /// Reports of systems that are not Apple's get the text that is shown for them, which has more sections.
  package static func text(of report: CrashReport) -> String {
    if let original = AppleCrashText.original(of: report) {
      let text = AppleCrashText.replacingFrames(in: original, with: report)
      // The first line of an .ips file is none of the text's.
      guard text.first == "{", let end = text.utf8.firstIndex(of: 0x0a) else { return text }
      return String(text[text.utf8.index(after: end)...])
    }
    guard isApple(report) else { return AppleText(report).lines.map { $0.text + "\n" }.joined() }
    return composed(report)
  }

  /// The text made anew from what the report holds.
  package static func composed(_ report: CrashReport) -> String {
    var writer = AppleCrashWriter(report)
    writer.write()
    return writer.lines.joined(separator: "\n") + "\n"
  }

  /// Tells whether a report tells of one of Apple's systems.
  package static func isApple(_ report: CrashReport) -> Bool {
    let name = report.system.name.lowercased()
    return ["mac", "ios", "iphone", "ipad", "tvos", "apple tv", "watch", "xros", "visionos", "bridgeos"]
      .contains { name.hasPrefix($0) }
  }

  private init(_ report: CrashReport) {
    self.report = report
    body = IPSOverlay.merge(IPSWriter.facts(of: report), report.extra)
    isMac = report.system.name.lowercased().hasPrefix("mac")
  }

  private mutating func write() {
    isMac ? writeMacHeader() : writeHeader()
    writeException()
    writeWords()
    for index in report.threads.indices { writeThread(index) }
    writeRegisters()
    writeImages()
    isMac ? writeSummaries() : add("", "EOF")
  }

  mutating func add(_ texts: String...) {
    lines += texts
  }

  /// A row of the header; nothing where there is no value.
  mutating func row(_ key: String, _ value: String?, width: Int? = nil) {
    guard let value, !value.isEmpty else { return }
    lines.append(Self.padded(key + ":", width ?? (isMac ? 23 : 21)) + value)
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }

  static func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }

  func string(_ name: String) -> String? { body[name]?.string }

  // MARK: Header

  private mutating func writeHeader() {
    row("Incident Identifier", report.incident)
    row("CrashReporter Key", string("crashReporterKey"))
    row("Hardware Model", report.system.model)
    writeProcess()
    let store = body["storeInfo"]?.object ?? [:]
    row("AppVariant", store["applicationVariant"]?.string)
    row("Code Type", codeType)
    row("Role", string("procRole"))
    row("Parent Process", named(report.process.parentName, report.process.parentPID.map { "\($0)" }))
    row("Coalition", named(string("coalitionName"), body["coalitionID"]?.line))
    add("")
    row("Date/Time", report.captured.text())
    row("Launch Time", report.launched?.text())
    row("OS Version", IPSWriter.osVersion(report.system))
    row("Release Type", body["osVersion"]?.object?["releaseType"]?.string)
    row("Baseband Version", string("basebandVersion"))
    row("Report Version", "104")
    add("")
  }

  private mutating func writeMacHeader() {
    writeProcess()
    row("Code Type", codeType)
    row("Parent Process", named(report.process.parentName, report.process.parentPID.map { "\($0)" }))
    row("Responsible", named(string("responsibleProc"), body["responsiblePid"]?.line))
    row("User ID", report.process.userID.map { "\($0)" })
    add("")
    row("Date/Time", report.captured.text())
    row("OS Version", IPSWriter.osVersion(report.system))
    row("Report Version", "12")
    let bridge = body["bridgeVersion"]?.object
    row(
      "Bridge OS Version",
      [bridge?["train"]?.string, bridge?["build"]?.string.map { "(\($0))" }]
        .compactMap { $0 }.joined(separator: " "))
    row("Anonymous UUID", string("crashReporterKey"))
    add("")
    row("Sleep/Wake UUID", string("sleepWakeUUID"))
    add("")
    row(
      "Time Awake Since Boot",
      report.process.systemUptime.flatMap { Int64(exactly: $0.rounded(.down)) }.map { "\($0) seconds" })
    row("Time Since Wake", body["wakeTime"].map { $0.line + " seconds" })
    add("")
    row("System Integrity Protection", string("sip"), width: 29)
    add("")
    if let index = report.faultingThread {
      let thread = report.threads.indices.contains(index) ? report.threads[index] : nil
      let names = [thread?.name, thread?.queue.map { "Dispatch queue: " + $0 }].compactMap { $0 }
      row("Crashed Thread", "\(index)" + (names.isEmpty ? "" : "  " + names.joined(separator: " ")))
      add("")
    }
  }

  private mutating func writeProcess() {
    row("Process", "\(report.process.name) [\(report.process.pid)]")
    row("Path", report.process.path)
    row("Identifier", report.application.identifier ?? report.process.name)
    let (version, build) = (report.application.version, report.application.build)
    row("Version", version.map { $0 + (build.map { " (\($0))" } ?? "") } ?? build.map { "??? (\($0))" } ?? "???")
  }

  private var codeType: String? {
    guard !report.process.cpuType.isEmpty else { return nil }
    return report.process.cpuType + (body["translated"]?.bool == true ? " (Translated)" : " (Native)")
  }

  func named(_ name: String?, _ number: String?) -> String? {
    guard let name else { return nil }
    return name + (number.map { " [\($0)]" } ?? "")
  }
}
