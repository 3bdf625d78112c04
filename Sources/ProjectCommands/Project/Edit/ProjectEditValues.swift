import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-flag PROJECT -- FLAG…`: flags for the linker or a compiler.
  struct AddFlag: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add-flag", key: "project.edit.add-flag") }

    @OptionGroup var edit: ProjectEditOptions

    @OptionGroup var list: FlagListOptions

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = AddSettingValues(list.tool.key, list.flags)
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

    @OptionGroup var list: FlagListOptions

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = RemoveSettingValues(list.tool.key, list.flags)
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

    @OptionGroup var list: SearchPathOptions

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = AddSettingValues(list.kind.key, list.quoted)
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

    @OptionGroup var list: SearchPathOptions

    @OptionGroup var configurations: ProjectConfigurationOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = RemoveSettingValues(list.kind.key, list.quoted)
      operation.targets = configurations.words
      operation.configurations = configurations.configuration
      return [operation]
    }
  }
}

/// Flags, and whose they are.
struct FlagListOptions: ParsableArguments {
  @Argument(help: .text("command.project.edit.flags", valueName: "flag"))
  var flags: [String]

  @Option(name: .customLong("for"), help: .text("command.project.edit.add-flag.for"))
  var tool = ListSetting.linkerFlags
}

/// Folders to look in, and for what.
struct SearchPathOptions: ParsableArguments {
  @Argument(help: .text("command.project.edit.search-paths", valueName: "path"))
  var paths: [String]

  @Option(name: .long, help: .text("command.project.edit.add-search-path.kind"))
  var kind: ListSetting

  /// As settings of several paths hold them: in quotes where a blank would part them.
  var quoted: [String] {
    paths.map { $0.contains(" ") && !$0.hasPrefix("\"") ? "\"" + $0 + "\"" : $0 }
  }
}
