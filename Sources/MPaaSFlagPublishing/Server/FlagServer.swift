package import MPaaSFlags
package import MPaaSLogUpload
import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The flags of a server (`mpaas serve`), as those who set them know them.
package struct FlagServer: Sendable {
  package let server: LogServer
  /// The app by its key or name; nil for that of the token.
  package let app: String?
  /// The environment; nil for `production`.
  package let environment: String?

  package init(_ server: LogServer, app: String? = nil, environment: String? = nil) {
    (self.server, self.app, self.environment) = (server, app, environment)
  }

  // MARK: - Reading

  /// The state of an environment, or an earlier one.
  package func state(version: Int? = nil) async throws(FlagError) -> WrittenFlags {
    try WrittenFlags(try await ask("GET", FlagPaths.flags, [("version", version.map { "\($0)" })]).body)
  }

  /// Versions, the newest first.
  ///
  /// - Parameter flag: The flag that all of them change; nil for all.
  package func history(
    before: Int? = nil, limit: Int? = nil, flag: String? = nil
  ) async throws(FlagError) -> FlagHistoryPage {
    let query = [("before", before.map { "\($0)" }), ("limit", limit.map { "\($0)" }), ("flag", flag)]
    return try await value("GET", FlagPaths.history, query)
  }

  /// A version with all its changes.
  package func version(_ number: Int) async throws(FlagError) -> FlagVersion {
    try await value("GET", FlagPaths.history + "/\(number)")
  }

  /// Proposals, the newest first.
  package func proposals(_ state: FlagProposal.State? = nil) async throws(FlagError) -> [FlagProposal] {
    let page: FlagProposalPage = try await value("GET", FlagPaths.proposals, [("state", state?.rawValue)])
    return page.proposals
  }

  /// A proposal with all its changes.
  package func proposal(_ id: String) async throws(FlagError) -> FlagProposal {
    try await value("GET", Self.path(id))
  }

  // MARK: - Changing

  /// Makes a new version; where nothing would change it is the one at hand, without changes.
  package func change(_ request: FlagChangeRequest) async throws(FlagError) -> FlagVersion {
    try await value("POST", FlagPaths.changes, body: request.json)
  }

  package func propose(_ request: FlagChangeRequest) async throws(FlagError) -> FlagProposal {
    try await value("POST", FlagPaths.proposals, body: request.json)
  }

  package func approve(_ id: String) async throws(FlagError) -> FlagProposal {
    try await value("POST", Self.path(id, "approve"))
  }

  package func withdraw(_ id: String) async throws(FlagError) -> FlagProposal {
    try await value("POST", Self.path(id, "withdraw"))
  }

  /// Publishes a proposal, at once or at a time in seconds since 1970.
  package func publish(_ id: String, at time: Double? = nil) async throws(FlagError) -> FlagProposal {
    try await value("POST", Self.path(id, "publish"), body: time.map { "{\"at\":\($0)}" })
  }

  private static func path(_ proposal: String, _ verb: String? = nil) -> String {
    ([FlagPaths.proposals, PercentEncoding.encode(proposal)] + [verb].compactMap(\.self)).joined(separator: "/")
  }

  // MARK: - Asking

  /// The address of a path, with what tells the app and the environment.
  func address(_ path: String, _ query: [(String, String?)] = []) -> String {
    let words = ([("app", app), ("environment", environment)] + query).compactMap { name, value in
      value.map { "\(name)=\(PercentEncoding.encode($0))" }
    }
    return server.url + path + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
  }

  private func ask(
    _ method: String, _ path: String, _ query: [(String, String?)] = [], body: String? = nil
  ) async throws(FlagError) -> HTTPReply {
    var call = HTTPCall(method, address(path, query), headers: server.headers)
    // The reader of states tells of one that passes its limit.
    call.answerLimit = 64 << 20
    if let body {
      call.body = [.bytes(Bytes(Array(body.utf8)))]
      call.headers.append(("Content-Type", "application/json"))
    }
    let reply: HTTPReply
    do throws(HTTPError) { reply = try await server.client.answer(to: call) } catch { throw FlagError(error) }
    guard reply.isSuccess else { throw FlagError(refusal: reply, server.url + path) }
    return reply
  }

  private func value<Answer: Decodable>(
    _ method: String, _ path: String, _ query: [(String, String?)] = [], body: String? = nil
  ) async throws(FlagError) -> Answer {
    let reply = try await ask(method, path, query, body: body)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(reply.body))
    } catch {
      throw FlagError(LogError(.answerMalformed, ["url": server.url + path, "reason": reply.reason]))
    }
  }
}
