import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSTerminal

extension HotpatchCommand {
  /// `mpaas hotpatch publish FILE`: a bundle goes into a repository, and on its way to users.
  struct Publish: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("publish", key: "hotpatch.publish") }

    @Argument(help: .text("command.hotpatch.publish.file"), completion: .file(extensions: ["mpatch"]))
    var file: String

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var trust: BundleTrustOptions

    @Option(help: .text("command.hotpatch.identity", valueName: "key"), completion: .file())
    var identity: [String] = []

    @OptionGroup var settings: RolloutSettingsOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RolloutChanged {
      let publisher = try repository.publisher(in: context)
      let changes = try settings.changes(in: context)
      let identities = try BundleIdentityOptions.identities(identity, repository.passphrase, in: context)
      let bundle = try BundlePath.read(file)
      let verifier = try trust.verifier(identities, in: context)
      return RolloutChanged(
        try publisher.publish(bundle, verifiedBy: verifier, changes) {
          try repository.signingKeys(for: publisher, in: context)
        })
    }
  }
}
