import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-configuration PROJECT NAME [--like OTHER]`: a build configuration of project and targets.
  struct AddConfiguration: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-configuration", key: "project.edit.add-configuration")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-configuration.name", valueName: "name"))
    var name: String

    @Option(name: .long, help: .text("command.project.edit.add-configuration.like", valueName: "name"))
    var like: String?

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MPaaSProject.AddConfiguration(name, like: like)]
    }
  }

  /// `mpaas project edit remove-configuration PROJECT NAME…`: build configurations are taken away.
  struct RemoveConfiguration: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-configuration", key: "project.edit.remove-configuration")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-configuration.names", valueName: "name"))
    var names: [String]

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MPaaSProject.RemoveConfiguration(names)]
    }
  }

  /// `mpaas project edit add-scheme PROJECT NAME --target T`: a shared scheme.
  struct AddScheme: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-scheme", key: "project.edit.add-scheme")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-scheme.name", valueName: "name"))
    var name: String

    @Option(name: .long, help: .text("command.project.edit.add-scheme.target", valueName: "name"))
    var target: [String] = []

    @Option(name: .long, help: .text("command.project.edit.add-scheme.test", valueName: "name"))
    var test: [String] = []

    @Option(name: .long, help: .text("command.project.edit.add-scheme.configuration", valueName: "name"))
    var configuration: String?

    @Option(
      name: .customLong("archive-configuration"),
      help: .text("command.project.edit.add-scheme.archive-configuration", valueName: "name"))
    var archiveConfiguration: String?

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddScheme(name)
      operation.targets = TargetWords(target)
      operation.tests = test
      operation.configuration = configuration
      operation.archiveConfiguration = archiveConfiguration
      return [operation]
    }
  }

  /// `mpaas project edit remove-scheme PROJECT NAME…`: shared schemes are removed.
  struct RemoveScheme: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-scheme", key: "project.edit.remove-scheme")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-scheme.names", valueName: "name"))
    var names: [String]

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MPaaSProject.RemoveScheme(names)]
    }
  }
}
