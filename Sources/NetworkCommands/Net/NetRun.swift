import ArgumentParser
import CommandKit
package import MPaaSNetworkConditions
package import MPaaSSupport
package import MPaaSTerminal

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
      return try await context.served {
        let wanted = try conditions.wanted(profile: profile, in: context)
        return NetworkRun(
          command: command, user: user, toxics: wanted.toxics,
          timelines: try [wanted.profile?.timeline].compactMap { $0 } + timelineGiven(in: context),
          label: wanted.label.isEmpty ? timeline ?? command[0] : wanted.label, report: report,
          network: mode.network, hostPorts: hostPort, bypass: bypass, seed: seed)
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
  }
}

extension NetCommand.Run.Mode {
  fileprivate var network: NetworkRun.Network {
    switch self {
    case .auto: .any
    case .namespace: .namespace
    case .proxy: .proxy
    }
  }
}

/// A program that is run on a network with conditions.
package struct NetworkRun: ServedWork {
  package typealias Output = FinishedRun

  /// The kind of network.
  package enum Network: Sendable {
    case any, namespace, proxy
  }

  package let command: [String]
  /// Whom it runs as.
  package let user: String?
  package let toxics: [Toxic]
  package let timelines: [Timeline]
  package let label: String
  /// The destination of the report: a journal where its name ends in `.jsonl`.
  package let report: String?
  package let network: Network
  package let hostPorts: [UInt16]
  package let bypass: [String]
  package let seed: UInt64
}

/// The end of a program, and what went over its network.
package struct FinishedRun: Presentable {
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

  /// - Parameter statistics: Of the network's parts, the program's own first.
  package init(
    mode: String, conditions: String, status: Int32, signal: Int32?, pid: Int32, statistics: [ProxyStatistics]
  ) {
    self.mode = mode
    self.conditions = conditions
    self.status = status
    self.signal = signal
    self.pid = pid
    let main = statistics.first ?? ProxyStatistics(proxy: "")
    upstream = Traffic(main.upstream)
    downstream = Traffic(main.downstream)
  }

  package var exit: ExitStatus { ExitStatus(rawValue: status) }

  /// Standard output is the program's.
  package func document(_ catalogue: Catalogue) -> Document { [] }
}
