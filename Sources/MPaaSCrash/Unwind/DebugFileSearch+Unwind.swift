import MPaaSSupport
package import MPaaSSymbols

extension ReportFile {
  /// Reads the report in the file at `path` with what `search` finds of its images.
  ///
  /// The stacks of a dump are walked by their files' unwind information; any other report is what it was.
  ///
  /// - Parameter report: What `read(path)` gave.
  package static func walked(_ report: CrashReport, path: String, by search: DebugFileSearch) -> CrashReport {
    guard report.extra["minidump"] != nil, let bytes = try? Bytes.mapping(path),
      MinidumpReader.recognises(bytes.buffer)
    else { return report }
    defer { withExtendedLifetime(bytes) {} }
    return (try? MinidumpReader.read(bytes.buffer) { search.unwindFile(of: $0) }) ?? report
  }
}

extension DebugFileSearch {
  /// What the files of an image tell of unwinding; only files of the same build are taken.
  func unwindFile(of image: CrashReport.Image) -> UnwindFile? {
    let buildID = BuildID(hex: image.buildID)
    let finding = find(path: image.path.hasPrefix("/") ? image.path : nil, buildID: buildID)
    let found = [finding.executable, finding.debugFile].compactMap { $0?.image }
    guard let first = found.first, buildID != nil || first.buildID == nil,
      let source = UnwindSources(found.map(\.unwindSource))
    else { return nil }
    return UnwindFile(source: source, slide: image.base &- first.loadAddress)
  }
}
