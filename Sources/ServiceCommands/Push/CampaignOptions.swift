import ArgumentParser
import CommandKit
import MPaaSAppServicesTools
import MPaaSLogUpload
import MPaaSTerminal

/// The app that a campaign is of.
struct CampaignAppOptions: ParsableArguments {
  @Option(help: .text("command.push.campaigns.app", valueName: "key"))
  var app: String?
}

/// A campaign of the server.
struct CampaignOptions: ParsableArguments {
  @Argument(help: .text("command.push.campaigns.id"), completion: .pushCampaigns)
  var id: String

  @OptionGroup var app: CampaignAppOptions

  /// Pauses, resumes or cancels it.
  func change(_ wish: String, _ server: LogServer) async throws -> PushCampaignView {
    PushCampaignView(entry: try await server.changeCampaign(id, wish, app: app.app))
  }
}
