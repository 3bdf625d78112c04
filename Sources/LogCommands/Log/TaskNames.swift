package import ArgumentParser
package import CommandKit
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
    served(ServerPaths.tasks) { (page: CollectionTaskPage) in
      page.tasks.filter { !isOpen || !$0.state.isFinal }.map { Candidate($0.id, "\($0.state.rawValue)  \($0.user)") }
    }
  }

  /// Names that the server of a command tells at a path, for its first argument; none where it does not answer within a
  /// second.
  package static func served<Answer: Decodable & Sendable>(
    _ path: String, _ names: @escaping @Sendable (Answer) -> [Candidate]
  ) -> CompletionKind {
    candidates { input in
      guard input.arguments.isEmpty, let server = try TypedServer(input), let answer: Answer = try server.get(path)
      else {
        return Candidates()
      }
      return Candidates(names(answer))
    }
  }
}

/// The server of a command that is being typed, chosen as `ServerOptions` does for one that runs.
package struct TypedServer {
  let url: String
  let token: String?
  let certificates: String?

  /// Nil where nothing names one.
  package init?(_ input: CompletionInput) throws {
    let servers = ServerProfiles(configuration: input.directories.configuration)
    let name = input.option("--profile")
    let profile = try servers.profile(name)
    func variable(_ key: String) -> String? { name == nil ? input.environment.variable(key) : nil }
    guard var url = input.option("--server") ?? variable("MPAAS_SERVER_URL") ?? profile?.url else { return nil }
    let file = try input.option("--token-file").map { TokenFile.token(in: try Bytes.reading($0, limit: 4096)) }
    token =
      input.option("--token") ?? file ?? variable("MPAAS_TOKEN") ?? (profile?.url == url ? profile?.token : nil)
      ?? servers.token(for: url)
    certificates = input.option("--certificates") ?? profile?.certificates
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url
  }

  /// The answer to a question as a value; nil where there is none.
  func get<Answer: Decodable>(_ path: String) throws -> Answer? {
    try body(path).map { try JSONDecoder().decode(Answer.self, from: Data($0)) }
  }

  /// The answer to a question; nil where the server refuses, or takes longer than a shell waits.
  package func body(_ path: String) throws -> [UInt8]? {
    var limits = HTTPRequest.Limits()
    limits.total = .seconds(1)
    let headers = token.map { [("Authorization", "Bearer " + $0)] } ?? []
    let client = HTTPClient.live(userAgent: "mpaas", settings: HTTPSettings(certificates: certificates))
    let reply = try client.exchange(HTTPCall("GET", url + path, headers: headers, limits: limits))
    return reply.isSuccess ? reply.body : nil
  }
}
