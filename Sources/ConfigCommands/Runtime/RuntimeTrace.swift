import ArgumentParser
import CommandKit
import MPaaSProfile
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RuntimeCommand {
  /// `mpaas runtime trace FILE | -- COMMAND…`: what the start of an app costs, as a table and a flame graph.
  struct Trace: MPaaSCommand {
    enum Order: String, CaseIterable, ExpressibleByArgument {
      case duration, own, start, name
    }

    static var configuration: CommandConfiguration { CommandConfiguration("trace", key: "runtime.trace") }

    @Argument(help: .text("command.runtime.trace.file"), completion: .file(extensions: ["json"]))
    var file: String?

    @Option(
      name: .long, parsing: .upToNextOption, help: .text("command.runtime.trace.runs", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var runs: [String] = []

    @Option(
      name: .long, parsing: .upToNextOption, help: .text("command.runtime.trace.against", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var against: [String] = []

    @Option(help: .text("command.runtime.trace.fail-above", valueName: "per cent"))
    var failAbove: Double?

    @Option(help: .text("command.runtime.trace.sort"))
    var sort = Order.duration

    @Option(help: .text("command.runtime.trace.limit", valueName: "count"))
    var limit = 30

    @Option(help: .text("command.runtime.trace.flame", valueName: "file.svg"), completion: .file(extensions: ["svg"]))
    var flame: String?

    @Option(help: .text("command.runtime.trace.profile", valueName: "file"), completion: .file())
    var profile: String?

    @Option(help: .text("command.runtime.trace.output", valueName: "file"), completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(name: .long, help: .text("command.runtime.trace.force"))
    var force = false

    @OptionGroup var common: CommonOptions

    @Argument(
      parsing: .postTerminator, help: .text("command.runtime.trace.command"), completion: .machineCommand)
    var command: [String] = []

    func validate() throws {
      guard limit >= 0 else { throw ValidationError(Catalogue.current.text("text.trace-limit-negative")) }
      guard failAbove.map({ $0 >= 0 }) ?? true else {
        throw ValidationError(Catalogue.current.text("text.trace-fail-above-negative"))
      }
    }

    func run(in context: Context) async throws -> TraceView {
      let files = [file].compactMap(\.self) + runs
      guard files.isEmpty != command.isEmpty else { throw Diagnostic("trace-not-given", exit: .usage) }
      guard failAbove == nil || !against.isEmpty else { throw Diagnostic("trace-against-missing", exit: .usage) }
      if output != nil, command.isEmpty { throw Diagnostic("trace-output-unused", exit: .usage) }
      for path in [flame, profile, output].compactMap(\.self) {
        try ResultPlace(path).check(replaces: force, refusal: "trace-output-exists")
      }
      let (traces, status) = try command.isEmpty ? (files.map(TraceFile.reading), ExitStatus.done) : traced(in: context)
      if let flame, let first = traces.first {
        let title = [first.process, first.file].compactMap(\.self).joined(separator: " – ")
        let picture = FlameSVG.picture(first, title: title, words: FlamePicture.Words(context.catalogue))
        try Bytes(Array(picture.svg.utf8)).write(to: flame)
        context.terminal.note(StyledText(flame, .path))
      }
      if let profile, let first = traces.first {
        try Bytes(ProfileOutput(path: profile).bytes(first.profile)).write(to: profile)
        context.terminal.note(StyledText(profile, .path))
      }
      let before = try against.map(TraceFile.reading)
      let summary = TraceSummary(traces)
      return TraceView(
        summary: summary, flame: traces.first, order: sort, limit: limit == 0 ? .max : limit,
        comparison: before.isEmpty ? nil : TraceComparison(before: TraceSummary(before), after: summary),
        failAbove: failAbove, status: status, width: context.terminal.output.width() ?? 100)
    }

    /// Runs the command with `MPAAS_TRACE`, its output beside ours, and reads what it left.
    private func traced(in context: Context) throws -> ([TraceFile], ExitStatus) {
      let (trace, status) = try TracedCommand(
        command, output: output, in: FileManager.default.currentDirectoryPath, temporary: context.directories.temporary
      ).run()
      return ([trace], status)
    }
  }
}
