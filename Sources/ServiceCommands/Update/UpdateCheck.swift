import ArgumentParser
import CommandKit
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSDigests
import MPaaSSupport
import MPaaSTerminal

extension UpdateCommand {
  /// `mpaas update check`: the answer that an app would get, verified as an app does.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "update.check") }

    @Option(help: .text("command.update.check.repository", valueName: "address"), completion: .directory)
    var repository: String?

    @Option(help: .text("command.update.check.root", valueName: "file"), completion: .file(extensions: ["json"]))
    var root: String

    @Option(help: .text("command.update.check.metadata", valueName: "folder"), completion: .directory)
    var metadataDir: String?

    @Option(help: .text("command.update.check.app", valueName: "app"), completion: .updateApps)
    var app: String

    @Option(help: .text("command.update.check.installed", valueName: "version"))
    var appVersion: String

    @Option(help: .text("command.update.platform", valueName: "system"), completion: .updatePlatforms)
    var platform = "ios"

    @Option(help: .text("command.update.channel", valueName: "channel"), completion: .updateChannels)
    var channel = "release"

    @Option(help: .text("command.update.check.system-version", valueName: "version"))
    var systemVersion: String?

    @Option(help: .text("command.update.check.device", valueName: "id"))
    var device: String?

    @Option(help: .text("command.update.check.download", valueName: "file"), completion: .file())
    var download: String?

    @Option(
      name: .customLong("package"), help: .text("command.update.check.package", valueName: "file"), completion: .file())
    var installed: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> UpdateCheckResult {
      guard let repository = repository ?? context.environment["MPAAS_REPOSITORY"], !repository.isEmpty else {
        throw Diagnostic("update-no-repository", exit: .usage)
      }
      var request = UpdateRequest(appKey: app, version: appVersion, systemPlatform: platform)
      (request.channel, request.systemVersion, request.deviceID) = (channel, systemVersion, device)
      // One folder for each repository, so that an older feed is refused by this command, too.
      let name = Array(repository.utf8).sha256.prefix(10).hexadecimal
      let folder = metadataDir ?? context.directories.cache + "/updates/" + name
      var configuration = UpdateConfiguration(
        folder: folder, root: try Bytes.reading(root, limit: 1 << 20).array, mirrors: [repository], request: request)
      configuration.now = context.now
      let service = UpdateService(configuration)
      let answer = try await service.checkUpdate()
      var brought: UpdateDownload?
      if let download, let offer = answer.offer {
        brought = try await service.download(offer, to: download, installed: installed)
      }
      return UpdateCheckResult(answer, request, brought, language: context.catalogue.language.rawValue)
    }
  }
}

/// The answer to a check.
struct UpdateCheckResult: Presentable {
  struct Download: Encodable {
    let path: String
    let fetched: Int
    let delta: Bool
  }

  let installed: String
  let updateAvailable: Bool
  let forced: Bool
  let asksUser: Bool
  let prompt: String?
  let feedVersion: Int
  let notes: String?
  let release: ReleaseView?
  let download: Download?

  private enum CodingKeys: String, CodingKey {
    case installed, forced, prompt, notes, release, download
    case updateAvailable = "update_available"
    case asksUser = "asks_user"
    case feedVersion = "feed_version"
  }

  init(_ answer: UpdateAnswer, _ request: UpdateRequest, _ download: UpdateDownload?, language: String) {
    installed = request.version
    updateAvailable = answer.isUpdateAvailable
    forced = answer.isForced
    asksUser = answer.asksUser
    prompt = answer.offer?.prompt.rawValue
    feedVersion = answer.feedVersion
    notes = answer.offer?.notes(in: language)
    release = answer.offer.map { ReleaseView($0.release, app: request.appKey) }
    self.download = download.map { Download(path: $0.path, fetched: $0.fetched, delta: $0.usedDelta) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard let release else {
      return [.line(StyledText(catalogue.text("text.update-current", ["version": installed]), .good))]
    }
    var document = Document()
    let key = forced ? "text.update-forced" : "text.update-available"
    document.line(
      StyledText(catalogue.text(key, ["version": release.version, "installed": installed]), forced ? .warning : .good))
    for line in (notes ?? "").split(separator: "\n") { document.line(StyledText("  " + line)) }
    if let download {
      let key = download.delta ? "text.update-fetched-delta" : "text.update-fetched"
      let size = ByteCount(UInt64(download.fetched)).description
      document.line(StyledText(catalogue.text(key, ["path": download.path, "size": size])))
    }
    return document
  }
}
