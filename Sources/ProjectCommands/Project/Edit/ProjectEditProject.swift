import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-dependency PROJECT TARGET…`: targets are built after others.
  struct AddDependency: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-dependency", key: "project.edit.add-dependency")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-dependency.names", valueName: "target"))
    var names: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddDependency(names)
      operation.targets = targets.words
      return [operation]
    }
  }

  /// `mpaas project edit remove-dependency PROJECT TARGET…`: targets wait for others no longer.
  struct RemoveDependency: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-dependency", key: "project.edit.remove-dependency")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-dependency.names", valueName: "target"))
    var names: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemoveDependency(names)
      operation.targets = targets.words
      return [operation]
    }
  }

  /// `mpaas project edit set-attribute PROJECT KEY=VALUE…`: what the project says of itself or of targets.
  struct SetAttribute: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("set-attribute", key: "project.edit.set-attribute")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.set-attribute.attributes", valueName: "key=value"))
    var attributes: [String] = []

    @Option(name: .long, help: .text("command.project.edit.set-attribute.remove", valueName: "key"))
    var remove: [String] = []

    @Option(name: .long, help: .text("command.project.edit.set-attribute.target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = SetProjectAttributes(try EditAssignment.reading(attributes), removing: remove)
      operation.targets = TargetWords(target)
      return [operation]
    }
  }

  /// `mpaas project edit set-format PROJECT --object-version N`: which Xcode the project is written for.
  struct SetFormat: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("set-format", key: "project.edit.set-format")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Option(
      name: .customLong("object-version"), help: .text("command.project.edit.set-format.object", valueName: "number"))
    var objectVersion: String?

    @Option(name: .long, help: .text("command.project.edit.set-format.compatibility", valueName: "text"))
    var compatibility: String?

    @Option(name: .long, help: .text("command.project.edit.set-format.preferred", valueName: "number"))
    var preferred: String?

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MPaaSProject.SetFormat(objectVersion: objectVersion, compatibility: compatibility, preferred: preferred)]
    }
  }

  /// `mpaas project edit set-default-configuration PROJECT NAME`: what is built where no configuration is named.
  struct SetDefaultConfiguration: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("set-default-configuration", key: "project.edit.set-default-configuration")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.set-default-configuration.name", valueName: "name"))
    var name: String

    @Option(name: .long, help: .text("command.project.edit.settings-target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.SetDefaultConfiguration(name)
      operation.targets = TargetWords(target)
      return [operation]
    }
  }

  /// `mpaas project edit apply PROJECT FILE`: all operations of a file, or none.
  struct Apply: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("apply", key: "project.edit.apply") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(
      help: .text("command.project.edit.apply.file", valueName: "file.json"), completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      let path = file == "-" ? "/dev/stdin" : file
      return try ProjectOperations.reading(
        try Bytes.reading(path, limit: 64 << 20).array, file: file == "-" ? "stdin" : file)
    }
  }
}
