package import MPaaSJSON
import MPaaSSupport

extension Pact {
  /// Reads a contract of any version.
  ///
  /// - Parameter file: The name that places of errors have.
  /// - Throws: `PactError` with line and column of what is wrong; interactions of plug-ins are refused.
  package init(reading bytes: [UInt8], file: String) throws(PactError) {
    try self.init(PactJSON.read(bytes, file: file), file: file)
  }

  package init(_ root: JSONNode, file: String) throws(PactError) {
    let source = PactSource(name: file)
    guard root.members != nil else { throw source.wrong("pact", in: root) }
    let version = try Self.specification(root, source)
    func name(_ party: String) throws(PactError) -> String {
      guard let name = root[party]?["name"]?.string else { throw source.missing("\(party).name", in: root) }
      return name
    }
    self.init(
      consumer: try name("consumer"), provider: try name("provider"), specification: version,
      metadata: (root["metadata"]?.members ?? []).filter { !$0.name.lowercased().hasPrefix("pactspecification") })
    if let plugin = root["metadata"]?["plugins"]?.elements?.first {
      throw PactError(.plugin, ["plugin": plugin["name"]?.string ?? plugin.line.limited(40)], in: plugin, of: file)
    }
    for member in ["interactions", "messages"] {
      guard let node = root[member] else { continue }
      guard let elements = node.elements else { throw source.wrong(member, in: node) }
      for element in elements {
        interactions.append(try PactInteraction(element, version, isMessage: member == "messages", in: source))
      }
    }
  }

  private static func specification(_ root: JSONNode, _ file: PactSource) throws(PactError) -> PactSpecification {
    let metadata = root["metadata"]
    let node =
      metadata?["pactSpecification"]?["version"] ?? metadata?["pactSpecificationVersion"]
      ?? metadata?["pact-specification"]?["version"]
    guard let node else { return root["messages"] == nil ? .v2 : .v3 }
    guard let word = node.string ?? node.number?.text, let version = PactSpecification(word: word) else {
      throw PactError(.version, ["version": node.string ?? node.line], in: node, of: file.name)
    }
    return version
  }
}

extension PactInteraction {
  /// Reads an element of `interactions`, or of `messages` in version 3.
  init(_ node: JSONNode, _ version: PactSpecification, isMessage: Bool, in file: PactSource) throws(PactError) {
    guard node.members != nil else { throw file.wrong("interaction", in: node) }
    guard let description = node["description"]?.string else { throw file.missing("description", in: node) }
    let type = node["type"]?.string ?? (isMessage ? "Asynchronous/Messages" : "Synchronous/HTTP")
    if let plugin = node["pluginConfiguration"] {
      throw PactError(.plugin, ["plugin": plugin.members?.first?.name ?? description], in: plugin, of: file.name)
    }
    switch type {
    case "Synchronous/HTTP":
      let request = try PactRequest(node["request"] ?? .object([]), version, in: file)
      let response = try PactResponse(node["response"] ?? .object([]), version, in: file)
      self.init(description, .http(request, response))
    case "Asynchronous/Messages":
      self.init(description, .message(try PactMessage(node, version, in: file)))
    case "Synchronous/Messages":
      var responses: [PactMessage] = []
      for response in node["response"]?.elements ?? [] {
        responses.append(try PactMessage(response, version, in: file))
      }
      self.init(description, .call(try PactMessage(node["request"] ?? .object([]), version, in: file), responses))
    default: throw PactError(.plugin, ["plugin": type], in: node, of: file.name)
    }
    states = try PactState.list(node, in: file)
    key = node["key"]?.string
    isPending = node["pending"]?.bool ?? false
    comments = node["comments"].flatMap { $0.content == .null ? nil : $0 }
  }
}

extension PactState {
  /// The states of an interaction: a text in versions 1 and 2, a list since version 3.
  static func list(_ node: JSONNode, in file: PactSource) throws(PactError) -> [PactState] {
    if let states = node["providerStates"]?.elements {
      var list: [PactState] = []
      for state in states {
        guard let name = state["name"]?.string else { throw file.missing("name", in: state) }
        list.append(PactState(name, parameters: state["params"]?.members ?? []))
      }
      return list
    }
    let name = (node["providerState"] ?? node["provider_state"] ?? node["providerStates"])?.string
    return name.map { [PactState($0)] } ?? []
  }
}

extension PactRequest {
  init(_ node: JSONNode, _ version: PactSpecification, in file: PactSource) throws(PactError) {
    self.init()
    method = node["method"]?.string?.uppercased() ?? "GET"
    path = node["path"]?.string ?? "/"
    query = try Self.query(node["query"], in: file)
    queryText = version == .v1 ? node["query"]?.string : nil
    headers = try [PactField](headers: node["headers"], in: file)
    body = try PactBody(node["body"], headers, version, in: file)
    rules = try PactRules(node["matchingRules"], in: file)
    generators = try PactGenerators(node["generators"], in: file)
  }

  /// A query as a text (versions 1 and 2), or by names with their values.
  private static func query(_ node: JSONNode?, in file: PactSource) throws(PactError) -> [PactField] {
    guard let node, node.content != .null else { return [] }
    if let text = node.string { return QueryText.fields(text) }
    return try [PactField](headers: node, in: file)
  }
}

extension PactResponse {
  init(_ node: JSONNode, _ version: PactSpecification, in file: PactSource) throws(PactError) {
    self.init()
    if let status = node["status"], status.content != .null {
      guard let number = status.count else { throw file.wrong("status", in: status) }
      self.status = number
    }
    headers = try [PactField](headers: node["headers"], in: file)
    body = try PactBody(node["body"], headers, version, in: file)
    rules = try PactRules(node["matchingRules"], in: file)
    generators = try PactGenerators(node["generators"], in: file)
  }
}

extension PactMessage {
  init(_ node: JSONNode, _ version: PactSpecification, in file: PactSource) throws(PactError) {
    self.init()
    metadata = (node["metadata"] ?? node["metaData"])?.members ?? []
    let type = metadata.first { ["contenttype", "content-type"].contains($0.name.lowercased()) }
    let headers = type?.value.string.map { [PactField("content-type", [$0])] } ?? []
    body = try PactBody(node["contents"] ?? node["content"], headers, version, in: file)
    rules = try PactRules(node["matchingRules"], in: file)
    generators = try PactGenerators(node["generators"], in: file)
  }

  /// The media type: as the metadata say, else as the contract or the bytes do.
  package var mediaType: MediaType {
    let type = metadata.first { ["contenttype", "content-type"].contains($0.name.lowercased()) }
    return body.mediaType(headers: type?.value.string.map { [PactField("content-type", [$0])] } ?? [])
  }
}

extension [PactField] {
  /// Reads names with a value or a list of values.
  init(headers node: JSONNode?, in file: PactSource) throws(PactError) {
    self = []
    guard let node, node.content != .null else { return }
    guard let members = node.members else { throw file.wrong("headers", in: node) }
    for member in members {
      if let elements = member.value.elements {
        append(PactField(member.name, elements.map { $0.string ?? ($0.content == .null ? "" : $0.line) }))
      } else {
        append(PactField(member.name, [member.value.string ?? member.value.line]))
      }
    }
  }
}
