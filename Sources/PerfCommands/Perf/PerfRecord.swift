import ArgumentParser
import CommandKit
import CrashCommands
import MPaaSCrash
import MPaaSNetworkConditions
import MPaaSProfile
import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import Synchronization

extension PerfCommand {
  /// `mpaas perf record PID | -- COMMAND…`: samples a program, and keeps a profile of it.
  struct Record: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("record", key: "perf.record") }

    @Option(name: [.short, .long], help: .text("command.perf.record.duration", valueName: "time"))
    var duration: String?

    @Option(name: [.customShort("F"), .long], help: .text("command.perf.record.rate", valueName: "hz"))
    var rate = 1000

    @Option(
      name: .long, help: .text("command.perf.record.method", valueName: "events|stops"),
      completion: .list(["events", "stops"]))
    var method: RecordingOptions.Method?

    @Flag(name: .customLong("no-children"), help: .text("command.perf.record.no-children"))
    var leavesChildren = false

    @Option(name: [.short, .long], help: .text("command.perf.record.output"), completion: .file())
    var output: String?

    @OptionGroup var symbols: SampleSymbolOptions
    @OptionGroup var common: CommonOptions

    @Argument(help: .text("command.perf.record.pid"))
    var pid: Int32?

    @Argument(parsing: .postTerminator, help: .text("command.perf.record.command"), completion: .machineCommand)
    var command: [String] = []

    func run(in context: Context) async throws -> RecordedRun {
      let target = try target()
      let recorder = Recorder(try options())
      let (recording, _) = try await InterruptibleWork.run {
        let done = Mutex(false)
        return try await withTaskCancellationHandler {
          try recorder.record(target) { done.withLock { $0 } }
        } onCancel: {
          done.withLock { $0 = true }
        }
      }
      let named = await symbols.symbolicated(recording, in: context)
      let kernel = named.kernelSymbols()
      if let output { try Bytes(ProfileOutput(path: output).bytes(named.profile(kernel))).write(to: output) }
      return RecordedRun(named, RecordingSummary(named, kernel), output: output)
    }

    private func target() throws(Diagnostic) -> RecordingTarget {
      guard (pid == nil) != command.isEmpty else { throw Diagnostic("perf-command-missing", exit: .usage) }
      guard let pid else { return .command(command) }
      guard pid > 0 else { throw Diagnostic("perf-program", ["value": "\(pid)"], exit: .usage) }
      return .process(pid)
    }

    private func options() throws -> RecordingOptions {
      guard RecordingOptions.rates.contains(rate) else {
        throw Diagnostic("perf-rate", ["value": "\(rate)"], exit: .usage)
      }
      let time = try duration.map { text -> UInt64 in
        guard let time = Quantity.duration(text), time > .zero else {
          throw Diagnostic("perf-duration", ["value": text], exit: .usage)
        }
        return time.nanoseconds
      }
      return RecordingOptions(rate: rate, duration: time, method: method, followsChildren: !leavesChildren)
    }
  }
}

extension RecordingOptions.Method: ExpressibleByArgument {}

extension Duration {
  /// Whole nanoseconds, at most as many as there are numbers for.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return whole.overflow ? .max : whole.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000)
  }
}
