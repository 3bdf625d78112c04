import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash attach PID`: the stacks of a live process, once or as a profile of many samples.
struct CrashAttachCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("attach", key: "crash.attach") }

  @Argument(help: .text("command.crash.attach.pid"))
  var pid: Int32

  @Option(name: .long, help: .text("command.crash.attach.sample", valueName: "n"))
  var sample: Int?

  @Option(name: .long, help: .text("command.crash.attach.interval", valueName: "ms"))
  var interval: Double?

  @Option(name: .long, help: .text("command.crash.attach.svg"), completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(name: .long, help: .text("command.crash.attach.profile", valueName: "file"), completion: .file())
  var profile: String?

  @Option(name: .long, help: .text("command.crash.attach.least", valueName: "percent"))
  var least: Int = 1

  @OptionGroup var capture: CaptureOptions
  @OptionGroup var form: ReportFormOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> AttachedResult {
    let look = AttachedLook(process: pid)
    let count = sample ?? (svg == nil && profile == nil && interval == nil ? nil : 100)
    guard let count else {
      let report = try look.report()
      return .report(try await capture.kept(report, path: "\(pid)", form: form, in: context))
    }
    return .profile(try await sampled(look, count, in: context))
  }

  private func sampled(_ look: AttachedLook, _ count: Int, in context: Context) async throws -> SampledCalls {
    let milliseconds = interval ?? 10
    guard (1...1_000_000).contains(count), (0.1...60_000).contains(milliseconds) else {
      throw Diagnostic("sample-out-of-range", ["count": "\(count)", "interval": "\(milliseconds)"], exit: .usage)
    }
    let progress = context.terminal.progress(context.catalogue.text("text.sampling"), total: UInt64(count))
    defer { progress.finish() }
    var samples = try look.samples(
      count, interval: UInt64(milliseconds * 1_000_000), progress: { _ in progress.advance() })
    progress.finish()
    samples.report = await capture.symbolicated(samples.report, in: context).report
    let calls = SampledCalls(samples, least: least, svg: svg, file: profile)
    if let svg { try calls.writeGraph(to: svg, context.catalogue) }
    if let profile { try calls.writeProfile(to: profile) }
    if let output = capture.output { try IPSWriter.write(samples.report, to: output) }
    return calls
  }
}

/// The result of looking at a process: one report, or a profile.
enum AttachedResult: Presentable {
  case report(CapturedReport)
  case profile(SampledCalls)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .report(let report): try report.encode(to: encoder)
    case .profile(let calls): try calls.encode(to: encoder)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    switch self {
    case .report(let report): report.document(catalogue)
    case .profile(let calls): calls.document(catalogue)
    }
  }
}
