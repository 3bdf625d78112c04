import Foundation
import MPaaSJSON
import MPaaSPact
import MPaaSSupport
import Synchronization
import Testing

/// The state of one scenario.
final class SuiteWorld {
  let version: PactSpecification

  // Interactions of tables, and the mock.
  var interactions: [Int: PactInteraction] = [:]
  var mock: PactMock?
  var answer: PactMock.Answer?

  // Comparisons and generators.
  var expected = PactRequest()
  var received: [PactRequest] = []
  var expectedResponse = PactResponse()
  var receivedResponse = PactResponse()
  var isResponse = false
  var mismatches: [PactMismatch] = []
  var side = PactGeneration.Side.consumer
  var prepared = PactRequest()
  var preparedResponse = PactResponse()

  // Contracts that are being written.
  var defined: [PactInteraction] = []
  var written: JSONNode?
  var receivedMessage = PactMessage()
  var sentMessage = PactMessage()
  var failure: String?

  // Verification.
  var served: [PactInteraction] = []
  var toVerify: [Pact] = []
  var brokers: [SuiteBroker] = []
  var publishes = false
  var filterHeaders: [PactField] = []
  var stateCallback: (fails: Bool, Void)?
  var calls: [JSONNode] = []
  var asked: [PactRequest] = []
  var messages: [String: PactResponse] = [:]
  var verdicts: [PactVerdict] = []

  init(_ version: PactSpecification) {
    self.version = version
  }

  func interaction(_ number: String) throws -> PactInteraction {
    try #require(Int(number).flatMap { interactions[$0] }, "no interaction \(number)")
  }

  // MARK: Tables

  /// An interaction of a row.
  func interaction(_ row: [String: String]) throws -> PactInteraction {
    var request = PactRequest(), response = PactResponse()
    try apply(row, to: &request)
    try apply(row.filter { $0.key.hasPrefix("response") }, to: &response)
    return PactInteraction("interaction \(row["No"] ?? "")", .http(request, response))
  }

  func apply(_ row: [String: String], to request: inout PactRequest) throws {
    if let method = row["method"], !method.isEmpty { request.method = method }
    if let path = row["path"], !path.isEmpty { request.path = path }
    if let query = row["query"], !query.isEmpty { request.query = QueryText.fields(query) }
    for name in ["headers", "raw headers"] {
      if let headers = row[name], !headers.isEmpty { request.headers = SuiteData.headers(headers) }
    }
    if let type = row["content type"], !type.isEmpty { Self.set(type, &request.headers, replaces: true) }
    try Self.apply(row["body"] ?? "", to: &request.body, &request.headers)
    if let rules = row["matching rules"], !rules.isEmpty { request.rules = try self.rules(rules) }
    if let text = row["generators"], !text.isEmpty { request.generators = try generators(text) }
  }

  func apply(_ row: [String: String], to response: inout PactResponse) throws {
    func cell(_ name: String) -> String? { (row["response \(name)"] ?? row[name]).flatMap { $0.isEmpty ? nil : $0 } }
    if let status = (row["response"] ?? row["status"]).flatMap({ Int($0) }) { response.status = status }
    for field in cell("headers").map({ SuiteData.headers($0) }) ?? [] {
      response.headers.removeAll { $0.name.lowercased() == field.name.lowercased() }
      response.headers.append(field)
    }
    if let type = cell("content") { Self.set(type, &response.headers, replaces: true) }
    try Self.apply(cell("body") ?? "", to: &response.body, &response.headers)
    if let rules = cell("matching rules") { response.rules = try self.rules(rules) }
    if let text = cell("generators") { response.generators = try generators(text) }
  }

  private static func apply(_ cell: String, to body: inout PactBody, _ headers: inout [PactField]) throws {
    guard let (bytes, type) = try SuiteData.body(cell) else { return }
    body = PactBody(bytes)
    // A cell of JSON or XML, or a file, says what it is; other text is what was there.
    if let type {
      set(type, &headers, replaces: cell.hasPrefix("JSON:") || cell.hasPrefix("XML:"))
    } else if !bytes.isEmpty {
      set("text/plain", &headers, replaces: false)
    }
  }

