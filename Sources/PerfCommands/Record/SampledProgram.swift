import MPaaSSampling
import MPaaSSupport

/// The program that words of a command line name: the number of a process, or a command behind `--`.
struct SampledProgram {
  let target: RecordingTarget

  /// - Throws: `Diagnostic` where neither is there.
  init(_ words: [String]) throws(Diagnostic) {
    if words.first == "--" {
      guard words.count > 1 else { throw Diagnostic("perf-command-missing", exit: .usage) }
      target = .command(Array(words.dropFirst()))
    } else if let word = words.first {
      guard words.count == 1, let process = Int32(word), process > 0 else {
        throw Diagnostic("perf-program", ["value": word], exit: .usage)
      }
      target = .process(process)
    } else {
      throw Diagnostic("perf-command-missing", exit: .usage)
    }
  }

  /// The command of words, with or without the `--` in front.
  static func command(_ words: [String]) throws(Diagnostic) -> [String] {
    let command = words.first == "--" ? Array(words.dropFirst()) : words
    guard !command.isEmpty else { throw Diagnostic("perf-command-missing", exit: .usage) }
    return command
  }
}
