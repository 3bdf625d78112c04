package import MPaaSLogs
import MPaaSSupport

extension LogFollow {
  /// Hands over the last records, and then those that are written, until there is an end.
  ///
  /// - Parameters:
  ///   - isEnded: Waits for the time of the next look; true where there is none.
  ///   - note: Gets what may be missing of a file, as soon as it is missed.
  ///   - found: Gets the records of a look, with the names of all files by their numbers.
  /// - Returns: Records that could not be read, without the notes.
  package mutating func run(
    last count: Int, until isEnded: () -> Bool, note: (LogError) -> Void, found: ([LogItem], [String]) throws -> Void
  ) throws -> [LogError] {
    let beginning = try begin(count)
    var problems = beginning.problems
    try found(beginning.items, names)
    while !isEnded() {
      let look = try more()
      for problem in look.problems {
        if problem.code.exit == .done { note(problem) } else { problems.append(problem) }
      }
      try found(look.items, names)
    }
    return problems
  }
}
