package import MPaaSCrashReport
import MPaaSSupport

extension IPSReader {
  /// Reads the file's bytes: a header line and a body of JSON or text, or a body alone.
  ///
  /// - Throws: `ReportError` with line and offset for what is not JSON, with the member's path for a value of the wrong
  ///   kind where the report's structure hangs on it (`threads`, `frames`, `usedImages`).
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    guard let start = bytes.firstIndex(where: { !isSpace($0) }) else { throw ReportError(.empty) }
    let lineEnd = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    guard let bodyStart = bytes[lineEnd...].firstIndex(where: { !isSpace($0) }),
      case .object(let header)? = try? JSONValue(reading: UnsafeRawBufferPointer(rebasing: bytes[start..<lineEnd]))
    else {
      return try body(bytes, from: 0, header: nil)
    }
    guard bytes[bodyStart] == UInt8(ascii: "{") else { return try textBody(bytes, header: header) }
    return try body(bytes, from: lineEnd + 1, header: header)
  }

  /// A report whose body is text, as those of iOS before 15 are (`bug_type` 109), and those of hangs and resources.
  private static func textBody(
    _ bytes: UnsafeRawBufferPointer, header: JSONValue.Object
  ) throws(ReportError) -> CrashReport {
    var report = try AppleCrashText.read(bytes)
    let told = facts(header: header, body: [:])
    // A number that is not known says less than the text.
    if told.kind != .other || report.kind == .crash { report.kind = told.kind }
    if report.incident.isEmpty { report.incident = told.incident }
    if report.application.name.isEmpty { report.application.name = told.application.name }
    if report.application.identifier == nil { report.application.identifier = told.application.identifier }
    if report.system.name.isEmpty { report.system = told.system }
    if report.captured == CrashReport.Timestamp() { report.captured = told.captured }
    report.extraHeader = IPSOverlay.rest(of: header, after: IPSWriter.header(of: report))
    return report
  }
}
