import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

/// The options of all commands that generate code.
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

  /// The bytes of a file, or of standard input for `-`, with their name in errors.
  static func input(_ path: String) throws -> (file: String, bytes: [UInt8]) {
    try path == "-" ? ("stdin", Bytes.reading("/dev/stdin", limit: 1 << 28).array) : (path, Bytes.mapping(path).array)
  }

  /// Writes what was generated, as the options have it.
  func write(
    _ sources: [GeneratedSource], to target: GenerationTarget, of origins: [GeneratedOrigin] = []
  ) throws -> [GeneratedFiles.File] {
    try GeneratedFiles(to: target, replacesEdited: force, isDryRun: isDryRun).write(sources, of: origins)
  }
}
