import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSTerminal

/// What all commands that generate code take.
struct GeneratedCodeOptions: ParsableArguments {
  @Option(help: .text("command.generate.model.access", valueName: "access"))
  var access: SwiftModelWriter.Options.Access = .internal

  @Option(help: .text("command.generate.model.support", valueName: "where"))
  var support: ModelGeneration.Support = .file

  @Option(help: .text("command.generate.model.prefix", valueName: "prefix"))
  var prefix: String?

  @Flag(name: .customLong("dry-run"), help: .text("command.generate.model.dry-run"))
  var isDryRun = false

  @Flag(help: .text("command.generate.model.force"))
  var force = false
}
