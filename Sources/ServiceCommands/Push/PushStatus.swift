import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension PushDeliveryState: ExpressibleByArgument {}

extension PushCommand {
  /// `mpaas push status CAMPAIGN`: a campaign's numbers, and its outcomes one by one.
  struct Status: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("status", key: "push.status") }

    @OptionGroup var campaign: CampaignOptions

    @Option(help: .text("command.push.status.list"))
    var list: [PushDeliveryState] = []

    @Option(help: .text("command.push.status.limit", valueName: "number"))
    var limit = 100

    @Option(help: .text("command.push.status.cursor", valueName: "word"))
    var cursor: String?

    @Flag(help: .text("command.push.status.wait"))
    var wait = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (1...1000).contains(limit) else { throw ValidationError(Catalogue.current.text("text.list-limit")) }
      guard list.count <= 1 || cursor == nil else {
        throw ValidationError(Catalogue.current.text("text.push-status-cursor"))
      }
    }

    func run(in context: Context) async throws -> PushStatusView {
      let (id, app, server) = (campaign.id, campaign.app.app, try server.server(in: context))
      var entry = try await server.campaign(id, app: app).campaign
      let progress = context.terminal.progress(id, total: UInt64(clamping: entry.counts.audience))
      var shown: Int64 = 0
      while wait, !entry.state.isFinal, entry.state != .paused {
        try await Task.sleep(for: .milliseconds(500))
        entry = try await server.campaign(id, app: app).campaign
        progress.advance(by: UInt64(clamping: entry.counts.asked - shown))
        shown = max(shown, entry.counts.asked)
      }
      progress.finish()
      // Those that people look for, where nothing is named.
      let states = list.isEmpty && cursor == nil ? [.failed, .unknown] : list.map(Optional.some)
      var view = PushStatusView(entry: entry)
      for state in states.isEmpty ? [nil] : states {
        let page = try await server.deliveries(id, state, app: app, limit: limit, cursor: cursor)
        view.deliveries += page.deliveries
        if states.count <= 1 { view.cursor = page.cursor }
        view.hasMore = view.hasMore || page.cursor != nil
      }
      return view
    }
  }
}
