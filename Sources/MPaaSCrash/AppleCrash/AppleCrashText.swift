package import MPaaSCrashReport
import MPaaSSupport

/// Reports as text: Apple's `.crash` files of all report versions, and what other reporters print in that form.
///
/// The text itself is kept as `apple_text.text` in the report's `extra`, so that nothing of it is lost and it can be
/// written again line for line; what the model or an .ips body has a place for is put there too.
/// - Source: "Examining the fields in a crash report", developer.apple.com; TN2123 and TN2151 for older forms.
package enum AppleCrashText {
  /// Tells whether the bytes begin like such a report: one of its header's rows is among the first lines.
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let head = [UInt8](bytes.prefix(4096))[...]
    return head.split(separator: 0x0a).prefix(40).contains { line in
      keys.contains { line.after($0) != nil } || titles.contains { line.trimmed.elementsEqual($0.utf8) }
    }
  }

  private static let keys: [StaticString] = [
    "Incident Identifier:", "Process: ", "Exception Type:", "Crashed Thread:", "Report Version:",
    "Triggered by Thread:",
    "Hardware Model:", "CrashReporter Key:", "Heaviest stack for ", "Date/Time: ", "Binary Images:",
    "Thread 0 Crashed:",
  ]
  private static let titles = ["Translated Report (Full Report Below)", "Last Exception Backtrace:", "Thread 0:"]

  /// Reads the text; where the JSON that it was translated from stands below it, that counts.
  ///
  /// - Throws: `ReportError` where the text has neither header rows nor stacks, or the JSON below it is broken.
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    let layout = AppleCrashLayout([UInt8](bytes))
    let text = String(decoding: bytes, as: UTF8.self)
    if let json = layout.json {
      var report = try IPSReader.body(bytes, from: json.lowerBound, header: [:])
      keep(["text": .string(text)], in: &report)
      return report
    }
    var report = CrashReport()
    report.origin = .foreign
    if SpindumpText.isOne(layout) {
      report = SpindumpText.report(layout)
    } else {
      guard layout.fields.count > 1 || !layout.threads.isEmpty || !layout.images.isEmpty else {
        throw ReportError(.noStacks)
      }
      fill(&report, from: layout)
    }
    keep(["text": .string(text)], in: &report)
    return report
  }

  /// Puts members into the report's `apple_text`.
  static func keep(_ members: JSONValue.Object, in report: inout CrashReport) {
    report.extra = IPSOverlay.merge(report.extra, ["apple_text": .object(members)])
  }

  /// The text that the report was read from; nil where it was read from something else.
  package static func original(of report: CrashReport) -> String? {
    report.extra["apple_text"]?.object?["text"]?.string
  }
}
