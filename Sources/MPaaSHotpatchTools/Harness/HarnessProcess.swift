package import MPaaSSupport
package import MPaaSToolSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The process in which patches are tried: a program that reads a request from standard input and writes the report.
package struct HarnessProcess: Sendable {
  /// The exit status of a process that found no way to confine itself, and so ran nothing.
  package static let openStatus = ExitStatus.notPermitted
  /// The most bytes that a request has.
  package static let largest = 1 << 30

  private let program: String
  private let arguments: [String]
  private let runner: ProcessRunner

  package init(_ program: String, _ arguments: [String], runner: ProcessRunner = .live) {
    self.program = program
    self.arguments = arguments
    self.runner = runner
  }

  /// Runs a request; what a bundle holds is written to no disk, and the process sees no environment.
  ///
  /// - Throws: `FileError` where the program cannot be started; `TrustError` `hotpatch-child-open`,
  ///   `hotpatch-child-ended` with the exit status of a process that gave no report.
  package func run(_ request: HarnessRequest) throws -> HarnessReport {
    let outcome = try runner.run(
      .init(
        program, arguments, capturesOutput: true, input: [UInt8](try JSONEncoder().encode(request)), environment: []))
    if let report = try? JSONDecoder().decode(HarnessReport.self, from: Data(outcome.output.utf8)) { return report }
    if outcome.status == Self.openStatus.rawValue { throw TrustError(.childOpen) }
    throw TrustError(.childEnded, ["status": "\(outcome.status)"])
  }

  /// Answers a request in this process, which can do nothing else afterwards.
  ///
  /// - Parameter read: Fills a part of a buffer and says how many bytes that were; 0 at the end.
  /// - Throws: `TrustError` `hotpatch-child-open`; what `read` and the decoder throw.
  package static func answer(_ read: (inout [UInt8]) throws -> Int) throws -> HarnessReport {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var request = Data()
    while request.count < largest {
      let count = try read(&buffer)
      guard count > 0 else { break }
      request.append(contentsOf: buffer[..<count])
    }
    let asked = try JSONDecoder().decode(HarnessRequest.self, from: request)
    do { return try PatchHarness.runConfined(asked) } catch { throw TrustError(.childOpen) }
  }
}

extension TrustError.Code {
  static let childOpen = TrustError.Code("hotpatch-child-open", exit: .notPermitted)
  static let childEnded = TrustError.Code("hotpatch-child-ended", exit: .negative)
}
