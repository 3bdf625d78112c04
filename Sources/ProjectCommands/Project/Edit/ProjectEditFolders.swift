import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit add-synced-folder PROJECT FOLDER`: a group that goes by its folder.
  struct AddSyncedFolder: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-synced-folder", key: "project.edit.add-synced-folder")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.synced-folder", valueName: "folder"), completion: .directory)
    var path: String

    @OptionGroup var targets: ProjectTargetOptions

    @Option(name: .long, help: .text("command.project.edit.group", valueName: "group"))
    var group: String?

    @Option(name: .long, help: .text("command.project.edit.position", valueName: "place"))
    var position: EditPosition?

    @Option(name: .long, help: .text("command.project.edit.add-synced-folder.except", valueName: "file"))
    var except: [String] = []

    @OptionGroup var disk: ProjectDiskOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = AddSynchronizedFolder(place.path(path))
      operation.targets = targets.words
      operation.group = group
      operation.position = position
      operation.missing = disk.missing
      guard !except.isEmpty else { return [operation] }
      var exclusion = ExcludeFiles(except, of: place.path(path))
      exclusion.targets = targets.words
      return [operation, exclusion]
    }
  }

  /// `mpaas project edit remove-synced-folder PROJECT FOLDER`: a folder's group leaves targets or the project.
  struct RemoveSyncedFolder: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-synced-folder", key: "project.edit.remove-synced-folder")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.synced-folder", valueName: "folder"))
    var path: String

    @Option(name: .long, help: .text("command.project.edit.remove-file.target", valueName: "name"))
    var target: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = RemoveSynchronizedFolder(place.path(path))
      operation.targets = TargetWords(target)
      return [operation]
    }
  }

  /// `mpaas project edit exclude PROJECT FOLDER FILE…`: a target does without files of a folder.
  struct Exclude: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("exclude", key: "project.edit.exclude") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.synced-folder", valueName: "folder"))
    var folder: String

    @Argument(help: .text("command.project.edit.folder-files", valueName: "file"))
    var files: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = ExcludeFiles(files, of: place.path(folder))
      operation.targets = targets.words
      return [operation]
    }
  }

  /// `mpaas project edit include PROJECT FOLDER FILE…`: a target builds files of a folder again.
  struct Include: ProjectEditCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("include", key: "project.edit.include") }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.synced-folder", valueName: "folder"))
    var folder: String

    @Argument(help: .text("command.project.edit.folder-files", valueName: "file"))
    var files: [String]

    @OptionGroup var targets: ProjectTargetOptions

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = IncludeFiles(files, of: place.path(folder))
      operation.targets = targets.words
      return [operation]
    }
  }
}
