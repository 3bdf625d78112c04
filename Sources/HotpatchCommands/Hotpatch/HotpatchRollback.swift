import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension HotpatchCommand {
  /// `mpaas hotpatch halt`: nobody new gets a patch, and unless only installs are halted nobody runs it until it is
  /// resumed.
  struct Halt: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("halt", key: "hotpatch.halt") }

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var choice: RolloutChoiceOptions

    @Flag(help: .text("command.hotpatch.halt.installs"))
    var installs = false

    @Flag(help: .text("command.hotpatch.halt.everywhere"))
    var everywhere = false

    @Option(help: .text("command.hotpatch.rollout.reason", valueName: "text"))
    var reason = ""

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if installs, everywhere { throw ValidationError(Catalogue.current.text("text.rollout-installs-and-everywhere")) }
    }

    func run(in context: Context) async throws -> RolloutChanged {
      let publisher = try repository.publisher(in: context)
      let app = try choice.app(of: publisher)
      let keys = try repository.signingKeys(for: publisher, in: context)
      let (index, document, outcome) = try publisher.change(app: app, keys: keys) { document throws(TrustError) in
        let index = try choice.index(in: document)
        if installs {
          try document.pause(index, reason: reason, at: context.now())
        } else {
          try document.halt(index, reason: reason, at: context.now())
        }
        return index
      }
      return RolloutChanged(
        rollout: RolloutView(document.rollouts[index], app: app), documentVersion: document.version, outcome: outcome)
    }
  }

  /// `mpaas hotpatch rollback --to VERSION|none`: withdraws newer versions for good.
  struct Rollback: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rollback", key: "hotpatch.rollback") }

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var choice: RolloutChoiceOptions

    @Option(help: .text("command.hotpatch.rollback.to", valueName: "version|none"))
    var to: String?

    @Option(help: .text("command.hotpatch.rollout.reason", valueName: "text"))
    var reason: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RolloutChanged {
      let publisher = try repository.publisher(in: context)
      let app = try choice.app(of: publisher)
      let named = try goal
      let keys = try repository.signingKeys(for: publisher, in: context)
      let time = context.now()
      let (value, document, outcome) = try publisher.change(app: app, keys: keys) { document throws(TrustError) in
        let index = try choice.index(in: document)
        let (patch, channel) = (document.rollouts[index].patch, document.rollouts[index].channel)
        let goal = to == nil ? document.versionBefore(index) : named
        let withdrawn = try document.rollBack(patch: patch, channel: channel, to: goal, reason: reason, at: time)
        let shown = document.rollouts.firstIndex {
          $0.patch == patch && $0.channel == channel && $0.version == goal
        }
        return (shown ?? index, withdrawn.map { "\(patch) \($0)" })
      }
      return RolloutChanged(
        rollout: RolloutView(document.rollouts[value.0], app: app), affected: value.1,
        documentVersion: document.version, outcome: outcome)
    }

    private var goal: DottedVersion? {
      get throws(TrustError) {
        guard let to, to != "none" else { return nil }
        guard let version = DottedVersion(to) else { throw TrustError(.patchVersionMalformed, ["value": to]) }
        return version
      }
    }
  }
}
