import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSTerminal

/// `mpaas server …`: the servers that the user is logged in to.
struct ServerCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("server", key: "server", subcommands: [Login.self, Logout.self, List.self])
  }
}

extension ServerCommand {
  /// `mpaas server list`: the servers that commands find.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "server.list") }

    @OptionGroup var common: CommonOptions

    func run(in context: Context) -> KnownServers {
      KnownServers(profiles: context.servers.all.map { KnownServers.Profile($0, file: context.servers.path($0.name)) })
    }
  }
}

/// The servers that the user is logged in to.
struct KnownServers: Presentable {
  struct Profile: Encodable {
    let name: String
    let url: String
    let hasToken: Bool
    let file: String

    init(_ profile: ServerProfile, file: String) {
      name = profile.name
      url = profile.url
      hasToken = profile.token != nil
      self.file = file
    }
  }

  let profiles: [Profile]

  func document(_ catalogue: Catalogue) -> Document {
    guard !profiles.isEmpty else { return [.line(StyledText(catalogue.text("text.server-none")))] }
    var document = Document()
    document.table(
      Table(
        columns: ["name", "address", "token"].map { .init(catalogue.text("text.server-column-\($0)")) },
        rows: profiles.map { profile in
          let token = catalogue.text(profile.hasToken ? "text.server-token-kept" : "text.server-token-none")
          return [StyledText(profile.name, .emphasis), StyledText(profile.url), StyledText(token)]
        }))
    return document
  }
}
