package import MPaaSCrashReport
import MPaaSSupport

/// The diagnostics that the system gives an app of its own crashes, hangs and excesses: the JSON of `MXDiagnosticPayload`.
///
///     {"timeStampBegin": …, "hangDiagnostics": [{"callStackTree": {"callStackPerThread": …, "callStacks": […]},
///      "diagnosticMetaData": {"hangDuration": "20 sec", …}}], "crashDiagnostics": […], …}
///
/// - Source: `MXDiagnosticPayload` and its subclasses of `MXDiagnostic`, `jsonRepresentation()`, of iOS 14 to 26.
package enum MetricKitPayload {
  /// The lists of a payload, with the kind of their reports.
  private static let lists: [(name: String, kind: CrashReport.Kind)] = [
    ("crashDiagnostics", .crash), ("hangDiagnostics", .hang), ("cpuExceptionDiagnostics", .cpuUsage),
    ("diskWriteExceptionDiagnostics", .diskWrites), ("appLaunchDiagnostics", .other),
  ]

  /// Frames lie in one another, two levels each: some 300 of them.
  private static let nested = JSONRules(depth: 640, isStrict: false)

  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard IPSReader.recognises(bytes) else { return false }
    let names = TopLevelNames(bytes).names
    return lists.contains { names.contains($0.name) }
  }

  /// The reports of a payload, in its order.
  ///
  /// - Throws: `ReportError` with the place of what is no JSON, or the path of a member of the wrong kind.
  package static func reports(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> [CrashReport] {
    let payload = try IPSReader.object(bytes, by: Self.nested)
    let end = CrashReport.Timestamp(payload["timeStampEnd"]) ?? CrashReport.Timestamp(payload["timeStampBegin"])
    var reports: [CrashReport] = []
    for list in lists {
      guard let value = payload[list.name] else { continue }
      guard let elements = value.array else {
        throw ReportError(.wrongKind(path: list.name, expected: "array", found: value.kind))
      }
      for (index, element) in elements.enumerated() {
        let path = "\(list.name)[\(index)]"
        guard let object = element.object else {
          throw ReportError(.wrongKind(path: path, expected: "object", found: element.kind))
        }
        var report = try MetricKitDiagnostic(object, kind: list.kind, path: path).report
        report.captured = end ?? CrashReport.Timestamp()
        // The same payload always gives the same reports.
        reports.append(report)
      }
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
