import ArgumentParser
import CommandKit

/// `mpaas net …`: networks as they are in the field, for any program.
struct NetCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "net", key: "net",
      subcommands: [
        Serve.self,
        List.self,
        Create.self,
        Delete.self,
        Toggle.self,
        ToxicCommand.self,
        Apply.self,
        Button.self,
        Reset.self,
        Top.self,
        Profiles.self,
        Record.self,
        Replay.self,
        Report.self,
        Run.self,
        Shape.self,
        Unshape.self,
      ])
  }
}
