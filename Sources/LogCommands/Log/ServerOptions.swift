package import ArgumentParser
package import CommandKit
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

  @Option(help: .text("command.log.profile", valueName: "name"))
  package var profile: String?

  @Option(help: .text("command.log.certificates", valueName: "file"), completion: .file())
  package var certificates: String?

  package init() {}

  /// The server by the options, then by `MPAAS_SERVER_URL` and `MPAAS_TOKEN`, then by the profile.
  ///
  /// - Throws: `log-server-missing` where nothing names one.
  package func server(in context: Context) throws -> LogServer {
    let environment = context.environment
    let given = try ServerProfile(profile, in: context)
    guard let url = server ?? (profile == nil ? environment.variable("MPAAS_SERVER_URL") : nil) ?? given?.url else {
      throw Diagnostic("log-server-missing", ["folder": ServerProfile.folder(context)], exit: .usage)
    }
    guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
      throw Diagnostic("log-server-address", ["url": url], exit: .usage)
    }
    // A profile's token is for the profile's server.
    let own = given.flatMap { $0.url == url ? $0.token : nil }
    let token = try tokenFile.map(TokenFile.read) ?? (profile == nil ? environment.variable("MPAAS_TOKEN") : nil) ?? own
    let settings = HTTPSettings(certificates: certificates ?? given?.certificates)
    return LogServer(url, token: token, client: .live(userAgent: "mpaas", settings: settings))
  }

  /// The options by which a queue of transfers reaches the same server.
  package func transferOptions(in context: Context) throws -> TransferOptions {
    var options = TransferOptions()
    options.userAgent = "mpaas/\(KitVersion.current.version)"
    options.certificates = try certificates ?? ServerProfile(profile, in: context, warns: false)?.certificates
    return options
  }
}

extension Context {
  /// The tokens of all profiles, by the addresses that they are for.
  ///
  /// What is no profile, or names no token, is passed over.
  package func profileTokens() -> [(url: String, token: String)] {
    guard (try? OwnFolder.check(ServerProfile.folder(self))) != nil else { return [] }
    let names = (try? FileSystem.names(in: ServerProfile.folder(self))) ?? []
    return names.filter { $0.hasSuffix(".json") }.compactMap { file in
      let path = ServerProfile.folder(self) + "/" + file
      guard let profile = try? ServerProfile(reading: path), let token = profile.token else { return nil }
      return (profile.url, token)
    }
  }
}

/// A server and its token in the configuration folder: `servers/NAME.json`, as `mpaas serve --json` prints it.
private struct ServerProfile {
  package let url: String
  package let token: String?
  package let certificates: String?

  package static func folder(_ context: Context) -> String { context.directories.configuration + "/servers" }

  /// - Parameter name: nil is `default`, which may be missing.
  package init?(_ name: String?, in context: Context, warns: Bool = true) throws {
    let path = "\(Self.folder(context))/\(PercentEncoding.encode(name ?? "default")).json"
    guard let status = FileStatus(path) else {
      guard let name else { return nil }
      let names = ((try? FileSystem.names(in: Self.folder(context))) ?? []).filter { $0.hasSuffix(".json") }
      let near = closestMatch(to: name, among: names.map { String($0.dropLast(5)) })
      throw Diagnostic(
        "log-profile-missing", ["name": name, "path": path, "near": near ?? "–"], exit: .badConfiguration)
    }
    // Another's profile would send logs to another's server.
    try OwnFolder.check(Self.folder(context))
    try self.init(reading: path)
    if warns, token != nil, status.permissions & 0o077 != 0 {
      context.terminal.warning(Diagnostic("log-profile-open", ["path": path], exit: .done))
    }
  }

  package init(reading path: String) throws {
    let bytes = try Bytes.reading(path, limit: 1 << 20)
    guard let object = try? JSONValue(reading: bytes.buffer).object, let url = object["url"]?.string else {
      throw Diagnostic("log-profile-malformed", ["path": path], at: .file(path), exit: .badConfiguration)
    }
    self.url = url
    token = object["token"]?.string
    certificates = object["certificates"]?.string
  }
}
