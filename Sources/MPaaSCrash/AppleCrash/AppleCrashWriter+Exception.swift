import MPaaSCrashReport
import MPaaSSupport

extension AppleCrashWriter {
  mutating func writeException() {
    guard let exception = report.exception else { return }
    let words = body["exception"]?.object ?? [:]
    let type = exception.signal.isEmpty ? exception.type : "\(exception.type) (\(exception.signal))"
    detail("Exception Type", type, 17)
    detail(isMac ? "Exception Codes" : "Exception Subtype", words["subtype"]?.string, 19)
    detail("Exception Codes", words["codes"]?.string, 17)
    detail("Exception Message", words["message"]?.string, 19)
    if !isMac { detail("VM Region Info", vmRegionInfo, 16) }
    if body["isCorpse"] == 1 { detail("Exception Note", "EXC_CORPSE_NOTIFY", 17) }
    if isMac { add("") }
    writeTermination()
    if isMac, let vmRegionInfo { add("VM Region Info: " + vmRegionInfo, "") }
    if !isMac {
      add("")
      if let index = report.faultingThread { add("Triggered by Thread:  \(index)", "") }
    }
  }

  private var vmRegionInfo: String? {
    (string("vmRegionInfo") ?? string("vmregioninfo")).map(Self.withoutEnd)
  }

  private mutating func detail(_ key: String, _ value: String?, _ width: Int) {
    row(key, value, width: isMac ? 23 : width)
  }

  /// `SIGNAL 6 Abort trap: 6` on iOS, `Namespace SIGNAL, Code 6 Abort trap: 6` on macOS; details on lines of their own.
  private mutating func writeTermination() {
    guard let termination = body["termination"]?.object, let name = termination["namespace"]?.string else { return }
    // An indicator that was derived from the signal belongs to no other namespace.
    let isOwn = name == "SIGNAL" || report.extra["termination"]?.object?["indicator"] != nil
    let code = termination["code"]?.line ?? "0"
    let indicator = isOwn ? termination["indicator"]?.string ?? "" : ""
    let text = isMac ? "Namespace \(name), Code \(code) \(indicator)" : "\(name) \(code) \(indicator)"
    detail("Termination Reason", text, 20)
    lines += (termination["details"]?.array ?? termination["reasons"]?.array ?? []).compactMap(\.string)
    if let process = termination["byProc"]?.string {
      detail("Terminating Process", named(process, termination["byPid"]?.line), 21)
    }
    if isMac { add("") }
  }

  /// Writes the last words of the process, the kernel's facts, and the place of an exception's throw.
  mutating func writeWords() {
    if let triage = string("ktriageinfo") { add("Kernel Triage:", Self.withoutEnd(triage), "") }
    let words = report.lastWords.filter { $0.key != "stderr" }.sorted { $0.key < $1.key }.flatMap(\.value)
    if !words.isEmpty {
      add("Application Specific Information:")
      lines += words
      add("")
    }
    let traces = (body["asiBacktraces"]?.array ?? []).compactMap(\.string)
    for (index, trace) in traces.enumerated() {
      add("Application Specific Backtrace \(index):", Self.withoutEnd(trace), "")
    }
    // Apple prints the stack of an exception in one of both places.
    if traces.isEmpty, !report.lastExceptionBacktrace.isEmpty {
      add("Last Exception Backtrace:")
      writeFrames(report.lastExceptionBacktrace)
      add("")
    }
    if isMac, !words.isEmpty || !traces.isEmpty { add("") }
  }

  /// Without the newline at the end.
  static func withoutEnd(_ text: String) -> String {
    text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Writes the actions of other processes to this one, and its memory.
  mutating func writeSummaries() {
    if let mods = body["extMods"]?.object {
      add("", "External Modification Summary:")
      let groups = [
        ("targeted", "Calls made by other processes targeting this process:"),
        ("caller", "Calls made by this process:"), ("system", "Calls made by all processes on this machine:"),
      ]
      for (name, title) in groups {
        let counts = mods[name]?.object ?? [:]
        add("  " + title)
        for call in ["task_for_pid", "thread_create", "thread_set_state"] {
          add("    \(call): \(counts[call]?.line ?? "0")")
        }
      }
    }
    if let summary = string("vmSummary") { add("", "VM Region Summary:", Self.withoutEnd(summary)) }
  }
}
