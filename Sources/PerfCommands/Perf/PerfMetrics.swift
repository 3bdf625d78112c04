import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

extension PerfCommand {
  /// `mpaas perf metrics PATH…`: what MetricKit measured of an app, version by version.
  struct Metrics: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("metrics", key: "perf.metrics") }

    @Argument(help: .text("command.perf.metrics.paths"), completion: .file())
    var paths: [String]

    @Option(name: .long, help: .text("command.perf.metrics.name", valueName: "word"))
    var name: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> MetricTable {
      var groups = MetricGroups()
      for file in try ReportCollection(paths).files {
        guard FileStatus(file)?.kind == .file else { continue }
        let bytes = try Bytes.mapping(file)
        defer { withExtendedLifetime(bytes) {} }
        guard MetricPayload.recognises(bytes.buffer) else {
          // In folders there may be others; what was named must be one.
          if paths.contains(file) {
            throw Diagnostic("metrics-none", ["file": file], at: .file(file), exit: .malformedInput)
          }
          continue
        }
        do throws(ProfileError) {
          groups.add(try MetricPayload(reading: bytes.buffer, file: file))
        } catch {
          guard !paths.contains(file) else { throw error }
          context.terminal.warning(error.diagnostic)
        }
      }
      return MetricTable(groups, name: name)
    }
  }
}
