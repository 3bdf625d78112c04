package import ArgumentParser
package import CommandKit
package import MPaaSLogReading
package import MPaaSLogUpload
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
package import MPaaSTransfer

/// The choice of a server of ours, and of the token for it.
package struct ServerOptions: ParsableArguments {
  @Option(help: .text("command.log.server", valueName: "url"))
  package var server: String?

  @Option(help: .text("command.log.token-file", valueName: "file"), completion: .file())
  package var tokenFile: String?

  @Option(help: .text("command.log.profile", valueName: "name"), completion: .serverProfiles)
  package var profile: String?

  @Option(help: .text("command.log.certificates", valueName: "file"), completion: .file())
  package var certificates: String?

  package init() {}

  /// The server by the options, then by `MPAAS_SERVER_URL` and `MPAAS_TOKEN`, then by the profile; an address that a
  /// profile is for gets that one's token.
  ///
  /// - Throws: `log-server-missing` where nothing names one.
  package func server(in context: Context) throws -> LogServer {
    let environment = context.environment
    let given = try context.serverProfile(profile)
    guard let url = server ?? (profile == nil ? environment.variable("MPAAS_SERVER_URL") : nil) ?? given?.url else {
      throw Diagnostic("log-server-missing", ["folder": context.servers.folder], exit: .usage)
    }
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
      throw Diagnostic("log-server-address", ["url": url], exit: .usage)
    }
    let named = try tokenFile.map { try TokenFile.read($0, in: context) }
    // A profile's token is for the profile's server.
    let token =
      named ?? (profile == nil ? environment.variable("MPAAS_TOKEN") : nil)
      ?? (given?.url == url ? given?.token : nil) ?? context.servers.token(for: url)
    let settings = HTTPSettings(certificates: certificates ?? given?.certificates)
    var server = LogServer(url, token: token, client: .live(userAgent: "mpaas", settings: settings))
    server.language = context.catalogue.language.rawValue
    return server
  }

  /// The options by which a queue of transfers reaches the same server.
  package func transferOptions(in context: Context) throws -> TransferOptions {
    var options = TransferOptions()
    options.userAgent = "mpaas/\(KitVersion.current.version)"
    options.certificates = try authorities(in: context)
    return options
  }

  /// The file of authorities that the server's certificate is held against; nil for those of the system.
  package func authorities(in context: Context) throws -> String? {
    try certificates ?? context.serverProfile(profile, warns: false)?.certificates
  }
}

extension Context {
  /// The servers that the user is logged in to.
  package var servers: ServerProfiles { ServerProfiles(configuration: directories.configuration) }

  /// The tokens of all profiles, by the addresses that they are for.
  package func profileTokens() -> [(url: String, token: String)] {
    servers.all.compactMap { profile in profile.token.map { (profile.url, $0) } }
  }

  /// The profile of that name, or `default`; with a warning where others can read its token.
  fileprivate func serverProfile(_ name: String?, warns: Bool = true) throws -> ServerProfile? {
    guard let profile = try servers.profile(name) else { return nil }
    if warns, profile.token != nil, servers.isOpen(profile.name) {
      terminal.warning(Diagnostic("log-profile-open", ["path": servers.path(profile.name)], exit: .done))
    }
    return profile
  }
}
