import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit set PROJECT KEY=VALUE…`: build settings of the project or of targets.
  struct SetSettings: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("set", key: "project.edit.set") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.set.settings", valueName: "key=value"))
    var settings: [String]

    @Flag(name: .long, help: .text("command.project.edit.set.list"))
    var list = false

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = SetBuildSettings(try EditAssignment.reading(settings, asLists: list))
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }

  /// `mpaas project edit unset PROJECT KEY…`: build settings are taken away.
  struct UnsetSettings: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("unset", key: "project.edit.unset") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.unset.keys", valueName: "key"))
    var keys: [String]

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = UnsetBuildSettings(keys)
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }

  /// `mpaas project edit base-configuration PROJECT FILE.xcconfig`: settings come from a file first.
  struct BaseConfiguration: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("base-configuration", key: "project.edit.base-configuration")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(
      help: .text("command.project.edit.base-configuration.file", valueName: "file"),
      completion: .file(extensions: ["xcconfig"]))
    var file: String?

    @Flag(name: .long, help: .text("command.project.edit.base-configuration.none"))
    var none = false

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var disk: ProjectDiskOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      guard (file == nil) == none else {
        throw ProjectEditError(.badWord, ["word": file ?? "", "expected": "FILE.xcconfig, --none"])
      }
      var operation = SetBaseConfiguration(file.map(place.path))
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      operation.missing = disk.missing
      return [operation]
    }
  }
}
