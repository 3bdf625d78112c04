import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

extension ServerCommand {
  /// `mpaas server login URL`: keeps a server's address and token for the commands that talk to it.
  struct Login: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("login", key: "server.login") }

    @Argument(help: .text("command.server.login.url"))
    var url: String

    @Option(help: .text("command.server.login.token-file", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Option(help: .text("command.server.login.profile", valueName: "name"), completion: .serverProfiles)
    var profile = ServerProfiles.standard

    @Option(help: .text("command.log.certificates", valueName: "file"), completion: .file())
    var certificates: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ServerChange {
      let authorities = certificates.map { FileSystem.resolved($0) ?? $0 }
      let token = try token(in: context)
      let login = try ServerLogin(ServerProfile(name: profile, url: url, token: token, certificates: authorities))
      let settings = HTTPSettings(certificates: authorities)
      try await login.run(keepingIn: context.servers, .live(userAgent: "mpaas", settings: settings))
      return ServerChange(login.profile, isKept: true, file: context.servers.path(profile))
    }

    /// The token of a file, standard input or the environment; else a person is asked.
    private func token(in context: Context) throws -> String {
      var token =
        try tokenFile.map { try TokenFile.read($0, in: context) } ?? context.environment.variable("MPAAS_TOKEN")
      if token == nil {
        let question = context.catalogue.text("text.server-token-ask", ["url": url])
        token = String(decoding: try context.terminal.askSecret(question, option: "--token-file"), as: UTF8.self)
      }
      guard let token, !token.isEmpty else { throw Diagnostic("server-token-empty", exit: .usage) }
      return token
    }
  }

  /// `mpaas server logout`: forgets a server and its token.
  struct Logout: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("logout", key: "server.logout") }

    @Option(help: .text("command.server.logout.profile", valueName: "name"), completion: .serverProfiles)
    var profile = ServerProfiles.standard

    @OptionGroup var common: CommonOptions

    func run(in context: Context) throws -> ServerChange {
      let file = context.servers.path(profile)
      return ServerChange(try context.servers.forget(profile), isKept: false, file: file)
    }
  }
}

/// A server that was logged in to or out of.
struct ServerChange: Presentable {
  let name: String
  let url: String
  let file: String
  /// True after a login.
  let isKept: Bool

  private enum CodingKeys: String, CodingKey {
    case name, url, file
    case isKept = "logged_in"
  }

  init(_ profile: ServerProfile, isKept: Bool, file: String) {
    name = profile.name
    url = profile.url
    self.file = file
    self.isKept = isKept
  }

  func document(_ catalogue: Catalogue) -> Document {
    let key = isKept ? "text.server-logged-in" : "text.server-logged-out"
    return [.line(StyledText(catalogue.text(key, ["name": name, "url": url, "file": file]), .good))]
  }
}
