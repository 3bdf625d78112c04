import ArgumentParser
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

  @Argument(help: .hidden) var request: String
  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> Answer {
    let bytes = try Bytes.reading(request, limit: 1 << 30)
    let asked = try JSONDecoder().decode(HarnessRequest.self, from: Data(bytes.array))
    return Answer(report: PatchHarness.runConfined(asked))
  }

  /// The report, as the parent reads it.
  struct Answer: Presentable {
    let report: HarnessReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
    func document(_ catalogue: Catalogue) -> Document { [] }
  }

  /// Runs a request in a child process.
  static func run(_ request: HarnessRequest) throws -> HarnessReport {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    let path = "\(folder)/mpaas-hotpatch-\(UUID().uuidString).json"
    try Bytes([UInt8](try JSONEncoder().encode(request))).write(to: path, mode: 0o600)
    defer { try? FileSystem.remove(path) }
    let outcome = try ProcessRunner.live.run(
      .init(SourceCheckout.currentExecutable(), ["hotpatch", "child", path, "--json"], capturesOutput: true))
    if let report = try? JSONDecoder().decode(HarnessReport.self, from: Data(outcome.output.utf8)) { return report }
    throw Diagnostic("hotpatch-child-ended", ["status": "\(outcome.status)"], exit: .negative)
  }
}
