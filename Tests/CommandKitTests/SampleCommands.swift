import ArgumentParser
import CommandKit

/// A program with a command of each kind that completion tells apart.
struct SampleRoot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", subcommands: [Reports.self, Run.self, Trace.self, Spaces.self])

  struct Reports: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reports", abstract: "Reports.", subcommands: [Show.self, Remove.self], defaultSubcommand: Show.self)
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a report.")

    enum Form: String, CaseIterable, ExpressibleByArgument { case short, long }

    @Argument(
      completion: .candidates { input in
        let given = input.option("--folder").map { [Candidate("from-\($0)")] } ?? []
        return Candidates([Candidate("first report", "The first."), Candidate("报告")] + given, shell: .files(["ips"]))
      })
    var report: String

    @Option(help: "The form.") var form = Form.short
    @Option(name: .shortAndLong, help: "A word.") var word: [String] = []
    @Option(parsing: .upToNextOption, completion: .list(["one", "two"])) var several: [String] = []
    @Option(completion: .directory) var folder: String?
    @Option(completion: .file(extensions: ["json"])) var output: String?
    @Flag(name: .shortAndLong, help: "All of it.\nMore.") var all = false
    @OptionGroup var common: CommonOptions
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a report.")
    @Argument(completion: .values { $0.arguments.isEmpty ? ["a", "b"] : $0.arguments.map { $0 + "-next" } })
    var reports: [String]
  }

  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Run a program.")
    @Flag var quickly = false
    @Argument(parsing: .captureForPassthrough, completion: .machineCommand) var command: [String]
  }

  struct Trace: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "trace", abstract: "Trace.")
    @Argument(completion: .file()) var file: String?
    @Argument(parsing: .postTerminator, completion: .machineCommand) var command: [String] = []
  }

  struct Spaces: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "spaces", shouldDisplay: false)
    @Argument(completion: .values { _ in ["a b", "c"] }) var value: String
  }
}
