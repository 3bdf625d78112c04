import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// A program in Python that speaks with a server of the tests, which goes on meanwhile.
enum PythonClient {
  /// Runs it to its end, which must be a good one, and gives what it printed.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) async throws -> String {
    let outcome = try await withCheckedThrowingContinuation { continuation in
      DetachedThread.run {
        continuation.resume(
          with: Result { try Command.run(Fixture.python, ["-c", program] + arguments, environment: ["no_proxy": "*"]) })
      }
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }
}
