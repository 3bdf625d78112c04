import ArgumentParser
import CommandKit
import MPaaSSecurity
import MPaaSSecurityTools
import MPaaSTerminal

/// `mpaas security …`: checks of running programs.
struct SecurityCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("security", key: "security", subcommands: [Check.self])
  }

  /// `mpaas security check PID`: debuggers, foreign code and hooks in a process, seen from outside.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "security.check") }

    @Argument(help: .text("command.security.check.pid"), completion: .processes)
    var pid: Int32

    @Option(name: .long, help: .text("command.security.check.allow", valueName: "image"), completion: .file())
    var allow: [String] = []

    @Flag(name: .long, help: .text("command.security.check.no-ports"))
    var noPorts = false

    @Option(
      name: .long, help: .text("command.security.check.least", valueName: "possible|probable|certain"))
    var least: LeastConfidence = .possible

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CheckedProcessView {
      let check = ProcessCheck(process: pid, allowed: allow, asksPorts: !noPorts)
      return CheckedProcessView(try check.findings(), least: least.confidence)
    }
  }
}

/// The least certainty that is shown.
enum LeastConfidence: String, CaseIterable, ExpressibleByArgument {
  case possible, probable, certain

  var confidence: Finding.Confidence {
    switch self {
    case .possible: .possible
    case .probable: .probable
    case .certain: .certain
    }
  }
}
