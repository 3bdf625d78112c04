import ArgumentParser
import CommandKit
import MPaaSNetwork
import MPaaSSupport
import MPaaSTerminal

extension NetCommand {
  /// `mpaas net run -- COMMAND…`: a program with another network.
  struct Run: MPaaSCommand {
    enum Mode: String, CaseIterable, ExpressibleByArgument {
      case auto, namespace, proxy
    }

    static var configuration: CommandConfiguration { CommandConfiguration("run", key: "net.run") }

    @Option(name: [.short, .long], help: .text("command.net.run.profile", valueName: "name"))
    var profile: String?

    @Option(help: .text("command.net.run.timeline", valueName: "file|text"), completion: .file())
    var timeline: String?

    @OptionGroup var conditions: ConditionOptions

    @Option(help: .text("command.net.run.mode"))
    var mode = Mode.auto

    @Option(help: .text("command.net.run.report", valueName: "file"), completion: .file())
    var report: String?

    @Option(help: .text("command.net.run.seed", valueName: "number"))
    var seed: UInt64 = 0

    @Option(name: .customLong("host-port"), help: .text("command.net.run.host-port", valueName: "port"))
    var hostPort: [UInt16] = []

    @Option(help: .text("command.net.run.bypass", valueName: "host"))
    var bypass: [String] = []

    @Option(help: .text("command.net.run.user", valueName: "name"))
    var user: String?

    @OptionGroup var common: CommonOptions

    @Argument(
      parsing: .captureForPassthrough, help: .text("command.net.run.command"), completion: .shellCommand("compgen -c"))
    var command: [String]

    func validate() throws { try requestHelp(by: command) }

    func run(in context: Context) async throws -> FinishedRun {
      let command = self.command.first == "--" ? Array(self.command.dropFirst()) : self.command
      guard !command.isEmpty else { throw Diagnostic("net-run-no-command", exit: .usage) }
      var wanted = try conditions.wanted(profile: profile, in: context)
      if wanted.label.isEmpty { wanted.label = timeline ?? command[0] }
      let timelines = try [wanted.profile?.timeline].compactMap { $0 } + timelineGiven(in: context)
      var program = ChildProgram(command, environment: context.environment)
      if let user { try program.become(UserIdentity(named: user)) }
      let ready = program
      return try await ChildSignals.held { [wanted] in
        let network = try await network(label: wanted.label, in: context)
        let conducted = ConductedRun(
          network: network, toxics: wanted.toxics, timelines: timelines, label: wanted.label, report: report)
        tell(conducted, in: context)
        do {
          let run = try await conducted.run(ready)
          await network.end()
          try conducted.writeReport(in: context)
          return FinishedRun(run, label: wanted.label)
        } catch {
          await network.end()
          throw error
        }
      }
    }

    private func timelineGiven(in context: Context) throws -> [Timeline] {
      guard let timeline else { return [] }
      let profiles = try conditions.profiles(in: context)
      // A text has a colon behind its time; a file of such a name can be given as ./NAME.
      if FileStatus(timeline) == nil, timeline.contains(":") {
        return [try Timeline(text: timeline.replacing(";", with: "\n"), file: "--timeline", profiles: profiles)]
      }
      return [try Timeline.reading(timeline, profiles: profiles)]
    }

    private func network(label: String, in context: Context) async throws -> any RunNetwork {
      if mode != .proxy {
        do throws(NetworkError) {
          let ledger = ShapingLedger(data: context.directories.data)
          let network = try await NamespaceNetwork(
            NamespaceNetwork.Options(hostPorts: hostPort, label: label, seed: seed), ledger: ledger)
          if let problem = network.nameProblem { context.terminal.warning(problem.diagnostic) }
          return network
        } catch {
          guard mode == .auto else { throw error }
          // Without rights that is the rule, and the note on what is not covered says it.
          if error.code != .namespaceRefused { context.terminal.warning(error.diagnostic) }
        }
      }
      if let other = ProxyVariables.replaced(in: context.environment) {
        context.terminal.note(StyledText(context.catalogue.text("text.net-run-replaced", ["proxy": other])))
      }
      return try await ProxyNetwork(bypass: bypass, seed: seed)
    }

    /// What is covered and what is not, in a line on standard error.
    private func tell(_ run: ConductedRun, in context: Context) {
      let catalogue = context.catalogue
      context.terminal.note(StyledText(catalogue.text("text.net-run-\(run.network.mode.rawValue)"), .faint))
      let missing = run.uncovered.map(\.rawValue)
      guard !missing.isEmpty else { return }
      context.terminal.warning(
        Diagnostic("net-run-not-covered", ["conditions": missing.joined(separator: ", ")], exit: .done))
    }
  }
}

/// How a program ended, and what went over its network.
struct FinishedRun: Presentable {
  struct Traffic: Encodable {
    let bytes: Int64
    let packets: Int64
    let lost: Int64

    init(_ traffic: ProxyStatistics.Traffic) {
      bytes = traffic.sent
      packets = traffic.datagrams
      lost = traffic.lost
    }
  }

  let mode: String
  let conditions: String
  let status: Int32
  let signal: Int32?
  let pid: Int32
  let upstream: Traffic
  let downstream: Traffic

  init(_ run: ConditionedRun, label: String) {
    mode = run.mode.rawValue
    conditions = label
    status = run.end.status
    signal = run.end.signal
    pid = run.end.process
    let main = run.statistics.first ?? ProxyStatistics(proxy: "")
    upstream = Traffic(main.upstream)
    downstream = Traffic(main.downstream)
  }

  var exit: ExitStatus { ExitStatus(rawValue: status) }

  /// Standard output is the program's.
  func document(_ catalogue: Catalogue) -> Document { [] }
}
