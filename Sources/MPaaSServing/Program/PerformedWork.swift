package import MPaaSSupport
package import MPaaSTerminal
package import ServingKit

/// Work that this program does.
package protocol PerformedWork: ServedWork {
  /// Does the work.
  ///
  /// - Parameter results: Takes each result as soon as it is there.
  /// - Returns: How the command ends once all is done.
  func perform(in context: Context, results: ResultSink) async throws -> ExitStatus
}
