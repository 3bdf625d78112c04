import ArgumentParser
import MPaaSProject
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-flag PROJECT -- FLAG…`: flags for the linker or a compiler.
  struct AddFlag: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add-flag", key: "project.edit.add-flag") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.flags", valueName: "flag"))
    var flags: [String]

    @Option(name: .customLong("for"), help: .text("command.project.edit.add-flag.for"))
    var tool = ListSetting.linkerFlags

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = AddSettingValues(tool.key, flags)
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }

  /// `mpaas project edit remove-flag PROJECT -- FLAG…`: flags are taken away.
  struct RemoveFlag: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-flag", key: "project.edit.remove-flag")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.flags", valueName: "flag"))
    var flags: [String]

    @Option(name: .customLong("for"), help: .text("command.project.edit.add-flag.for"))
    var tool = ListSetting.linkerFlags

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = RemoveSettingValues(tool.key, flags)
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }

  /// `mpaas project edit add-search-path PROJECT --kind header PATH…`: folders to look in.
  struct AddSearchPath: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-search-path", key: "project.edit.add-search-path")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.search-paths", valueName: "path"))
    var paths: [String]

    @Option(name: .long, help: .text("command.project.edit.add-search-path.kind"))
    var kind: ListSetting

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = AddSettingValues(kind.key, paths.map(SearchPathWord.quoted))
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }

  /// `mpaas project edit remove-search-path PROJECT --kind header PATH…`: folders are looked in no longer.
  struct RemoveSearchPath: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-search-path", key: "project.edit.remove-search-path")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.search-paths", valueName: "path"))
    var paths: [String]

    @Option(name: .long, help: .text("command.project.edit.add-search-path.kind"))
    var kind: ListSetting

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = RemoveSettingValues(kind.key, paths.map(SearchPathWord.quoted))
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }
}

/// A path as settings of several paths hold it.
enum SearchPathWord {
  /// In quotes where it has a blank, which else would part it.
  static func quoted(_ path: String) -> String {
    path.contains(" ") && !path.hasPrefix("\"") ? "\"" + path + "\"" : path
  }
}
