import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal

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
      var choice = choice.choice
      let app = try publisher.app(of: choice)
      choice.app = app
      let changes = try settings.changes(in: context)
      let totals = try statistics.map { try counters.totals($0, in: context) }
      try totals?.check(app: app, at: context.now())
      if dryRun {
        let forecast = try publisher.forecast(for: device.description, choice, after: changes)
        return .decided(RolloutDecisions(forecast))
      }
      guard pause || resume || totals != nil || !changes.isEmpty else {
        throw Diagnostic("rollout-nothing-to-change", exit: .usage)
      }
      let change = try publisher.change(
        choice, changes, pause ? .pause : resume ? .resume : nil, totals: totals
      ) {
        try repository.signingKeys(for: publisher, in: context)
      }
      return .changed(RolloutChanged(change))
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

  var description: DeviceDescription {
    var device = DeviceDescription(id: user ?? "")
    device.appVersion = appVersion
    device.city = city
    device.model = model
    device.network = network
    device.systemVersion = osVersion
    return device
  }
}

/// The answer of the command: what it changed, or what it would give to whom.
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
