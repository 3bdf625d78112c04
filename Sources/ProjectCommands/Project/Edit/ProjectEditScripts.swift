import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-script PROJECT --script TEXT`: a phase that runs a script.
  struct AddScript: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-script", key: "project.edit.add-script")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Option(name: .long, help: .text("command.project.edit.add-script.name", valueName: "name"))
    var name: String?

    @Option(name: .long, help: .text("command.project.edit.add-script.script", valueName: "text"))
    var script: String?

    @Option(
      name: .customLong("script-file"), help: .text("command.project.edit.add-script.file", valueName: "file"),
      completion: .file())
    var scriptFile: String?

    @Option(name: .long, help: .text("command.project.edit.add-script.shell", valueName: "path"))
    var shell: String?

    @Option(name: .long, help: .text("command.project.edit.add-script.input", valueName: "path"))
    var input: [String] = []

    @Option(name: .long, help: .text("command.project.edit.add-script.output", valueName: "path"))
    var output: [String] = []

    @Option(
      name: .customLong("input-list"), help: .text("command.project.edit.add-script.input-list", valueName: "path"))
    var inputList: [String] = []

    @Option(
      name: .customLong("output-list"), help: .text("command.project.edit.add-script.output-list", valueName: "path"))
    var outputList: [String] = []

    @Option(
      name: .customLong("dependency-file"),
      help: .text("command.project.edit.add-script.dependency-file", valueName: "path"))
    var dependencyFile: String?

    @Flag(name: .customLong("always-run"), help: .text("command.project.edit.add-script.always-run"))
    var alwaysRun = false

    @Flag(name: .customLong("only-install"), help: .text("command.project.edit.add-script.only-install"))
    var onlyInstall = false

    @OptionGroup var targets: ProjectTargetOptions

    @Option(name: .long, help: .text("command.project.edit.add-script.position", valueName: "place"))
    var position: EditPosition?

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddScript(try text(), name: name)
      operation.shell = shell
      operation.inputs = input
      operation.outputs = output
      operation.inputLists = inputList
      operation.outputLists = outputList
      operation.dependencyFile = dependencyFile
      operation.alwaysRuns = alwaysRun
      operation.onlyInstalls = onlyInstall
      operation.targets = targets.words
      operation.position = position
      return [operation]
    }

    private func text() throws -> String {
      switch (script, scriptFile) {
      case (let script?, nil): return script
      case (nil, let file?): return String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self)
      default: throw ProjectEditError(.badWord, ["word": script ?? "", "expected": "--script, --script-file"])
      }
    }
  }

  /// `mpaas project edit remove-script PROJECT NAME…`: script phases are taken away.
  struct RemoveScript: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-script", key: "project.edit.remove-script")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-script.names", valueName: "name"))
    var names: [String]

    @Option(name: .long, help: .text("command.project.edit.all-target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemoveScript(names)
      operation.targets = TargetWords(target)
      return [operation]
    }
  }
}
