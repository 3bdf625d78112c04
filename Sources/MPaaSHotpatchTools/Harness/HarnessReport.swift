package import MPaaSHotpatch

/// The report of a trial of a patch: the child process writes it as JSON, the command shows it.
package struct HarnessReport: Codable, Sendable, Equatable {
  /// A call of an original or of an export.
  package struct Call: Codable, Sendable, Equatable {
    package var name: String
    /// As JSON, on one line.
    package var arguments: String
    package var result: String
  }

  package struct Failure: Codable, Sendable, Equatable {
    package var kind: String
    package var message: String
    package var symbol: String?
    package var frames: [Frame]

    package init(_ failure: PatchFailure) {
      kind = failure.kind.rawValue
      message = failure.message
      symbol = failure.symbol
      frames = failure.frames.map { Frame(file: $0.file, line: $0.line, function: $0.function) }
    }
  }

  package struct Frame: Codable, Sendable, Equatable {
    package var file: String?
    package var line: Int?
    package var function: String
  }

  package struct LogLine: Codable, Sendable, Equatable {
    package var text: String
    package var file: String
    package var line: Int
  }

  package struct Test: Codable, Sendable, Equatable {
    package var file: String
    package var name: String
    package var passed: Bool
    /// The reason why it did not pass, with file and line; empty where it did.
    package var message: String
  }

  /// The functions that the patch replaces, sorted.
  package var symbols: [String] = []
  package var log: [LogLine] = []
  package var calls: [Call] = []
  package var failures: [Failure] = []
  /// The result of the function that was to be called, as JSON on one line.
  package var result: String?
  package var tests: [Test] = []
  package var instructions = 0
  /// Bytes at most.
  package var memory = 0
  /// From the start to the end of all that was tried.
  package var milliseconds = 0

  package init() {}

  /// Calls and lines past these are not kept.
  static let most = 1000

  package var hasFailed: Bool { !failures.isEmpty || tests.contains { !$0.passed } }
}
