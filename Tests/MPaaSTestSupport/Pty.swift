import Foundation

/// A program run in a terminal of its own, as a person sees it.
public enum Pty {
  /// Runs a command line under `script`, which gives it a pseudo-terminal for all three streams.
  ///
  /// - Returns: The status, and all that appeared on the terminal (both streams).
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> Command.Outcome {
    let path = Command.own(program) ?? program
    let line = ([path] + arguments).map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
      .joined(separator: " ")
    return try Command.run(
      "script", ["--quiet", "--return", "--command", line, "/dev/null"], environment: environment)
  }
}
