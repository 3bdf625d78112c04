package import MPaaSCrashReport
package import MPaaSSupport

/// Places for the reports of captured crashes: the file that was asked for, or names in a folder.
package struct CapturePlaces: Sendable {
  private let output: String?
  private let folder: String

  /// Makes the folder, so that a place that cannot be written to is found before anything is captured.
  ///
  /// - Parameters:
  ///   - output: The file that was asked for; nil names each report in the folder.
  ///   - folder: Of all captured reports.
  /// - Throws: `FileError` where it cannot be made or written to.
  package init(output: String?, folder: String) throws(FileError) {
    self.output = output
    if let output {
      self.folder = output.contains("/") ? String(output[..<(output.lastIndex(of: "/") ?? output.startIndex)]) : "."
      try Self.probe(self.folder.isEmpty ? "/" : self.folder)
    } else {
      self.folder = folder
      try Directories.create(folder)
      try Self.probe(folder)
    }
  }

  private static func probe(_ folder: String) throws(FileError) {
    guard let refusal = FileError.ofWriting(in: folder) else { return }
    throw refusal
  }

  /// The place of the next report; a second one with a given name gets its process' number as well.
  func path(of report: CrashReport, isFirst: Bool) -> String {
    let process = report.process
    guard let output else {
      let digits = report.captured.text(digits: 3).prefix(23).filter(\.isNumber)
      let name = process.name.isEmpty ? "process" : process.name.map { $0 == "/" ? "_" : String($0) }.joined()
      return "\(folder)/\(name)-\(digits)-\(process.pid).ips"
    }
    if isFirst { return output }
    let suffix = output.hasSuffix(".ips") ? ".ips" : ""
    return "\(output.dropLast(suffix.count))-\(process.pid)\(suffix)"
  }
}

extension TracedRun {
  /// A report that stands in a file.
  package struct Kept: Sendable {
    package let path: String
    package let report: CrashReport
  }

  /// Runs the program to its end, and writes each report as soon as it is made.
  ///
  /// - Returns: How the program ended, the reports in the order of the crashes, and why others could not be written.
  package func run(
    keeping places: CapturePlaces
  ) throws(CaptureError) -> (outcome: Outcome, kept: [Kept], problems: [FileError]) {
    var kept: [Kept] = []
    var problems: [FileError] = []
    let outcome = try run { report in
      let path = places.path(of: report, isFirst: kept.isEmpty)
      do throws(FileError) {
        // At once, while the process stands still: whatever happens then, there is a report.
        try IPSWriter.write(report, to: path)
        kept.append(Kept(path: path, report: report))
      } catch {
        problems.append(error)
      }
    }
    return (outcome, kept, problems)
  }
}
