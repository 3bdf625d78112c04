import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-file PROJECT PATH…`: files come into groups, and into what targets build.
  struct AddFile: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-file", key: "project.edit.add-file")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-file.paths", valueName: "path"), completion: .file())
    var paths: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @Option(name: .long, help: .text("command.project.edit.group", valueName: "group"))
    var group: String?

    @OptionGroup var positions: ProjectPositionOptions

    @Option(name: .long, help: .text("command.project.edit.add-file.phase"))
    var phase: MPaaSProject.AddFile.Phase?

    @Option(name: .long, help: .text("command.project.edit.add-file.header"))
    var header: MPaaSProject.AddFile.HeaderRole?

    @Option(
      name: .customLong("compiler-flags"), parsing: .unconditional,
      help: .text("command.project.edit.add-file.flags", valueName: "flags"))
    var compilerFlags: String?

    @Option(name: .long, help: .text("command.project.edit.add-file.name", valueName: "name"))
    var name: String?

    @Option(name: .long, help: .text("command.project.edit.add-file.type", valueName: "type"))
    var type: String?

    @Option(
      name: .customLong("source-tree"), help: .text("command.project.edit.add-file.source-tree", valueName: "tree"))
    var sourceTree: String?

    @Option(name: .long, help: .text("command.project.edit.add-file.attribute", valueName: "key=value"))
    var attribute: [String] = []

    @OptionGroup var disk: ProjectDiskOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddFile(sourceTree == nil ? paths.map(place.path) : paths)
      operation.targets = targets.words
      operation.group = group
      operation.position = positions.position
      operation.phasePosition = positions.phasePosition
      operation.phase = phase
      operation.header = header
      operation.compilerFlags = compilerFlags
      operation.name = name
      operation.type = type
      operation.sourceTree = sourceTree
      operation.attributes = try EditAssignment.reading(attribute)
      operation.missing = disk.missing
      return [operation]
    }
  }

  /// `mpaas project edit remove-file PROJECT PATH…`: files and groups leave targets, or the project.
  struct RemoveFile: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-file", key: "project.edit.remove-file")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.files", valueName: "path"))
    var paths: [String]

    @Option(name: .long, help: .text("command.project.edit.remove-file.target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.RemoveFile(paths.map(place.path))
      operation.targets = TargetWords(target)
      return [operation]
    }
  }

  /// `mpaas project edit rename PROJECT PATH NAME`: a file or a group gets another path.
  struct Rename: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rename", key: "project.edit.rename") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.file", valueName: "path"))
    var path: String

    @Argument(help: .text("command.project.edit.rename.name", valueName: "name"))
    var name: String

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [RenameFile(place.path(path), to: place.path(name))]
    }
  }

  /// `mpaas project edit move PROJECT PATH…`: files and groups come into another group, or elsewhere in theirs.
  struct Move: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("move", key: "project.edit.move") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.files", valueName: "path"))
    var paths: [String]

    @Option(name: .long, help: .text("command.project.edit.move.group", valueName: "group"))
    var group: String?

    @Option(name: .long, help: .text("command.project.edit.position", valueName: "place"))
    var position: EditPosition?

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MoveFile(paths.map(place.path), group: group, position: position)]
    }
  }

  /// `mpaas project edit add-group PROJECT NAME`: a group, with a folder or without.
  struct AddGroup: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add-group", key: "project.edit.add-group") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-group.name", valueName: "name"))
    var name: String

    @Option(
      name: .long, help: .text("command.project.edit.add-group.path", valueName: "folder"), completion: .directory)
    var path: String?

    @Option(name: .long, help: .text("command.project.edit.add-group.group", valueName: "group"))
    var group: String?

    @Option(name: .long, help: .text("command.project.edit.position", valueName: "place"))
    var position: EditPosition?

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MPaaSProject.AddGroup(name, path: path.map(place.path), in: group, at: position)]
    }
  }
}
