import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand.Edit {
  /// `mpaas project edit set-entitlement PROJECT KEY=VALUE…`: what targets are entitled to.
  struct SetEntitlement: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("set-entitlement", key: "project.edit.set-entitlement")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.set-entitlement.entitlements", valueName: "key=value"))
    var entitlements: [String]

    @Flag(name: .long, help: .text("command.project.edit.set.list"))
    var list = false

    @Option(
      name: .long, help: .text("command.project.edit.set-entitlement.file", valueName: "file"),
      completion: .file(extensions: ["entitlements"]))
    var file: String?

    @OptionGroup var targets: ProjectTargetOptions

    @Option(name: .long, help: .text("command.project.edit.configuration", valueName: "name"))
    var configuration: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = SetEntitlements(try EditAssignment.reading(entitlements, asLists: list))
      operation.file = file.map(place.path)
      operation.targets = targets.words
      operation.configurations = configuration
      return [operation]
    }
  }

  /// `mpaas project edit remove-entitlement PROJECT KEY…`: entitlements are taken away.
  struct RemoveEntitlement: ProjectEditCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-entitlement", key: "project.edit.remove-entitlement")
    }

    @OptionGroup var edit: ProjectEditOptions

    @Argument(help: .text("command.project.edit.remove-entitlement.keys", valueName: "key"))
    var keys: [String] = []

    @Flag(name: .long, help: .text("command.project.edit.remove-entitlement.all"))
    var all = false

    @OptionGroup var targets: ProjectTargetOptions

    @Option(name: .long, help: .text("command.project.edit.configuration", valueName: "name"))
    var configuration: [String] = []

    @OptionGroup var common: CommonOptions

    func operations(_ place: XcodeProjectPlace) throws -> [any ProjectOperation] {
      var operation = RemoveEntitlements(keys, all: all)
      operation.targets = targets.words
      operation.configurations = configuration
      return [operation]
    }
  }
}
