import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport
package import MPaaSTransfer

/// A login: the token is tried at the server, then kept.
package struct ServerLogin: Sendable {
  package let profile: ServerProfile

  /// - Throws: `log-server-address` where the address is none of a server.
  package init(_ profile: ServerProfile) throws(LogError) {
    guard profile.url.hasPrefix("http://") || profile.url.hasPrefix("https://") else {
      throw LogError(.serverAddress, ["url": profile.url])
    }
    var url = profile.url
    while url.hasSuffix("/") { url.removeLast() }
    self.profile = ServerProfile(
      name: profile.name, url: url, token: profile.token, certificates: profile.certificates)
  }

  /// Asks the server, and keeps the profile where the token is one that it knows.
  ///
  /// - Throws: `log-profile-taken` where the name stands for another server; `log-server-not-permitted` where the server
  ///   does not know the token; why there is no answer.
  package func run(keepingIn profiles: ServerProfiles, _ client: HTTPClient) async throws(LogError) {
    if profiles.names.contains(profile.name), let known = try profiles.profile(profile.name), known.url != profile.url {
      throw LogError(.profileTaken, ["name": profile.name, "url": known.url])
    }
    try await check(LogServer(profile.url, token: profile.token, client: client))
    try profiles.keep(profile)
  }

  /// Statistics are for whoever may read; a token for less is known, too, and is told so (403).
  private func check(_ server: LogServer) async throws(LogError) {
    do throws(LogError) {
      _ = try await server.ask("GET", "/api/v1/statistics")
    } catch {
      guard error.values["status"] == "403" else { throw error }
    }
  }
}

extension LogError.Code {
  static var serverAddress: Self { Self("log-server-address", exit: .usage) }
}
