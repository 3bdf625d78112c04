import ArgumentParser
import CommandKit
import MPaaSAppServices
import MPaaSAppServicesTools
import MPaaSTerminal

extension UpdateCommand {
  /// `mpaas update list`: the versions in a repository, the newest first.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "update.list") }

    @Option(help: .text("command.update.platform", valueName: "system"), completion: .updatePlatforms)
    var platform: String?

    @OptionGroup var repository: UpdateRepositoryOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> UpdateList {
      let publisher = try repository.publisher(in: context)
      let feeds = try publisher.feeds().filter { feed in repository.app.map { $0 == feed.app } ?? true }
      return UpdateList(
        releases: feeds.flatMap { feed in
          feed.releases.filter { release in platform.map { $0 == release.platform } ?? true }
            .sorted { $0.version > $1.version }.map { ReleaseView($0, app: feed.app) }
        })
    }
  }
}

/// Versions, the newest first within an app.
struct UpdateList: Presentable {
  let releases: [ReleaseView]

  func document(_ catalogue: Catalogue) -> Document {
    guard !releases.isEmpty else { return [.line(StyledText(catalogue.text("text.update-none"), .faint))] }
    var document = Document()
    var apps: [String] = []
    for release in releases where !apps.contains(release.app) { apps.append(release.app) }
    for app in apps {
      document.line(StyledText(app, .heading))
      document.table(ReleaseView.table(releases.filter { $0.app == app }, catalogue))
    }
    return document
  }
}
