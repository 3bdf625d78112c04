package import MPaaSJSON

/// The stubs that a file of another mock server became, and what could not be carried over.
package struct MockImport: Sendable {
  /// The stubs as WireMock writes them, the first ones with the lowest `priority`.
  package private(set) var stubs: [JSONNode] = []
  /// The parts that were left out, in the order of the file.
  package private(set) var notes: [ImportNote] = []

  package init() {}

  /// The stubs as a file that the mock and WireMock read.
  package var document: JSONNode { JSONNode(members: [("mappings", JSONNode(elements: stubs))]) }

  /// Adds a stub that comes after all so far.
  mutating func add(
    _ name: String, request: [(name: String, value: JSONNode?)], response: [(name: String, value: JSONNode?)],
    scenario: ImportedScenario? = nil
  ) {
    stubs.append(
      JSONNode(members: [
        ("name", name.isEmpty ? nil : JSONNode(text: name)), ("priority", JSONNode(whole: stubs.count + 1)),
        ("request", JSONNode(members: request)), ("response", JSONNode(members: response)),
        ("scenarioName", scenario.map { JSONNode(text: $0.name) }),
        ("requiredScenarioState", scenario?.required.map { JSONNode(text: $0) }),
        ("newScenarioState", scenario?.next.map { JSONNode(text: $0) }),
      ]))
  }

  /// Names what is left out; the same at the same place is named once.
  mutating func leaveOut(_ kind: ImportNote.Kind, _ name: String, at place: String) {
    let note = ImportNote(kind: kind, name: name, place: place)
    if !notes.contains(note) { notes.append(note) }
  }
}

/// A state that a stub needs, and the one that follows.
struct ImportedScenario: Sendable {
  var name: String
  var required: String?
  var next: String?
}

/// Something that a file has and the stubs have not.
package struct ImportNote: Sendable, Equatable, Encodable {
  package enum Kind: String, Sendable, CaseIterable, Encodable {
    /// A condition on requests: without it the stub answers more requests.
    case matcher
    /// A helper of templates; its name stands in its place.
    case helper
    /// A property of responses or of the server.
    case feature
    /// A whole route, which has no stub.
    case route
    /// The host that requests were for: any host is answered.
    case host
  }

  package let kind: Kind
  /// The word of the file for it.
  package let name: String
  /// The place in the file: a route, a pair, an item.
  package let place: String
}
