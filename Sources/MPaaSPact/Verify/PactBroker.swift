import MPaaSJSON
import MPaaSSupport

/// A broker of contracts: the contracts of a provider, and where results go.
///
/// - Source: https://docs.pact.io/pact_broker/advanced_topics/api_docs, relations of HAL.
package struct PactBroker: Sendable {
  /// A contract as a broker keeps it.
  package struct Entry: Sendable {
    package let pact: Pact
    package let url: String
    /// The address that takes results; nil where the broker names none.
    package let results: String?
    /// The broker's names of the interactions, in their order.
    package let interactions: [String?]
  }

  /// The most contracts that are asked for.
  package static let most = 1000

  package let url: String
  private let send: @Sendable (_ url: String, PactRequest) async -> Result<PactResponse, PactFailure>

  package init(
    _ url: String, send: @escaping @Sendable (String, PactRequest) async -> Result<PactResponse, PactFailure>
  ) {
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.send = send
  }

  /// The contracts that a provider is to hold to.
  package func entries(of provider: String) async throws -> [Entry] {
    let root = try await document("\(url)/", PactRequest(path: "/"))
    guard let link = root["_links"]?["pb:provider-pacts-for-verification"]?["href"]?.string else {
      throw PactFailure("no link pb:provider-pacts-for-verification")
    }
    let list = link.replacing(all: "{provider}", with: PercentEncoding.encode(provider))
    let selectors: JSONNode = .object([
      ("consumerVersionSelectors", JSONNode(.array([]))), ("includePendingStatus", JSONNode(.bool(false))),
    ])
    let found = try await document(list, Self.post(selectors))
    var entries: [Entry] = []
    for pact in (found["_embedded"]?["pacts"]?.elements ?? []).prefix(Self.most) {
      guard let href = pact["_links"]?["self"]?["href"]?.string else { continue }
      let node = try await document(href, PactRequest(path: "/"))
      let names = (node["interactions"]?.elements ?? node["messages"]?.elements ?? []).map { $0["_id"]?.string }
      entries.append(
        Entry(
          pact: try Pact(node, file: href), url: href,
          results: node["_links"]?["pb:publish-verification-results"]?["href"]?.string, interactions: names))
    }
    return entries
  }

  /// Tells the broker how a verification came out; false where it names no address for that.
  package func publish(
    _ verdicts: [PactVerdict], of entry: Entry, version: String, kit: String
  ) async throws -> Bool {
    guard let results = entry.results else { return false }
    let tests = verdicts.map { result($0, of: entry) }
    let body: JSONNode = .object([
      ("success", JSONNode(.bool(!verdicts.contains(where: \.isFailure)))),
      ("providerApplicationVersion", .text(version)), ("testResults", JSONNode(.array(tests))),
      ("verifiedBy", .object([("implementation", .text("mpaaskit")), ("version", .text(kit))])),
    ])
    _ = try await answer(results, Self.post(body))
    return true
  }

  private func result(_ verdict: PactVerdict, of entry: Entry) -> JSONNode {
    let place = entry.pact.interactions.firstIndex(of: verdict.interaction)
    let name = place.flatMap { $0 < entry.interactions.count ? entry.interactions[$0] : nil }
    var members: [(String, JSONNode)] = [
      ("interactionId", .text(name ?? verdict.interaction.description)),
      ("success", JSONNode(.bool(verdict.hasPassed))),
    ]
    if !verdict.hasPassed {
      let mismatches = verdict.mismatches.map { mismatch -> JSONNode in
        .object([("attribute", .text(mismatch.part.rawValue)), ("description", .text(mismatch.description))])
      }
      members.append(("interactionDescription", .text(verdict.interaction.description)))
      members.append(("mismatches", JSONNode(.array(mismatches))))
    }
    return .object(members)
  }

  private static func post(_ node: JSONNode) -> PactRequest {
    PactRequest(
      method: "POST", headers: [PactField("Content-Type", ["application/json"])], body: PactBody(node.line))
  }

  private func document(_ url: String, _ request: PactRequest) async throws -> JSONNode {
    try PactJSON.read(try await answer(url, request).body.bytes, file: url)
  }

  private func answer(_ url: String, _ request: PactRequest) async throws -> PactResponse {
    let response = try await send(url, request).get()
    guard (200...299).contains(response.status) else { throw PactFailure("\(url): status \(response.status)") }
    return response
  }
}
