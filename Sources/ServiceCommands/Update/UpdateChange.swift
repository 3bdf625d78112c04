import ArgumentParser
import CommandKit
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSTerminal

extension UpdateCommand {
  /// `mpaas update promote VERSION`: more devices get a version, or those of another channel; a paused one goes on.
  struct Promote: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("promote", key: "update.promote") }

    @OptionGroup var release: ReleaseOptions

    @Option(help: .text("command.update.promote.channel", valueName: "channel"), completion: .updateChannels)
    var channel: String?

    @OptionGroup var settings: ReleaseSettingsOptions
    @OptionGroup var repository: UpdateRepositoryOptions
    @OptionGroup var keys: UpdateKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> UpdateChanged {
      var changes = try settings.changes(in: context)
      changes.channel = channel
      changes.state = .running
      return try change(release, changes, repository, keys, in: context)
    }
  }

  /// `mpaas update pause VERSION`: no further device gets a version.
  struct Pause: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pause", key: "update.pause") }

    @OptionGroup var release: ReleaseOptions
    @OptionGroup var repository: UpdateRepositoryOptions
    @OptionGroup var keys: UpdateKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> UpdateChanged {
      var changes = ReleaseChanges()
      changes.state = .paused
      return try change(release, changes, repository, keys, in: context)
    }
  }

  /// `mpaas update withdraw VERSION`: no device gets a version any more.
  struct Withdraw: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("withdraw", key: "update.withdraw") }

    @OptionGroup var release: ReleaseOptions
    @OptionGroup var repository: UpdateRepositoryOptions
    @OptionGroup var keys: UpdateKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> UpdateChanged {
      var changes = ReleaseChanges()
      changes.state = .withdrawn
      return try change(release, changes, repository, keys, in: context)
    }
  }
}

private func change(
  _ release: ReleaseOptions, _ changes: ReleaseChanges, _ repository: UpdateRepositoryOptions,
  _ keys: UpdateKeyOptions, in context: Context
) throws -> UpdateChanged {
  let publisher = try repository.publisher(in: context)
  let app = try publisher.app(named: repository.app)
  let keys = try keys.signingKeys(for: publisher, in: context)
  return UpdateChanged(try publisher.change(app: app, release.choice, changes, keys: keys))
}
