import ArgumentParser
import CommandKit
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSSupport
import MPaaSTerminal

extension UpdateCommand {
  /// `mpaas update publish [FILE]`: a version goes into a repository, with differences from older ones.
  struct Publish: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("publish", key: "update.publish") }

    @Argument(help: .text("command.update.publish.file"), completion: .file())
    var file: String?

    @Option(help: .text("command.update.app-version", valueName: "version"))
    var appVersion: String

    @Option(help: .text("command.update.platform", valueName: "system"), completion: .updatePlatforms)
    var platform = "ios"

    @Option(help: .text("command.update.channel", valueName: "channel"), completion: .updateChannels)
    var channel = "release"

    @Option(help: .text("command.update.publish.deltas", valueName: "number"))
    var deltas = 3

    @OptionGroup var settings: ReleaseSettingsOptions
    @OptionGroup var repository: UpdateRepositoryOptions
    @OptionGroup var keys: UpdateKeyOptions
    @OptionGroup var common: CommonOptions

    /// The systems that apps name; others may be published for, misspelled ones of these not.
    private static let systems = [
      "ios", "macos", "tvos", "watchos", "visionos", "linux", "android", "harmonyos", "windows",
    ]

    func validate() throws {
      guard !Self.systems.contains(platform), let near = closestMatch(to: platform, among: Self.systems) else { return }
      throw ValidationError(Catalogue.current.text("text.update-system-near", ["system": platform, "near": near]))
    }

    func run(in context: Context) async throws -> UpdateChanged {
      let publisher = try repository.publisher(in: context)
      var candidate = UpdatePublisher.Candidate(
        app: try publisher.app(named: repository.app), version: try UpdateFeed.version(appVersion), platform: platform,
        channel: channel, path: file)
      candidate.deltas = max(deltas, 0)
      let changes = try settings.changes(in: context)
      let keys = try keys.signingKeys(for: publisher, in: context)
      return UpdateChanged(try publisher.publish(candidate, changes, keys: keys))
    }
  }
}
