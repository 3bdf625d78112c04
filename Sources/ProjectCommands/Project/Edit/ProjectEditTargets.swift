import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension TargetKind: ExpressibleByArgument {}

extension TargetPlatform: ExpressibleByArgument {}

extension ProjectCommand.Edit {
  /// `mpaas project edit add-target PROJECT NAME --kind KIND`: a target with its phases, settings and product.
  struct AddTarget: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("add-target", key: "project.edit.add-target")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.add-target.name", valueName: "name"))
    var name: String

    @Option(name: .long, help: .text("command.project.edit.add-target.kind", valueName: "kind"))
    var kind: TargetKind

    @Option(name: .long, help: .text("command.project.edit.add-target.platform", valueName: "system"))
    var platform: TargetPlatform?

    @Option(
      name: .customLong("bundle-identifier"),
      help: .text("command.project.edit.add-target.bundle-identifier", valueName: "id"))
    var bundleIdentifier: String?

    @Option(name: .long, help: .text("command.project.edit.add-target.deployment", valueName: "version"))
    var deployment: String?

    @Option(name: .long, help: .text("command.project.edit.add-target.folder", valueName: "folder"))
    var folder: String?

    @Option(name: .long, help: .text("command.project.edit.add-target.host", valueName: "target"))
    var host: String?

    @Option(
      name: .customLong("extension-point"),
      help: .text("command.project.edit.add-target.extension-point", valueName: "id"))
    var extensionPoint: String?

    @Option(name: .long, help: .text("command.project.edit.add-target.setting", valueName: "key=value"))
    var setting: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = MPaaSProject.AddTarget(name, kind)
      operation.platform = platform
      operation.bundleIdentifier = bundleIdentifier
      operation.deployment = deployment
      operation.folder = folder.map(place.path)
      operation.host = host
      operation.extensionPoint = extensionPoint
      operation.settings = try EditAssignment.reading(setting)
      return [operation]
    }
  }

  /// `mpaas project edit remove-target PROJECT NAME…`: targets are taken away with all that is theirs.
  struct RemoveTarget: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-target", key: "project.edit.remove-target")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-target.names", valueName: "name"))
    var names: [String]

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      [MPaaSProject.RemoveTarget(names)]
    }
  }
}
