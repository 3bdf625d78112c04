import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CompletionKind {
  /// The collection tasks of the server that a command would ask, the newest first; those that have not ended, or all.
  ///
  /// A server that does not answer within a second has none: a shell waits for it.
  static func collectionTasks(isOpen: Bool) -> CompletionKind {
    candidates { input in
      guard input.arguments.isEmpty, let server = try TaskServer(input) else { return Candidates() }
      let tasks = try server.tasks().filter { !isOpen || !$0.state.isFinal }
      return Candidates(tasks.map { Candidate($0.id, "\($0.state.rawValue)  \($0.user)") })
    }
  }
}

/// The server of a command that is being typed, chosen as `ServerOptions` does for one that runs.
private struct TaskServer {
  let url: String
  let token: String?
  let certificates: String?

  /// Nil where nothing names one.
  init?(_ input: CompletionInput) throws {
    let servers = ServerProfiles(configuration: input.directories.configuration)
    let name = input.option("--profile")
    let profile = try servers.profile(name)
    func variable(_ key: String) -> String? { name == nil ? input.environment.variable(key) : nil }
    guard var url = input.option("--server") ?? variable("MPAAS_SERVER_URL") ?? profile?.url else { return nil }
    let file = try input.option("--token-file").map { TokenFile.token(in: try Bytes.reading($0, limit: 4096)) }
    token =
      file ?? variable("MPAAS_TOKEN") ?? (profile?.url == url ? profile?.token : nil) ?? servers.token(for: url)
    certificates = input.option("--certificates") ?? profile?.certificates
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url
  }

  func tasks() throws -> [CollectionTask] {
    var limits = HTTPRequest.Limits()
    limits.total = .seconds(1)
    let headers = token.map { [("Authorization", "Bearer " + $0)] } ?? []
    let client = HTTPClient.live(userAgent: "mpaas", settings: HTTPSettings(certificates: certificates))
    let reply = try client.exchange(HTTPCall("GET", url + ServerPaths.tasks, headers: headers, limits: limits))
    guard reply.isSuccess else { return [] }
    return try JSONDecoder().decode(CollectionTaskPage.self, from: Data(reply.body)).tasks
  }
}
