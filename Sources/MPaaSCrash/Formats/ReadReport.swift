package import MPaaSCrashReport

/// A report as it was read: with the bytes that it is in, and their format.
package struct ReadReport {
  package let report: CrashReport
  /// The format of the bytes; nil for a report that is a folder, and for one of which only a part was read.
  package let format: ReportFile.Format?
  /// The bytes, valid as long as the caller of the reader keeps them; none of a report that is a folder.
  package let bytes: UnsafeRawBufferPointer

  init(
    _ report: CrashReport, format: ReportFile.Format? = nil,
    bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    self.report = report
    self.format = format
    self.bytes = bytes
  }

  /// The report with symbols in the format that it was read from; nil where that cannot hold them.
  ///
  /// - Parameter report: The same report with symbols. Where it has the same calls, the bytes stay as they are.
  package func rewritten(with report: CrashReport) throws -> [UInt8]? {
    guard let rewrite = format?.rewrite else { return nil }
    return report.hasCalls(of: self.report) ? Array(bytes) : try rewrite(bytes, report)
  }
}