  private static func set(_ type: String, _ headers: inout [PactField], replaces: Bool) {
    if headers.header("content-type") != nil, !replaces { return }
    headers.removeAll { $0.name.lowercased() == "content-type" }
    headers.append(PactField("Content-Type", [type]))
  }

  func rules(_ cell: String) throws -> PactRules {
    try pact(withRequest: [("matchingRules", try SuiteData.fragment(cell))]).rules
  }

  func generators(_ cell: String) throws -> PactGenerators {
    try pact(withRequest: [("generators", try SuiteData.fragment(cell))]).generators
  }

  /// A request that is read from a contract, as all rules are.
  private func pact(withRequest members: [(String, JSONNode)]) throws -> PactRequest {
    let request = JSONNode(.object(members.map { JSONNode.Member(name: $0.0, value: $0.1) }))
    let text = """
      {"consumer": {"name": "c"}, "provider": {"name": "p"}, "interactions": [{"description": "d", "request": \
      \(request.line)}], "metadata": {"pactSpecification": {"version": "\(version.rawValue)"}}}
      """
    let pact = try Pact(reading: Array(text.utf8), file: "table")
    guard case .http(let read, _)? = pact.interactions.first?.content else { throw PactFailure("no request") }
    return read
  }

  // MARK: Contracts

  func pact(_ interactions: [PactInteraction], consumer: String = "c") throws -> Pact {
    // Written and read again, as a verifier gets it.
    let pact = Pact(consumer: consumer, provider: "p", interactions: interactions, specification: version)
    return try Pact(reading: Array(try pact.text().utf8), file: "pact.json")
  }

  func writtenInteraction(_ index: Int) throws -> JSONNode {
    let root = try #require(written)
    return try #require((root["interactions"] ?? root["messages"])?.elements?.dropFirst(index).first)
  }
}

/// A broker that a mock plays, with one contract.
final class SuiteBroker: Sendable {
  let url: String
  let pact: Pact
  private let mock: Mutex<PactMock>
  private let number: String
  let published = Mutex<[JSONNode]>([])

  init(_ pact: Pact, number: String) throws {
    self.pact = pact
    self.number = number
    url = "http://broker-\(number)"
    let own = try Pact(reading: try SuiteData.file("pact-broker_c\(number).json"), file: "broker")
    mock = Mutex(PactMock([own], url: url))
  }

  func answer(_ address: String, _ request: PactRequest) -> Result<PactResponse, PactFailure> {
    var request = request
    request.path = String(address.dropFirst(url.count))
    if request.method == "GET", request.path.hasSuffix("/consumer/c_\(number)") { return document() }
    if request.method == "POST", request.path.hasSuffix("verification-results") {
      published.withLock { $0.append(PactJSON.body(request.body.bytes) ?? JSONNode(.null)) }
    }
    let sent = request
    let answer = mock.withLock { mock in Result { try mock.answer(to: sent, now: 0) } }
    if case .success(.response(let response, _)) = answer { return .success(response) }
    return .failure(PactFailure("\(answer)"))
  }

  private func document() -> Result<PactResponse, PactFailure> {
    let href = "\(url)/pacts/provider/p/consumer/c_\(number)/verification-results"
    guard let node = try? pact.node(), let members = node.members else { return .failure(PactFailure("no node")) }
    let made = members.map { member in
      guard member.name == "interactions" else { return member }
      let id = JSONNode.Member(name: "_id", value: JSONNode(.string("ID\(number)")))
      return JSONNode.Member(
        name: member.name,
        value: JSONNode(.array((member.value.elements ?? []).map { JSONNode(.object(($0.members ?? []) + [id])) })))
    }
    let links = """
      {"pb:publish-verification-results": {"href": "\(href)"}}
      """
    let link = JSONNode.Member(name: "_links", value: PactJSON.body(Array(links.utf8)) ?? JSONNode(.null))
    return .success(
      PactResponse(
        headers: [PactField("Content-Type", ["application/json"])],
        body: PactBody(JSONNode(.object(made + [link])).line)))
  }
}
