package import MPaaSCrashReport
import MPaaSSupport

/// The diagnostics that the system gives an app of its own crashes, hangs and excesses, in each of their layouts as JSON.
///
///     {"timeStampBegin": …, "hangDiagnostics": [{"callStackTree": {"callStackPerThread": …, "callStacks": […]},
///      "diagnosticMetaData": {"hangDuration": "20 sec", …}}], "crashDiagnostics": […], …}
///
/// - Source: `MXDiagnosticPayload` and its subclasses of `MXDiagnostic`, `jsonRepresentation()`, of iOS 14 to 26;
///   `DiagnosticReport` of iOS 27 as `JSONEncoder` writes it; the logs of App Store Connect.
package enum MetricKitPayload {
  /// The lists of a payload, with the kind of their reports.
  private static let lists: [(name: String, kind: CrashReport.Kind)] = [
    ("crashDiagnostics", .crash), ("hangDiagnostics", .hang), ("cpuExceptionDiagnostics", .cpuUsage),
    ("diskWriteExceptionDiagnostics", .diskWrites), ("appLaunchDiagnostics", .other),
  ]

  /// Frames lie in one another, two levels each: some 300 of them.
  private static let nested = JSONRules(depth: 640, isStrict: false)

  private enum Layout {
    case payload, report, diagnostic, logs

    init?(_ names: Set<String>) {
      if lists.contains(where: { names.contains($0.name) }) {
        self = .payload
      } else if names.isSuperset(of: ["timeRange", "environment"]) {
        self = .report
      } else if names.contains("callStackTree") {
        self = .diagnostic
      } else if names.contains("productData"), !names.contains("insights") {
        // With insights they are metrics of App Store Connect.
        self = .logs
      } else {
        return nil
      }
    }
  }

  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    IPSReader.recognises(bytes) && Layout(TopLevelNames(bytes).names) != nil
  }

  /// The reports of a payload, in its order.
  ///
  /// The same payload always gives the same reports.
  ///
  /// - Throws: `ReportError` with the place of what is no JSON, or the path of a member of the wrong kind.
  package static func reports(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> [CrashReport] {
    let root = try IPSReader.object(bytes, by: nested)
    let entries: [MetricKitEntry]
    switch Layout(Set(root.keys)) {
    case .report: entries = [MetricKitEntry(report: root)]
    case .diagnostic: entries = [MetricKitEntry(diagnostic: root)]
    case .logs: entries = try MetricKitEntry.logs(root)
    case .payload, nil: entries = try MetricKitEntry.payload(root, lists)
    }
    var reports: [CrashReport] = []
    for entry in entries {
      var report = try MetricKitDiagnostic(entry).report
      report.captured = entry.captured ?? CrashReport.Timestamp()
      reports.append(report)
    }
    return reports
  }

  /// The first report of a payload, with a note of how many others there are.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    let reports = try reports(bytes)
    guard var first = reports.first else { throw ReportError(.missing(path: "diagnostics")) }
    if reports.count > 1 { first.notes.append("The payload has \(reports.count - 1) more diagnostics.") }
    return first
  }
}
