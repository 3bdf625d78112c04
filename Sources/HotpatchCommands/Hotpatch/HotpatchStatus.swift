import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension HotpatchCommand {
  /// `mpaas hotpatch status`: all rollouts of a repository, and what their crash statistics say.
  struct Status: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("status", key: "hotpatch.status") }

    @OptionGroup var repository: RolloutRepositoryOptions

    @Option(help: .text("command.hotpatch.app", valueName: "app"), completion: .rolloutApps)
    var app: String?

    @Option(help: .text("command.hotpatch.rollout.statistics", valueName: "file"), completion: .file())
    var statistics: String?

    @OptionGroup var counters: StatisticsKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RolloutStatus {
      let publisher = try repository.publisher(in: context)
      // Looked at only; `rollout --statistics` puts the totals into the repository.
      let documents = try publisher.documents(app: app) { try statistics.map { try counters.shown($0, in: context) } }
      let rollouts = documents.flatMap { document in
        document.rollouts.reversed().map { RolloutView($0, app: document.app) }
      }
      return RolloutStatus(rollouts: rollouts)
    }
  }

  /// `mpaas hotpatch history`: what was changed when, and why.
  struct History: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("history", key: "hotpatch.history") }

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var choice: RolloutChoiceOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RolloutHistory {
      let publisher = try repository.publisher(in: context)
      let (app, events) = try publisher.history(of: choice.choice)
      return RolloutHistory(app: app, changes: events.map(RolloutHistory.Row.init))
    }
  }
}

/// Rollouts, the newest version first within an app.
struct RolloutStatus: Presentable {
  let rollouts: [RolloutView]

  func document(_ catalogue: Catalogue) -> Document {
    guard !rollouts.isEmpty else { return [.line(StyledText(catalogue.text("text.rollout-none"), .faint))] }
    var document = Document()
    var apps: [String] = []
    for rollout in rollouts where !apps.contains(rollout.app) { apps.append(rollout.app) }
    for app in apps {
      document.line(StyledText(app, .heading))
      document.table(RolloutView.table(rollouts.filter { $0.app == app }, catalogue))
    }
    return document
  }
}

/// Changes, oldest first.
struct RolloutHistory: Presentable {
  struct Row: Encodable {
    let time: String
    let patch: String
    let version: String
    let channel: String
    let change: String
    let percent: Double
    let reason: String

    init(_ event: RolloutEvent) {
      let (rollout, change) = (event.rollout, event.change)
      time = MetadataTime.text(change.time)
      patch = rollout.patch
      version = rollout.version.text
      channel = rollout.channel
      self.change = change.kind.rawValue
      percent = Double(change.basisPoints) / 100
      reason = change.reason
    }
  }

  let app: String
  let changes: [Row]

  func document(_ catalogue: Catalogue) -> Document {
    let names = ["time", "patch", "version", "channel", "change", "percent", "reason"]
    let rows = changes.map { row in
      [
        StyledText(row.time), StyledText(row.patch, .emphasis), StyledText(row.version, .number),
        StyledText(row.channel), StyledText(catalogue.text("text.rollout-change-\(row.change)")),
        StyledText(RolloutView.percent(row.percent), .number),
        StyledText(row.reason),
      ]
    }
    return [.table(Table(columns: names.map { Table.Column(catalogue.text("text.rollout-\($0)")) }, rows: rows))]
  }
}
