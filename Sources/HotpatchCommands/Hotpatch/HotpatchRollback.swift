import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSTerminal

extension HotpatchCommand {
  /// `mpaas hotpatch halt`: no new device gets a patch, and unless only installs are halted no device runs it until it
  /// is resumed.
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
      return RolloutChanged(
        try publisher.halt(choice.choice, installs ? .installs : .everywhere, reason: reason) {
          try repository.signingKeys(for: publisher, in: context)
        })
    }
  }

  /// `mpaas hotpatch rollback --to VERSION|none`: withdraws newer versions for good.
  struct Rollback: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rollback", key: "hotpatch.rollback") }

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var choice: RolloutChoiceOptions

    @Option(help: .text("command.hotpatch.rollback.to", valueName: "version|none"), completion: .rolloutVersions)
    var to: String?

    @Option(help: .text("command.hotpatch.rollout.reason", valueName: "text"))
    var reason: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RolloutChanged {
      let publisher = try repository.publisher(in: context)
      return RolloutChanged(
        try publisher.rollBack(choice.choice, to: to, reason: reason) {
          try repository.signingKeys(for: publisher, in: context)
        })
    }
  }
}
