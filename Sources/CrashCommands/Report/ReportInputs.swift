import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// The reports that a user named: by paths of files, folders and archives, or by names of captured ones.
struct ReportInputs {
  private let collection: ReportCollection
  private let paths: [String]
  /// Tells whether there may be more than one report.
  let areMany: Bool

  /// - Throws: `report-not-found` where neither a file nor a captured report has a name.
  init(_ names: [String], in context: Context) throws {
    paths = try names.map { try context.path(ofReport: $0) }
    collection = try ReportCollection(paths)
    areMany = paths.count != 1 || collection.files != paths || ReportCollection.isArchive(paths[0])
  }

  var files: [String] { collection.files }

  /// Hands over each report with its name.
  ///
  /// A report that cannot be read is a warning, and a problem of its own where it is the only one.
  ///
  /// - Throws: `reports-none` where there is nothing to read, so that no check passes for want of reports.
  ///
  /// - Parameter search: Finds the unwind information that the stacks of dumps are walked by.
  func forEach(
    in context: Context, search: DebugFileSearch, _ visit: (String, ReadReport) throws -> Void
  ) throws {
    let counts = try collection.forEach(search: search) { problem in
      guard areMany else { throw problem }
      context.terminal.warning(problem)
    } visit: {
      try visit($0, $1)
    }
    if counts.reports + counts.problems == 0 {
      throw Diagnostic("reports-none", ["paths": paths.joined(separator: ", ")], exit: .inputMissing)
    }
    if counts.problems > 0 {
      context.terminal.warning(Diagnostic("reports-unreadable", ["count": "\(counts.problems)"], exit: .done))
    }
  }
}
