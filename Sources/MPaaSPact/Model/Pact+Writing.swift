package import MPaaSJSON
import MPaaSSupport

extension Pact {
  /// The contract in the form of its version.
  ///
  /// - Throws: `PactError` where the version has no room for an interaction.
  package func node() throws(PactError) -> JSONNode {
    var members: [(String, JSONNode)] = [
      ("consumer", .object([("name", .text(consumer))])), ("provider", .object([("name", .text(provider))])),
    ]
    var http: [JSONNode] = []
    var messages: [JSONNode] = []
    for interaction in interactions {
      let node = try interaction.node(specification)
      if case .http = interaction.content { http.append(node) } else { messages.append(node) }
    }
    if specification >= .v4 {
      // The order of the interactions is kept, whatever their kinds.
      var all: [JSONNode] = []
      for interaction in interactions { all.append(try interaction.node(specification)) }
      members.append(("interactions", JSONNode(.array(all))))
    } else {
      if messages.isEmpty || !http.isEmpty { members.append(("interactions", JSONNode(.array(http)))) }
      if !messages.isEmpty { members.append(("messages", JSONNode(.array(messages)))) }
    }
    let version: [(String, JSONNode)] = [
      ("pactSpecification", .object([("version", .text(specification.rawValue))]))
    ]
    members.append(("metadata", .object(metadata.map { ($0.name, $0.value) } + version)))
    return .object(members)
  }

  /// The text of the file, with a line end.
  package func text() throws(PactError) -> String { try node().indented + "\n" }
}

extension PactInteraction {
  func node(_ version: PactSpecification) throws(PactError) -> JSONNode {
    func refuse(_ what: String) -> PactError {
      PactError(.unwritable, ["interaction": description, "what": what, "version": version.short])
    }
    var members: [(String, JSONNode)] = [("description", .text(description))]
    if version >= .v4 {
      members = [("type", .text(type))] + members
      if let key { members.append(("key", .text(key))) }
      if isPending { members.append(("pending", JSONNode(.bool(true)))) }
      if let comments { members.append(("comments", comments)) }
    }
    if version >= .v3 {
      if !states.isEmpty { members.append(("providerStates", JSONNode(.array(states.map(\.node))))) }
    } else if let state = states.first {
      guard states.count == 1 else { throw refuse("states") }
      members.append(("providerState", .text(state.name)))
    }
    switch content {
    case .http(let request, let response):
      members += [("request", request.node(version)), ("response", response.node(version))]
    case .message(let message):
      guard version >= .v3 else { throw refuse("message") }
      members += message.members(version)
    case .call(let request, let responses):
      guard version >= .v4 else { throw refuse("call") }
      members += [
        ("request", .object(request.members(version))),
        ("response", JSONNode(.array(responses.map { .object($0.members(version)) }))),
      ]
    }
    return .object(members)
  }

  package var type: String {
    switch content {
    case .http: "Synchronous/HTTP"
    case .message: "Asynchronous/Messages"
    case .call: "Synchronous/Messages"
    }
  }
}

extension PactState {
  package var node: JSONNode {
    let parameters: [(String, JSONNode)] =
      parameters.isEmpty ? [] : [("params", .object(parameters.map { ($0.name, $0.value) }))]
    return .object([("name", .text(name))] + parameters)
  }
}

extension PactRequest {
  func node(_ version: PactSpecification) -> JSONNode {
    var members: [(String, JSONNode)] = [("method", .text(method)), ("path", .text(path))]
    if !query.isEmpty {
      members.append(("query", version >= .v3 ? query.listNode : .text(queryText ?? QueryText.text(query))))
    }
    if !headers.isEmpty { members.append(("headers", headers.node(version))) }
    if let body = body.node(version, headers) { members.append(("body", body)) }
    if let rules = rules.node(version) { members.append(("matchingRules", rules)) }
    if version >= .v3, let generators = generators.node { members.append(("generators", generators)) }
    return .object(members)
  }
}

extension PactResponse {
  func node(_ version: PactSpecification) -> JSONNode {
    var members: [(String, JSONNode)] = [("status", .count(status))]
    if !headers.isEmpty { members.append(("headers", headers.node(version))) }
    if let body = body.node(version, headers) { members.append(("body", body)) }
    if let rules = rules.node(version) { members.append(("matchingRules", rules)) }
    if version >= .v3, let generators = generators.node { members.append(("generators", generators)) }
    return .object(members)
  }
}

extension PactMessage {
  func members(_ version: PactSpecification) -> [(String, JSONNode)] {
    var members: [(String, JSONNode)] = []
    let headers = [PactField("content-type", [mediaType.description])]
    if let body = body.node(version, headers) { members.append(("contents", body)) }
    var metadata = metadata
    let isTyped = metadata.contains { ["contenttype", "content-type"].contains($0.name.lowercased()) }
    if version < .v4, let type = body.contentType, !isTyped {
      // Version 3 has no other room for the type of a body.
      metadata.append(JSONNode.Member(name: "contentType", value: .text(type.description)))
    }
    if !metadata.isEmpty { members.append(("metadata", .object(metadata.map { ($0.name, $0.value) }))) }
    if let rules = rules.node(version) { members.append(("matchingRules", rules)) }
    if let generators = generators.node { members.append(("generators", generators)) }
    return members
  }
}

extension [PactField] {
  fileprivate var listNode: JSONNode {
    .object(map { ($0.name, JSONNode(.array($0.values.map { .text($0) }))) })
  }

  /// Headers: lists since version 4, before it one text each.
  fileprivate func node(_ version: PactSpecification) -> JSONNode {
    version >= .v4 ? listNode : .object(map { ($0.name, .text($0.values.joined(separator: ", "))) })
  }
}

extension PactBody {
  /// The body in the form of a version; nil where nothing is said about it.
  func node(_ version: PactSpecification, _ headers: [PactField]) -> JSONNode? {
    switch content {
    case .missing: return nil
    case .null: return version >= .v4 ? .object([("content", JSONNode(.null))]) : JSONNode(.null)
    case .empty: return version >= .v4 ? .object([("content", .text(""))]) : .text("")
    case .bytes(let bytes): return node(version, bytes, mediaType(headers: headers))
    }
  }

  private func node(_ version: PactSpecification, _ bytes: [UInt8], _ type: MediaType) -> JSONNode {
    let json = type.isJSON ? PactJSON.body(bytes) : nil
    let text = json == nil ? String(validUTF8: bytes) : nil
    let isText = text != nil && (type.isText || type.isMultipart)
    let inner = json ?? (isText ? text.map { .text($0) } : nil) ?? .text(Base64.encode(bytes))
    guard version >= .v4 else { return inner }
    var members: [(String, JSONNode)] = [
      ("contentType", .text(type.description)), ("content", inner),
      ("encoded", json == nil && !isText ? .text("base64") : JSONNode(.bool(false))),
    ]
    if let hint = self.isText { members.append(("contentTypeHint", .text(hint ? "TEXT" : "BINARY"))) }
    return .object(members)
  }
}
