import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A rollout as commands show it.
struct RolloutView: Encodable {
  struct Statistics: Encodable {
    let sessions: Int
    let crashes: Int
    let baselinePerMillion: Int
    let ratio: Double
    let haltsAt: Double

    private enum CodingKeys: String, CodingKey {
      case sessions, crashes, ratio
      case baselinePerMillion = "baseline_per_million"
      case haltsAt = "halts_at"
    }
  }

  let app: String
  let patch: String
  let version: String
  let channel: String
  let state: String
  let stage: String
  let percent: Double
  let appVersions: String
  let mandatory: Bool
  let rules: [String]
  let allowed: Int
  let denied: Int
  let statistics: Statistics?

  private enum CodingKeys: String, CodingKey {
    case app, patch, version, channel, state, stage, percent, mandatory, rules, allowed, denied, statistics
    case appVersions = "app_versions"
  }

  init(_ rollout: Rollout, app: String) {
    self.app = app
    patch = rollout.patch
    version = rollout.version.text
    channel = rollout.channel
    state = rollout.state.rawValue
    stage = rollout.stage.rawValue
    percent = Double(rollout.effectiveBasisPoints) / 100
    appVersions = rollout.appVersions.text
    mandatory = rollout.isMandatory
    rules = rollout.rules.map(\.description)
    allowed = rollout.allow.count
    denied = rollout.deny.count
    statistics = rollout.statistics.map {
      Statistics(
        sessions: $0.sessions, crashes: $0.crashes, baselinePerMillion: $0.baseline,
        ratio: $0.ratio.isFinite ? ($0.ratio * 1000).rounded() / 1000 : .greatestFiniteMagnitude,
        haltsAt: CrashRateTest.haltRatio)
    }
  }

  private func row(_ catalogue: Catalogue) -> [StyledText] {
    let tone: TextRole =
      switch state {
      case "running": .good
      case "halted", "killed": .bad
      case "paused": .warning
      default: .faint
      }
    return [
      StyledText(patch, .emphasis), StyledText(version, .number), StyledText(channel),
      StyledText(catalogue.text("text.rollout-state-\(state)"), tone),
      StyledText(Self.percent(percent), .number), StyledText(appVersions),
      StyledText(statistics.map { "\($0.crashes)/\($0.sessions)" } ?? "–", .number),
      StyledText(statistics.map { Self.ratio($0.ratio) } ?? "–", .number),
    ]
  }

  static func percent(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    let text =
      fraction == 0 ? "" : fraction % 10 == 0 ? ".\(fraction / 10)" : (fraction < 10 ? ".0" : ".") + "\(fraction)"
    return "\(hundredths / 100)\(text) %"
  }

  private static func ratio(_ value: Double) -> String {
    value >= 1e6 ? "> 1000000" : "\((value * 100).rounded() / 100)"
  }

  static func table(_ rollouts: [RolloutView], _ catalogue: Catalogue) -> Table {
    let names = ["patch", "version", "channel", "state", "percent", "app-versions", "crashes", "ratio"]
    return Table(
      columns: names.map { Table.Column(catalogue.text("text.rollout-\($0)")) },
      rows: rollouts.map { $0.row(catalogue) })
  }
}

/// The effect of a change of a rollout.
struct RolloutChanged: Presentable {
  private let change: RolloutChange
  private let rollout: RolloutView
  private var outcome: RepositoryEditor.Outcome { change.outcome }

  init(_ change: RolloutChange) {
    self.change = change
    rollout = RolloutView(change.rollout, app: change.app)
  }

  private enum CodingKeys: String, CodingKey {
    case rollout, affected, superseded, published, pending, complete
    case documentVersion = "document_version"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rollout, forKey: .rollout)
    try container.encode(change.affected, forKey: .affected)
    try container.encode(change.superseded, forKey: .superseded)
    try container.encode(change.documentVersion, forKey: .documentVersion)
    try container.encode(outcome.published, forKey: .published)
    try container.encode(outcome.pending + outcome.blocked, forKey: .pending)
    try container.encode(outcome.isComplete, forKey: .complete)
  }

  /// Somebody has to sign before anybody gets it.
  var exit: ExitStatus { outcome.isComplete ? .done : .tryAgain }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.table(RolloutView.table([rollout], catalogue))
    func list(_ key: String, _ names: [String], _ role: TextRole) {
      guard !names.isEmpty else { return }
      document.line(StyledText(catalogue.text(key, ["list": names.joined(separator: ", ")]), role))
    }
    list("text.rollout-affected", change.affected, .warning)
    list("text.rollout-superseded", change.superseded, .faint)
    for role in outcome.pending + outcome.blocked {
      let missing = role.quorums.map(\.missing).max() ?? 0
      document.line(
        StyledText(
          catalogue.text("text.rollout-pending", ["role": role.role, "count": String(missing)]), .warning))
    }
    return document
  }
}
