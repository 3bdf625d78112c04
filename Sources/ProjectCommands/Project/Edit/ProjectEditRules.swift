import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-build-rule PROJECT --pattern '*.proto' --script TEXT`: how files of a kind are built.
  struct AddBuildRule: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-build-rule", key: "project.edit.add-build-rule")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Option(name: .long, help: .text("command.project.edit.add-build-rule.pattern", valueName: "pattern"))
    var pattern: String?

    @Option(name: .long, help: .text("command.project.edit.add-build-rule.type", valueName: "type"))
    var type: String?

    @Option(name: .long, help: .text("command.project.edit.add-build-rule.script", valueName: "text"))
    var script: String?

    @Option(
      name: .customLong("script-file"), help: .text("command.project.edit.add-script.file", valueName: "file"),
      completion: .file())
    var scriptFile: String?

    @Option(name: .long, help: .text("command.project.edit.add-build-rule.compiler", valueName: "id"))
    var compiler: String?

    @Option(name: .long, help: .text("command.project.edit.add-build-rule.name", valueName: "name"))
    var name: String?

    @Option(name: .long, help: .text("command.project.edit.add-script.input", valueName: "path"))
    var input: [String] = []

    @Option(name: .long, help: .text("command.project.edit.add-script.output", valueName: "path"))
    var output: [String] = []

    @Option(
      name: .customLong("output-flags"),
      help: .text("command.project.edit.add-build-rule.output-flags", valueName: "flags"))
    var outputFlags: [String] = []

    @Option(
      name: .customLong("dependency-file"),
      help: .text("command.project.edit.add-script.dependency-file", valueName: "path"))
    var dependencyFile: String?

    @Flag(
      name: .customLong("once-per-architecture"),
      help: .text("command.project.edit.add-build-rule.once-per-architecture"))
    var oncePerArchitecture = false

    @OptionGroup var targets: ProjectTargetOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddBuildRule(try files(), try builder())
      operation.name = name
      operation.inputs = input
      operation.outputs = output
      operation.outputFlags = outputFlags
      operation.dependencyFile = dependencyFile
      operation.runsOncePerArchitecture = oncePerArchitecture
      operation.targets = targets.words
      return [operation]
    }

    private func files() throws -> MPaaSProject.AddBuildRule.Files {
      switch (pattern, type) {
      case (let pattern?, nil): return .pattern(pattern)
      case (nil, let type?): return .type(type)
      default: throw ProjectEditError(.badWord, ["word": pattern ?? "", "expected": "--pattern, --type"])
      }
    }

    private func builder() throws -> MPaaSProject.AddBuildRule.Builder {
      switch (script, scriptFile, compiler) {
      case (let script?, nil, nil): return .script(script)
      case (nil, let file?, nil):
        return .script(String(decoding: try Bytes.reading(file, limit: 16 << 20).array, as: UTF8.self))
      case (nil, nil, let compiler?): return .compiler(compiler)
      default:
        throw ProjectEditError(
          .badWord, ["word": script ?? "", "expected": "--script, --script-file, --compiler"])
      }
    }
  }

  /// `mpaas project edit remove-build-rule PROJECT PATTERN…`: build rules are taken away.
  struct RemoveBuildRule: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-build-rule", key: "project.edit.remove-build-rule")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-build-rule.names", valueName: "name"))
    var names: [String]

    @Option(name: .long, help: .text("command.project.edit.all-target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemoveBuildRule(names)
      operation.targets = TargetWords(target)
      return [operation]
    }
  }
}
