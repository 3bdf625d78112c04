import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSPush
import MPaaSSupport
import MPaaSTerminal

extension PushCampaignState: ExpressibleByArgument {}

extension CompletionKind {
  /// The campaigns of the server that a command would ask, the newest first.
  static var pushCampaigns: CompletionKind {
    served(ServerPaths.pushCampaigns) { (page: PushCampaignPage) in
      page.campaigns.map { Candidate($0.id, "\($0.state.rawValue)  \($0.topic)") }
    }
  }
}

extension PushCommand {
  /// `mpaas push campaigns …`: notifications for many installations, sent by the server.
  struct Campaigns: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      var configuration = CommandConfiguration(
        "campaigns", key: "push.campaigns",
        subcommands: [List.self, Create.self, Show.self, Pause.self, Resume.self, Cancel.self])
      configuration.defaultSubcommand = List.self
      return configuration
    }
  }
}

extension PushCommand.Campaigns {
  /// `mpaas push campaigns list`: the newest first.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "push.campaigns.list") }

    @Option(help: .text("command.push.campaigns.state"))
    var state: PushCampaignState?

    @Option(help: .text("command.push.campaigns.limit", valueName: "number"))
    var limit: Int?

    @Option(help: .text("command.push.campaigns.cursor", valueName: "word"))
    var cursor: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushCampaignList {
      let page = try await server.server(in: context).campaigns(state: state, limit: limit, cursor: cursor)
      return PushCampaignList(campaigns: page.campaigns, cursor: page.cursor)
    }
  }

  /// `mpaas push campaigns create FILE`: checks a campaign, and has the server send it.
  struct Create: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("create", key: "push.campaigns.create") }

    @Argument(help: .text("command.push.campaigns.create.file"), completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: .text("command.push.campaigns.create.dry-run"))
    var dryRun = false

    @OptionGroup var app: CampaignAppOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let bytes = try context.data(at: file)
      // A fault of the file is told with its name, before the server is asked.
      do throws(PushError) {
        _ = try withExtendedLifetime(bytes) { () throws(PushError) in try PushCampaign(bytes.buffer) }
      } catch {
        throw error.inFile(file)
      }
      let server = try server.server(in: context)
      if dryRun {
        try results.put(PushCampaignCheckView(check: try await server.checkCampaign(bytes.array, app: app.app)))
      } else {
        try results.put(PushCampaignView(entry: try await server.createCampaign(bytes.array, app: app.app)))
      }
      return .done
    }
  }

  /// `mpaas push campaigns show ID`: a campaign as it was created.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "push.campaigns.show") }

    @OptionGroup var campaign: CampaignOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushCampaignDetailView {
      PushCampaignDetailView(
        detail: try await server.server(in: context).campaign(campaign.id, app: campaign.app.app))
    }
  }

  /// `mpaas push campaigns pause ID`.
  struct Pause: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pause", key: "push.campaigns.pause") }

    @OptionGroup var campaign: CampaignOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushCampaignView {
      try await campaign.change("pause", server.server(in: context))
    }
  }

  /// `mpaas push campaigns resume ID`.
  struct Resume: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("resume", key: "push.campaigns.resume") }

    @OptionGroup var campaign: CampaignOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushCampaignView {
      try await campaign.change("resume", server.server(in: context))
    }
  }

  /// `mpaas push campaigns cancel ID`.
  struct Cancel: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("cancel", key: "push.campaigns.cancel") }

    @OptionGroup var campaign: CampaignOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PushCampaignView {
      try await campaign.change("cancel", server.server(in: context))
    }
  }
}
