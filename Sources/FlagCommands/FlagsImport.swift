import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension FlagsCommand {
  /// `mpaas flags import FILE`: the flags of a file become those of a server, or are proposed.
  struct Import: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("import", key: "flags.import") }

    @Argument(help: .text("command.flags.file"), completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: .text("command.flags.import.publish"))
    var publish = false

    @Option(name: [.customShort("m"), .long], help: .text("command.flags.comment", valueName: "text"))
    var comment = ""

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagOutcomeView {
      let written = try context.writtenFlags(at: file)
      let way: FlagWay = publish ? .change : .proposal(at: nil)
      return FlagOutcomeView(
        try await context.flagServer(server).send(.events(written.events), comment: comment, way))
    }
  }

  /// `mpaas flags propose FILE`: a state, or the changes of a delta, that others are to approve.
  struct Propose: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("propose", key: "flags.propose") }

    @Argument(help: .text("command.flags.propose.file"), completion: .file(extensions: ["json"]))
    var file: String?

    @Option(help: .text("command.flags.propose.rollback", valueName: "version"), completion: .flagVersions)
    var rollback: Int?

    @Option(help: .text("command.flags.at", valueName: "time"))
    var at: String?

    @Option(name: [.customShort("m"), .long], help: .text("command.flags.comment", valueName: "text"))
    var comment = ""

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (file == nil) != (rollback == nil) else {
        throw ValidationError(Catalogue.current.text("text.flags-propose-what"))
      }
    }

    func run(in context: Context) async throws -> FlagOutcomeView {
      let events = try file.map { try context.writtenFlags(at: $0).events }
      let way = FlagWay.proposal(at: try at.map { try context.flagTime($0) })
      return FlagOutcomeView(
        try await context.flagServer(server).send(
          events.map { .events($0) } ?? .rollback(rollback ?? 0), comment: comment, way))
    }
  }

  /// `mpaas flags export`: the flags of a server as they were written.
  struct Export: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("export", key: "flags.export") }

    @Option(
      name: .customLong("of"), help: .text("command.flags.export.of", valueName: "version"),
      completion: .flagVersions)
    var number: Int?

    @Option(
      name: [.short, .long], help: .text("command.flags.export.output", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(help: .text("command.flags.export.force"))
    var force = false

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let place = ResultPlace(output)
      // The command may replace a file that it wrote itself.
      if !Self.isExport(place.file) { try place.check(replaces: force, refusal: "flags-output-exists") }
      let written = try await context.flagServer(server).state(version: number)
      guard let output = try place.write({ written.bytes }) else {
        results.put(text: String(decoding: written.bytes, as: UTF8.self) + (written.bytes.last == 10 ? "" : "\n"))
        return .done
      }
      try results.put(
        ExportedFlags(file: output, version: written.version ?? 0, flags: written.state.flags.count))
      return .done
    }

    /// True for a file as the command writes it: it says what environment it is of.
    private static func isExport(_ file: String?) -> Bool {
      guard let file, let bytes = try? Bytes.reading(file, limit: FlagState.Limit.bytes * 2) else { return false }
      return (try? WrittenFlags(bytes.array))?.environment != nil
    }
  }
}

/// A state that was written to a file.
struct ExportedFlags: Presentable {
  let file: String
  let version: Int
  let flags: Int

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["file": file, "version": "\(version)", "flags": "\(flags)"]
    return [.line(StyledText(catalogue.text("text.flags-exported", values), .good))]
  }
}
