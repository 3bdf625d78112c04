package import MPaaSCrashReport
package import MPaaSSupport

/// Reports that get symbols one after the other, each with its file where they go to files.
package struct ReportSymbolication: Sendable {
  /// A report that got symbols.
  package struct Entry: Sendable {
    /// The name that it was read by.
    package let name: String
    package let report: CrashReport
    /// The images that symbols are missing for.
    package let missing: [MissingSymbols]
    /// The file that it goes to; nil where it is printed, or has none.
    package let file: PlacedReport?
    /// True for a report of an archive, which has no file to go back to.
    package let hasNoFile: Bool
  }

  private let symbolicator: ReportSymbolicator
  private let placement: ReportPlacement?
  /// The images that symbols are missing for in all reports so far.
  package private(set) var summary = MissingSummary()

  /// - Parameter placement: Finds the files; nil for reports that are printed.
  package init(by symbolicator: ReportSymbolicator, to placement: ReportPlacement?) {
    self.symbolicator = symbolicator
    self.placement = placement
  }

  /// Gives a report symbols, and finds its file, which the caller writes.
  package mutating func add(_ read: ReadReport, name: String) throws -> Entry {
    let done = symbolicator.symbolicate(read.report)
    summary.add(done.missing)
    let file = try placement?.file(for: done.report, of: read, name: name)
    return Entry(
      name: name, report: done.report, missing: done.missing, file: file, hasNoFile: placement != nil && file == nil)
  }
}

extension ReportPlacement.Place {
  /// The place that options name; nil where reports are printed.
  ///
  /// - Parameters:
  ///   - output: A file, a folder where it is one or ends in a slash, or `-`.
  ///   - isInPlace: True for the files that the reports were read from.
  ///   - areMany: True where there may be more than one report.
  /// - Throws: `symbolicate-one-output` for two places, or one file for many reports.
  package init?(output: String?, isInPlace: Bool, areMany: Bool) throws(Diagnostic) {
    guard let output else {
      guard isInPlace else { return nil }
      self = .origin
      return
    }
    let isFolder = output.hasSuffix("/") || FileStatus(output)?.kind == .folder
    if isInPlace || areMany && !isFolder { throw Diagnostic("symbolicate-one-output", exit: .usage) }
    if output == "-" { return nil }
    self = isFolder ? .folder(output) : .file(output)
  }

  /// Makes the folder that reports go to, where it is missing.
  package func prepare() throws(FileError) {
    if case .folder(let path) = self { try Directories.create(path) }
  }
}
