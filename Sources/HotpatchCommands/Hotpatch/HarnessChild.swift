import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The process in which patches are tried: this program once more, with a hidden command.
struct HarnessChild: MPaaSCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("child", key: "hotpatch.child", shouldDisplay: false)
  }

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> Answer {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var request = Data()
    while request.count < 1 << 30 {
      let count = try StandardInput.read(into: &buffer)
      guard count > 0 else { break }
      request.append(contentsOf: buffer[..<count])
    }
    let asked = try JSONDecoder().decode(HarnessRequest.self, from: request)
    do {
      return Answer(report: try PatchHarness.runConfined(asked))
    } catch {
      throw Diagnostic("hotpatch-child-open", exit: Self.openStatus)
    }
  }

  /// The exit status of a child that found no way to confine itself, and so ran nothing.
  private static let openStatus = ExitStatus.notPermitted

  /// The report, as the parent reads it.
  struct Answer: Presentable {
    let report: HarnessReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
    func document(_ catalogue: Catalogue) -> Document { [] }
  }

  /// Runs a request in a child process, which reads it from standard input: what a bundle holds is written to no disk.
  static func run(_ request: HarnessRequest) throws -> HarnessReport {
    let outcome = try ProcessRunner.live.run(
      .init(
        Executable.current(), ["hotpatch", "child", "--json"], capturesOutput: true,
        input: [UInt8](try JSONEncoder().encode(request)), environment: []))
    if let report = try? JSONDecoder().decode(HarnessReport.self, from: Data(outcome.output.utf8)) { return report }
    if outcome.status == openStatus.rawValue { throw Diagnostic("hotpatch-child-open", exit: openStatus) }
    throw Diagnostic("hotpatch-child-ended", ["status": "\(outcome.status)"], exit: .negative)
  }
}
