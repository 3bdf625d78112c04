import Foundation
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

/// A program run under observation, with the core that it left.
struct Observed {
  let outcome: TracedRun.Outcome
  let reports: [CrashReport]
  let program: String
  let folder: TemporaryFolder

  var core: String { folder.url.appending(path: "core").path }

  /// The report of a run that is to have exactly one.
  var report: CrashReport {
    get throws {
      try #require(reports.count == 1, "\(reports.count) reports")
      return reports[0]
    }
  }

  /// - Parameter filter: What the core holds, as `/proc/PID/coredump_filter` takes it.
  static func run(
    _ program: SampleProgram, _ arguments: [String] = [], words: Bool = true, filter: String = "0x33"
  ) throws -> Observed {
    let folder = try TemporaryFolder()
    let script = """
      echo \(filter) >/proc/self/coredump_filter; ulimit -c unlimited; cd '\(folder.path)'; exec "$0" "$@" 2>err
      """
    var run = TracedRun(command: ["/bin/sh", "-c", script, program.path] + arguments)
    run.forwardsSignals = false
    run.keepsLastWords = words
    var reports: [CrashReport] = []
    let outcome = try run.run { reports.append($0) }
    return Observed(outcome: outcome, reports: reports, program: program.path, folder: folder)
  }

  /// The functions of the faulting thread that lie in the program itself, innermost first, by its symbol table.
  func functions() throws -> [String] {
    let report = try report
    guard let stack = report.faultingThread else { return [] }
    return try report.threads[stack].frames.prefix(24).enumerated().compactMap { index, frame in
      guard let image = frame.image.map({ report.images[$0] }), image.path == program else { return nil }
      let address = report.lookupAddress(ofFrame: index, inStack: stack) - image.slide
      let outcome = try Command.run("addr2line", ["-fe", image.path, "0x" + String(address, radix: 16)])
      return String(outcome.output.split(separator: "\n").first ?? "?")
    }
  }
}
