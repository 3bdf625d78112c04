import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension PerfCommand {
  /// `mpaas perf startup -- COMMAND…`: how long a program takes to start, and where the time goes.
  struct Startup: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("startup", key: "perf.startup") }

    @Option(name: [.customShort("n"), .long], help: .text("command.perf.startup.times", valueName: "number"))
    var times = 5

    @Flag(name: .customLong("until-output"), help: .text("command.perf.startup.until-output"))
    var endsAtOutput = false

    @Option(
      name: [.short, .long], help: .text("command.perf.startup.output"), completion: .file(extensions: ["svg"]))
    var output: String?

    @OptionGroup var common: CommonOptions

    @Argument(parsing: .postTerminator, help: .text("command.perf.startup.command"), completion: .machineCommand)
    var command: [String] = []

    func run(in context: Context) async throws -> StartupView {
      guard (1...1000).contains(times) else { throw Diagnostic("perf-times", ["value": "\(times)"], exit: .usage) }
      guard !command.isEmpty else { throw Diagnostic("perf-startup-command", exit: .usage) }
      let progress = context.terminal.progress(
        context.catalogue.text("text.perf-starting"), total: UInt64(2 * times + 1))
      defer { progress.finish() }
      let result = try StartupMeasurement(command, count: times, endsAtOutput: endsAtOutput).run {
        progress.advance()
      }
      progress.finish()
      let trace = endsAtOutput ? nil : Self.framework(command, in: context)
      let view = StartupView(result, framework: trace, svg: output)
      if let output { try Bytes(Array(view.picture(context.catalogue).utf8)).write(to: output) }
      return view
    }

    /// The phases of the kit's framework: one more start, which leaves a trace where the program has the framework.
    private static func framework(_ command: [String], in context: Context) -> TraceSummary? {
      let quiet = ProcessRunner { request throws(FileError) in
        var request = request
        request.capturesOutput = true
        return try ProcessRunner.live.run(request)
      }
      // The file is left in a folder of our own, so that the current one does not matter.
      let traced = TracedCommand(command, output: nil, in: "", temporary: context.directories.temporary, by: quiet)
      return (try? traced.run()).map { TraceSummary([$0.trace]) }
    }
  }
}
