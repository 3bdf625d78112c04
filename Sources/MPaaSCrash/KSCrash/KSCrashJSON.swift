package import MPaaSCrashReport
import MPaaSSupport

/// Reports of KSCrash 1 to 3, and of what grew out of it (Bugsnag, Sentry's SDK for Apple systems, Embrace).
///
/// All members that the model has no place for are kept as `kscrash` in the `extra` of the report, thread, frame or image.
/// - Source: KSCrash `KSCrashReportFields.h`; the forks add members and may lack `crash`, `threads` or `binary_images`.
package enum KSCrashJSON {
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard IPSReader.recognises(bytes) else { return false }
    let top = TopLevelNames(bytes)
    let parts = ["crash", "system", "binary_images", "recrash_report", "user_atcrash"]
    return top.names.contains("recrash_report")
      || (top.names.contains("report") && parts.contains(where: top.names.contains))
  }

  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    try report(IPSReader.object(bytes))
  }

  /// The report that an object tells; where the reporter itself crashed, the one that it was writing then.
  static func report(_ object: JSONValue.Object) throws(ReportError) -> CrashReport {
    guard let first = object["recrash_report"]?.object, first["crash"] != nil, first["recrash_report"] == nil else {
      return try KSCrashReader(object).read()
    }
    var report = try KSCrashReader(first).read()
    var second = object
    second["recrash_report"] = nil
    report.isPartial = true
    report.notes.append("The reporter crashed while it wrote this report.")
    report.extra = IPSOverlay.merge(report.extra, ["kscrash": ["recrash": .object(second)]])
    return report
  }
}
