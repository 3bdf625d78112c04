import ArgumentParser
import CommandKit
import MPaaSPipelines
import MPaaSSupport

/// `mpaas ci …`: the pipelines of an app made of modules.
struct CICommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "ci", key: "ci",
      subcommands: [CIInitCommand.self, CIRunCommand.self, CISymbolsCommand.self, CIReleaseNotesCommand.self])
  }
}

/// The project of a pipeline.
struct PipelineProjectOption: ParsableArguments {
  @Option(help: .text("command.ci.project", valueName: "folder"), completion: .directory)
  var project: String?

  /// The folder that was named, else the first from here upwards with steps.
  ///
  /// - Throws: `ci-steps-missing`.
  func folder() throws -> String {
    guard let folder = project ?? StepFile.folder(above: ".") else {
      throw PipelineError(.stepsMissing, ["file": StepFile.name])
    }
    return folder
  }
}
