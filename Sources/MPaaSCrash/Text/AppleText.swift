package import MPaaSCrashReport
import MPaaSSupport

/// The classic text form of a crash report, as Apple's `.crash` files have it.
///
/// Source: "Examining the fields in a crash report", developer.apple.com; what Linux adds stands in sections of its
/// own.
package struct AppleText: Sendable {
  package struct Options: Sendable {
    /// Tells whether neighbouring threads with the same stack are shown once.
    package var foldsThreads = false
    /// Tells whether frames name their source file with its folders.
    package var showsFullPaths = false
    /// Lines of source before and after the one that crashed; nil shows no source.
    package var sourceContext: Int?
    /// Tells whether the images are listed.
    package var showsImages = true

    package init() {}
  }

  let report: CrashReport
  let options: Options
  let source: @Sendable (String) -> SourceText?

  /// - Parameter source: Gives the text of a source file by the path in the debug information; nil where it is not at
  /// hand.
  package init(
    _ report: CrashReport, options: Options = Options(),
    source: @escaping @Sendable (String) -> SourceText? = { _ in nil }
  ) {
    self.report = report
    self.options = options
    self.source = source
  }

  /// All lines of the report.
  package var lines: [ReportLine] {
    let sections =
      [header, exception] + lastWords + [hang, luaStack, snippet, lastExceptionBacktrace] + threads + [
        registers, breadcrumbs, notes, images,
      ]
    return Array(sections.filter { !$0.isEmpty }.joined(separator: [ReportLine()]))
  }

  private var header: [ReportLine] {
    let process = report.process
    var lines = [
      row("Incident Identifier", report.incident), row("Hardware Model", report.system.model),
      row("Process", "\(process.name) [\(process.pid)]"), row("Path", process.path, .path),
      row("Identifier", report.application.identifier), row("Version", version),
      row("App Key", report.application.appKey), row("User Hash", report.application.userIDHash),
      row("Code Type", process.cpuType),
      row("Parent Process", named(process.parentName, process.parentPID)),
      row("User ID", process.userID.map { "\($0)" }), [ReportLine()],
      row("Date/Time", report.captured.text()), row("Launch Time", report.launched?.text()),
      row("OS Version", IPSWriter.osVersion(report.system)), row("Kernel Version", report.system.kernel),
      row("Report Version", "104"), row("Report Kind", report.kind == .crash ? nil : report.kind.rawValue),
      row("Captured", captured),
    ]
    let memory = [
      row("Time Since Boot", process.systemUptime.map(seconds)), row("Process Uptime", process.uptime.map(seconds)),
      row("Resident Memory", process.residentMemory.map(bytes)), row("Free Memory", process.freeMemory.map(bytes)),
    ].flatMap { $0 }
    if !memory.isEmpty { lines += [[ReportLine()], memory] }
    return lines.flatMap { $0 }
  }

  private var version: String? {
    switch (report.application.version, report.application.build) {
    case (let version?, let build?): "\(version) (\(build))"
    case (let version?, nil): version
    case (nil, let build?): "(\(build))"
    case (nil, nil): nil
    }
  }

  private var captured: String? {
    let words: String? =
      switch report.origin {
      case .inProcess: "in the process"
      case .traced: "from outside"
      case .attached: "from outside, the process lived on"
      case .core: "from a core file"
      case .foreign: nil
      }
    return words.map { $0 + (report.isPartial ? ", cut short" : "") }
  }

  private func seconds(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    guard let whole = Int64(exactly: hundredths) else { return "\(value) seconds" }
    let fraction = whole % 100
    return "\(whole / 100).\(fraction < 10 ? "0" : "")\(fraction) seconds"
  }

  private func bytes(_ value: UInt64) -> String {
    "\(value / (1 << 20)) MB"
  }

  private func named(_ name: String?, _ pid: Int32?) -> String? {
    guard name != nil || pid != nil else { return nil }
    return "\(name ?? "???") [\(pid.map { "\($0)" } ?? "?")]"
  }

  /// A header line; nothing where there is no value.
  private func row(_ key: String, _ value: String?, _ role: ReportLine.Role = .plain) -> [ReportLine] {
    guard let value, !value.isEmpty else { return [] }
    var line = ReportLine(key + ":", .heading)
    line.pad(to: 21)
    line.append(value, role)
    return [line]
  }

  private var exception: [ReportLine] {
    func row(_ key: String, _ value: String?, _ role: ReportLine.Role = .plain) -> [ReportLine] {
      guard let value else { return [] }
      var line = ReportLine(key + ":", .heading)
      line.pad(to: 20)
      line.append(value, role)
      return [line]
    }
    let thrown = report.thrown.map { thrown in thrown.name + (thrown.reason.map { ": " + $0 } ?? "") }
    guard let exception = report.exception else { return row("Uncaught Exception", thrown, .crashed) }
    let type = exception.signal.isEmpty ? exception.type : "\(exception.type) (\(exception.signal))"
    // A foreign report's own words count, where it has any.
    let words = IPSOverlay.merge(IPSWriter.exception(exception), report.extra["exception"]?.object ?? [:])
    return row("Exception Type", type, .crashed)
      + row("Uncaught Exception", thrown, .crashed)
      + row("Exception Subtype", words["subtype"]?.string)
      + row("Exception Codes", words["codes"]?.string, .address)
      + row("Termination Reason", termination(exception))
      + row("Sent by", exception.senderPID.map { "process [\($0)]" })
      + row("Triggered by Thread", report.faultingThread.map { "\($0)" })
  }

  /// `SIGNAL 11 Segmentation fault: 11`, and what a foreign report says in more detail.
  private func termination(_ exception: CrashReport.Exception) -> String? {
    let written = IPSWriter.termination(exception)?.object ?? [:]
    let object = IPSOverlay.merge(written, report.extra["termination"]?.object ?? [:])
    guard let name = object["namespace"]?.string else { return nil }
    // The indicator that we would write belongs to a signal; other namespaces have their own, or none.
    let isForeign = name != written["namespace"]?.string && object["indicator"] == written["indicator"]
    let words = [name, object["code"]?.line, isForeign ? nil : object["indicator"]?.string]
    let details = (object["details"]?.array ?? []).compactMap(\.string)
    return (words.compactMap { $0 } + details).joined(separator: " ")
  }

  private var lastWords: [[ReportLine]] {
    if report.lastWords.isEmpty { return [] }
    var lines = [ReportLine("Application Specific Information:", .heading)]
    for (image, texts) in report.lastWords.sorted(by: { $0.key < $1.key }) {
      let words = texts.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
      let isOutput = image == "stderr"
      if report.lastWords.count > 1 || isOutput { lines.append(ReportLine("\(image):", .image)) }
      let shown = isOutput ? words.suffix(Self.outputLines) : words[...]
      if shown.count < words.count {
        lines.append(ReportLine("(\(words.count - shown.count) lines before)", .faint))
      }
      lines += shown.map { ReportLine($0, isOutput ? .plain : .crashed) }
    }
    return [lines]
  }

  /// The number of the newest lines of standard error that are shown.
  private static let outputLines = 12

  private var hang: [ReportLine] { report.hang.map(HangText.lines) ?? [] }

  private var luaStack: [ReportLine] {
    guard !report.luaStack.isEmpty else { return [] }
    return [ReportLine("Lua Stack:", .heading)]
      + report.luaStack.enumerated().map { index, frame in
        var line = ReportLine("\(index)  ", .faint)
        line.append(frame.patch + "  ")
        line.append(frame.file + (frame.line.map { ":\($0)" } ?? ""), .path)
        if !frame.function.isEmpty { line.append("  " + frame.function) }
        return line
      }
  }

  private var breadcrumbs: [ReportLine] {
    guard !report.breadcrumbs.isEmpty else { return [] }
    return [ReportLine("Breadcrumbs:", .heading)]
      + report.breadcrumbs.map { crumb in
        var line = ReportLine(crumb.time.text(), .faint)
        line.append("  " + crumb.name)
        return line
      }
  }

  private var notes: [ReportLine] {
    guard !report.notes.isEmpty else { return [] }
    return [ReportLine("Report Notes:", .heading)] + report.notes.map { ReportLine($0) }
  }
}
