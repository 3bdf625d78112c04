import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-framework PROJECT NAME…`: frameworks are linked and embedded.
  struct AddFramework: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-framework", key: "project.edit.add-framework")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-framework.names", valueName: "framework"), completion: .file())
    var names: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @Flag(name: .long, help: .text("command.project.edit.add-framework.embed"))
    var embed = false

    @Flag(name: .customLong("no-sign"), help: .text("command.project.edit.add-framework.no-sign"))
    var noSign = false

    @Flag(name: .long, help: .text("command.project.edit.add-framework.weak"))
    var weak = false

    @Flag(name: .customLong("no-link"), help: .text("command.project.edit.add-framework.no-link"))
    var noLink = false

    @Option(name: .long, help: .text("command.project.edit.frameworks-group", valueName: "group"))
    var group: String?

    @OptionGroup var positions: ProjectPositionOptions

    @OptionGroup var disk: ProjectDiskOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddFramework(names.map(place.path))
      operation.targets = targets.words
      operation.embeds = embed
      operation.signs = !noSign
      operation.isWeak = weak
      operation.links = !noLink
      operation.group = group
      operation.position = positions.position
      operation.phasePosition = positions.phasePosition
      operation.missing = disk.missing
      return [operation]
    }
  }

  /// `mpaas project edit remove-framework PROJECT NAME…`: frameworks are linked and embedded no longer.
  struct RemoveFramework: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-framework", key: "project.edit.remove-framework")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-framework.names", valueName: "framework"))
    var names: [String]

    @Option(name: .long, help: .text("command.project.edit.all-target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemoveFramework(names.map(place.path))
      operation.targets = TargetWords(target)
      return [operation]
    }
  }

  /// `mpaas project edit add-library PROJECT NAME…`: libraries are linked.
  struct AddLibrary: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-library", key: "project.edit.add-library")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-library.names", valueName: "library"), completion: .file())
    var names: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @Flag(name: .long, help: .text("command.project.edit.add-framework.weak"))
    var weak = false

    @Option(name: .long, help: .text("command.project.edit.frameworks-group", valueName: "group"))
    var group: String?

    @OptionGroup var positions: ProjectPositionOptions

    @OptionGroup var disk: ProjectDiskOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddFramework(names.map(place.path))
      operation.isLibrary = true
      operation.targets = targets.words
      operation.isWeak = weak
      operation.group = group
      operation.position = positions.position
      operation.phasePosition = positions.phasePosition
      operation.missing = disk.missing
      return [operation]
    }
  }

  /// `mpaas project edit remove-library PROJECT NAME…`: libraries are linked no longer.
  struct RemoveLibrary: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-library", key: "project.edit.remove-library")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-library.names", valueName: "library"))
    var names: [String]

    @Option(name: .long, help: .text("command.project.edit.all-target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemoveFramework(names.map(place.path))
      operation.isLibrary = true
      operation.targets = TargetWords(target)
      return [operation]
    }
  }
}
