import ArgumentParser
import CommandKit
import MPaaSProject

extension ProjectCommand {
  /// `mpaas project edit OPERATION PROJECT …`: changes of an Xcode project.
  struct Edit: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "edit", key: "project.edit", subcommands: ProjectEdits.commands.map { command($0) } + [Apply.self])
    }

    private static func command<Edit: ProjectEdit>(_ edit: Edit.Type) -> any ParsableCommand.Type {
      ProjectEditCommand<Edit>.self
    }
  }
}
