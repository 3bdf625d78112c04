package import MPaaSJSON

/// A stub: the requests that it is for, and its answer.
package struct StubMapping: Sendable {
  /// A state that is needed, and one that follows.
  package struct Scenario: Sendable, Equatable {
    package var name: String
    package var required: String?
    package var next: String?

    package init(_ name: String, required: String? = nil, next: String? = nil) {
      self.name = name
      self.required = required
      self.next = next
    }

    /// The state that every scenario begins in.
    package static let started = "Started"
  }

  /// The priority of stubs that have none.
  package static let usualPriority = 5

  /// A UUID; empty until the stubs give it one.
  package var id: String
  package var name: String?
  package var request: RequestPattern
  package var response: ResponseDefinition
  /// From 1, which comes first.
  package var priority: Int?
  package var scenario: Scenario?
  package var isPersistent: Bool?
  package var metadata: JSONNode?
  /// Members that are not known, as they were read.
  package var others: [JSONNode.Member] = []

  package init(_ request: RequestPattern, _ response: ResponseDefinition, id: String = "", name: String? = nil) {
    self.request = request
    self.response = response
    self.id = id
    self.name = name
  }

  private static let known: Set<String> = [
    "id", "uuid", "name", "request", "response", "persistent", "priority", "scenarioName", "requiredScenarioState",
    "newScenarioState", "metadata",
  ]

  /// Reads a stub.
  ///
  /// - Throws: The path of the first fault.
  package init(_ reader: StubReader) throws(StubProblem) {
    others = try reader.others(than: Self.known)
    let identity = reader["id"] ?? reader["uuid"]
    id = try identity?.string() ?? ""
    guard Self.isUUID(id) || id.isEmpty else { throw (identity ?? reader).problem("is no UUID") }
    name = try reader.text("name")
    request =
      try reader["request"].map { given throws(StubProblem) in try RequestPattern(given) } ?? RequestPattern()
    response =
      try reader["response"].map { given throws(StubProblem) in try ResponseDefinition(given) } ?? ResponseDefinition()
    isPersistent = try reader.flag("persistent")
    priority = try reader["priority"]?.whole(1...Int(Int32.max))
    if let name = try reader.text("scenarioName") {
      scenario = Scenario(
        name, required: try reader.text("requiredScenarioState"), next: try reader.text("newScenarioState"))
    }
    metadata = reader["metadata"]?.node
  }

  /// Reads a stub of JSON.
  package init(_ node: JSONNode) throws(StubProblem) { try self.init(StubReader(node)) }

  private static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// The stub as JSON.
  package var document: JSONNode {
    let identity = id.isEmpty ? nil : JSONNode.text(id)
    let known: [(String, JSONNode?)] = [
      ("id", identity), ("name", name.map { .text($0) }), ("request", request.document),
      ("response", response.document), ("uuid", identity), ("persistent", isPersistent.map { .flag($0) }),
      ("priority", priority.map { .whole($0) }), ("scenarioName", scenario.map { .text($0.name) }),
      ("requiredScenarioState", scenario?.required.map { .text($0) }),
      ("newScenarioState", scenario?.next.map { .text($0) }), ("metadata", metadata),
    ]
    return .members(known + others.map { ($0.name, $0.value) })
  }

  /// Reads the stubs of a file: one, or several under `mappings`.
  package static func list(_ node: JSONNode) throws(StubProblem) -> [StubMapping] {
    let reader = StubReader(node)
    guard let list = reader["mappings"] else { return [try StubMapping(reader)] }
    return try list.array().map { element throws(StubProblem) in try StubMapping(element) }
  }
}
