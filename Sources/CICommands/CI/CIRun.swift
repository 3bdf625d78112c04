import ArgumentParser
import CommandKit
import MPaaSPipelines
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `mpaas ci run [STEP…]`: runs the steps of a pipeline here.
struct CIRunCommand: StreamingCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("run", key: "ci.run") }

  @Argument(help: .text("command.ci.run.steps", valueName: "step"), completion: .pipelineSteps)
  var steps: [String] = []

  @Flag(name: .customLong("keep-going"), help: .text("command.ci.run.keep-going"))
  var keepsGoing = false

  @Flag(name: .customLong("list"), help: .text("command.ci.run.list"))
  var isList = false

  @Option(help: .text("command.ci.run.format"))
  var format: PipelineFormat?

  @Option(help: .text("command.ci.run.report", valueName: "file"), completion: .file(extensions: ["json"]))
  var report: String?

  @OptionGroup var project: PipelineProjectOption
  @OptionGroup var common: CommonOptions

  func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let folder = try project.folder()
    let chosen = try StepFile(in: folder).steps(named: steps)
    if isList {
      try results.put(ListedSteps(chosen, context))
      return .done
    }
    let format = format ?? PipelineFormat(environment: context.environment)
    let paths = Self.paths(folder, context.environment)
    let text = PipelineText(format, paths: paths, language: context.catalogue.language.rawValue)
    var run = PipelineRun(
      in: folder, environment: Self.environment(context), words: .all, effects: .live(in: folder, context))
    run.keepsGoing = keepsGoing
    let isJSON = context.terminal.settings.isJSON
    let outcomes = try run.run(chosen) { event in
      guard isJSON else { return results.put(text: text.text(of: event)) }
      if case .line(let line) = event { context.terminal.detail(StyledText(line)) }
    }
    try keep(outcomes, format, CodeQualityReport(paths: paths), in: folder)
    let ran = RanPipeline(outcomes)
    try results.put(ran)
    return ran.exit
  }

  /// Writes the report of findings that GitLab reads, where it was asked for.
  private func keep(
    _ outcomes: [StepOutcome], _ format: PipelineFormat, _ quality: CodeQualityReport, in folder: String
  ) throws {
    let usual = folder == "." ? CodeQualityReport.fileName : folder + "/" + CodeQualityReport.fileName
    guard let file = report ?? (format == .gitlab ? usual : nil) else { return }
    let old = (try? Bytes.reading(file, limit: 64 << 20)).flatMap { bytes in
      withExtendedLifetime(bytes) { try? JSONValue(reading: bytes.buffer) }
    }
    try Bytes(Array((quality.report(of: outcomes, adding: old).line + "\n").utf8)).write(to: file)
  }

  /// The environment of the steps: ours, with the folder of this program in front of others, and without questions.
  private static func environment(_ context: Context) -> [String: String] {
    var environment = context.environment
    let own = FileSystem.folder(of: Executable.current())
    environment["PATH"] = own + ":" + (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
    environment["MPAAS_NO_INPUT"] = "1"
    // A result in JSON has no lines for people, and no findings to read out of them.
    environment["MPAAS_JSON"] = nil
    return environment
  }

  private static func paths(_ folder: String, _ environment: [String: String]) -> FindingPaths {
    let root = environment["GITHUB_WORKSPACE"] ?? environment["CI_PROJECT_DIR"]
    return FindingPaths(
      root: root.flatMap { FileSystem.resolved($0) }, folder: FileSystem.resolved(folder) ?? folder)
  }
}

extension PipelineFormat: ExpressibleByArgument {}

extension PipelineRun.Effects {
  /// This machine.
  static func live(in folder: String, _ context: Context) -> Self {
    let start = ContinuousClock.now
    return Self(
      shell: .live, elapsed: { ContinuousClock.now - start },
      now: { Int64(context.now().timeIntervalSince1970) },
      isFile: { path in
        FileStatus(path.hasPrefix("/") || folder == "." ? path : folder + "/" + path)?.kind == .file
      })
  }
}

extension CompletionKind {
  /// The steps of the pipeline that the current folder lies in.
  static var pipelineSteps: CompletionKind {
    values { _ in try StepFile.folder(above: ".").map { try StepFile(in: $0).steps.map(\.name) } ?? [] }
  }
}
