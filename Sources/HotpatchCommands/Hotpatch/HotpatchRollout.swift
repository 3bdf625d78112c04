import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension HotpatchCommand {
  /// `mpaas hotpatch rollout`: who gets a patch – changed, paused, resumed, or only asked.
  struct RolloutCommand: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rollout", key: "hotpatch.rollout") }

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var choice: RolloutChoiceOptions
    @OptionGroup var settings: RolloutSettingsOptions

    @Flag(help: .text("command.hotpatch.rollout.pause"))
    var pause = false

    @Flag(help: .text("command.hotpatch.rollout.resume"))
    var resume = false

    @Option(help: .text("command.hotpatch.rollout.statistics", valueName: "file"), completion: .file())
    var statistics: String?

    @OptionGroup var counters: StatisticsKeyOptions

    @Flag(help: .text("command.hotpatch.rollout.dry-run"))
    var dryRun = false

    @OptionGroup var device: DeviceOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      if pause, resume {
        throw ValidationError(Catalogue.current.text("text.rollout-pause-and-resume"))
      }
      if dryRun != (device.user != nil) {
        throw ValidationError(Catalogue.current.text("text.rollout-dry-run-user"))
      }
    }

    func run(in context: Context) async throws -> RolloutResult {
      let publisher = try repository.publisher(in: context)
      let app = try choice.app(of: publisher)
      let changes = try settings.changes(in: context)
      let totals = try statistics.map { try counters.totals($0, in: context) }
      try totals?.check(app: app, at: context.now())
      if dryRun { return .decided(try decide(publisher, app, changes, context)) }
      guard pause || resume || totals != nil || !changes.isEmpty else {
        throw Diagnostic("rollout-nothing-to-change", exit: .usage)
      }
      let keys = try repository.signingKeys(for: publisher, in: context)
      let time = context.now()
      let (value, document, outcome) = try publisher.change(app: app, keys: keys) { document throws(TrustError) in
        let index = try choice.index(in: document)
        try changes.apply(to: index, of: &document, at: time)
        if pause { try document.pause(index, reason: settings.reason, at: time) }
        if resume { try document.resume(index, reason: settings.reason, at: time) }
        var halted: [Rollout] = []
        if let totals { halted = try document.record(totals, reason: CrashTotals.reason, at: time) }
        return (index, halted)
      }
      return .changed(
        RolloutChanged(
          rollout: RolloutView(document.rollouts[value.0], app: app),
          affected: value.1.map { "\($0.patch) \($0.version)" }, documentVersion: document.version, outcome: outcome))
    }

    /// What a device would get after the changes; nothing is written.
    private func decide(
      _ publisher: RolloutPublisher, _ app: String, _ changes: RolloutChanges, _ context: Context
    ) throws -> RolloutDecisions {
      guard var document = try publisher.document(app: app) else {
        throw TrustError(.rolloutUnknown, ["app": app, "patch": "*", "version": "*"])
      }
      let time = context.now()
      if !changes.isEmpty { try changes.apply(to: try choice.index(in: document), of: &document, at: time) }
      let facts = device.facts(app: app, like: document, channel: choice.channel)
      let decisions = try document.decisions(for: facts, at: time).filter { decision in
        choice.patch.map { $0 == decision.patch } ?? true
      }
      let offers = try document.offers(for: facts, at: time)
      return RolloutDecisions(app: app, facts: facts, decisions: decisions, offers: offers)
    }
  }
}

/// A device as a command is told of it.
struct DeviceOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.rollout.user", valueName: "id"))
  var user: String?

  @Option(help: .text("command.hotpatch.rollout.app-version", valueName: "version"))
  var appVersion: String?

  @Option(help: .text("command.hotpatch.rollout.city", valueName: "city"))
  var city: String?

  @Option(help: .text("command.hotpatch.rollout.model", valueName: "model"))
  var model: String?

  @Option(help: .text("command.hotpatch.rollout.network", valueName: "network"))
  var network: String?

  @Option(help: .text("command.hotpatch.rollout.os-version", valueName: "version"))
  var osVersion: String?

  /// The facts; an app version and a channel that nobody named are such that they decide nothing.
  func facts(app: String, like document: RolloutDocument, channel: String?) -> DeviceFacts {
    let channels = Set(document.rollouts.map(\.channel))
    let version = appVersion ?? document.rollouts.last?.appVersions.example
    return DeviceFacts(
      id: user ?? "", app: app, appVersion: version ?? "0",
      channel: channel ?? (channels.count == 1 ? channels.first : nil) ?? "release", city: city, model: model,
      network: network, systemVersion: osVersion)
  }
}

/// What the command says: what it changed, or what it would give to whom.
enum RolloutResult: Presentable {
  case changed(RolloutChanged)
  case decided(RolloutDecisions)

  private var result: any Presentable {
    switch self {
    case .changed(let result): result
    case .decided(let result): result
    }
  }

  func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }
  func document(_ catalogue: Catalogue) -> Document { result.document(catalogue) }
  var exit: ExitStatus { result.exit }
}
