package import MPaaSSupport
package import MPaaSSymbols
import MPaaSToolSupport

extension ReportCollection {
  /// Hands over each report of all files.
  ///
  /// - Parameters:
  ///   - search: Finds the unwind information that the stacks of dumps are walked by.
  ///   - problem: Gets what could not be read, behind the reports of the same file. What it throws ends the reading.
  ///   - visit: Gets the name of each report, and the report with its bytes, which are valid only until it returns. What
  ///     it throws ends the reading.
  /// - Returns: How many reports there were, and how much could not be read.
  package func forEach(
    search: DebugFileSearch? = nil, problem: (Diagnostic) throws -> Void,
    visit: (String, ReadReport) throws -> Void
  ) throws -> (reports: Int, problems: Int) {
    var buffer = FileBuffer()
    var counts = (reports: 0, problems: 0)
    for file in files {
      let outcome = try reports(in: file, buffer: &buffer, search: search) { name, read in
        counts.reports += 1
        try visit(name, read)
      }
      counts.problems += outcome.problems.count
      for found in outcome.problems { try problem(found.diagnostic) }
    }
    return counts
  }
}
