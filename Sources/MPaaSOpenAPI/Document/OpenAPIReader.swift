import MPaaSJSON
import MPaaSSupport

/// Makes the model of a description from its values; notes references that lead to nothing.
struct OpenAPIReader {
  let library: OpenAPILibrary
  let version: OpenAPIVersion
  var faults: [OpenAPIError] = []
  /// The depth of callbacks in callbacks, which may be without end.
  var callbackDepth = 0

  init(_ library: OpenAPILibrary, _ version: OpenAPIVersion) {
    self.library = library
    self.version = version
  }

  /// The value itself, or what its reference leads to; nil where that is missing.
  mutating func follow(_ node: JSONNode, at location: OpenAPILocation) -> (node: JSONNode, location: OpenAPILocation)? {
    guard let reference = node["$ref"], reference.string != nil else { return (node, location) }
    do {
      let found = try library.resolve(reference, from: location.file)
      return (found.node, found.location)
    } catch {
      faults.append(error)
      return nil
    }
  }

  /// Reads each member of a map, past references.
  mutating func map<Value>(
    _ node: JSONNode?, at location: OpenAPILocation,
    _ read: (inout OpenAPIReader, String, JSONNode, OpenAPILocation) -> Value?
  ) -> [Value] {
    var values: [Value] = []
    for member in node?.members ?? [] where !member.name.hasPrefix("x-") || location.path.first == "components" {
      guard let found = follow(member.value, at: location[member.name]) else { continue }
      if let value = read(&self, member.name, found.node, found.location) { values.append(value) }
    }
    return values
  }

  func schema(_ node: JSONNode?, at location: OpenAPILocation) -> OpenAPISchema? {
    node.map { OpenAPISchema(location: location, node: $0) }
  }

  func servers(_ node: JSONNode?) -> [OpenAPIServer] {
    (node?.elements ?? []).compactMap { OpenAPIServer($0) }
  }

  func security(_ node: JSONNode?) -> [OpenAPISecurityRequirement]? {
    node?.elements?.map { group in
      OpenAPISecurityRequirement(
        schemes: (group.members ?? []).map { member in
          OpenAPISecurityRequirement.Scheme(
            name: member.name, scopes: (member.value.elements ?? []).compactMap(\.string))
        })
    }
  }
}

// MARK: Paths and operations

extension OpenAPIReader {
  mutating func pathItems(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPIPathItem] {
    (node?.members ?? []).compactMap { member in
      member.name.hasPrefix("x-") ? nil : pathItem(member.name, member.value, at: location[member.name])
    }
  }

  private mutating func pathItem(_ path: String, _ node: JSONNode, at location: OpenAPILocation) -> OpenAPIPathItem? {
    guard let (target, place) = follow(node, at: location) else { return nil }
    let servers = servers(target["servers"])
    let parameters = parameters(target["parameters"], at: place["parameters"])
    var operations: [OpenAPIOperation] = []
    for member in target.members ?? [] {
      if OpenAPIOperation.fixedMethods.contains(member.name), member.value.members != nil {
        let method = member.name.uppercased()
        // Large descriptions have operations in files of their own, which the specification does not name.
        guard let (node, at) = follow(member.value, at: place[member.name]) else { continue }
        operations.append(operation(method, path, node, at: at, parameters, servers))
      } else if member.name == "additionalOperations" {
        for extra in member.value.members ?? [] {
          let place = place["additionalOperations", extra.name]
          operations.append(operation(extra.name, path, extra.value, at: place, parameters, servers))
        }
      }
    }
    return OpenAPIPathItem(
      path: path, location: place, node: target, summary: target["summary"]?.string,
      description: target["description"]?.string, servers: servers, parameters: parameters, operations: operations)
  }

  private mutating func operation(
    _ method: String, _ path: String, _ node: JSONNode, at location: OpenAPILocation,
    _ shared: [OpenAPIParameter], _ servers: [OpenAPIServer]
  ) -> OpenAPIOperation {
    let own = parameters(node["parameters"], at: location["parameters"])
    let kept = shared.filter { shared in !own.contains { $0.name == shared.name && $0.place == shared.place } }
    let ownServers = self.servers(node["servers"])
    return OpenAPIOperation(
      method: method, path: path, location: location, node: node, id: node["operationId"]?.string,
      summary: node["summary"]?.string, description: node["description"]?.string,
      tags: (node["tags"]?.elements ?? []).compactMap(\.string), parameters: own + kept,
      requestBody: requestBody(node["requestBody"], at: location["requestBody"]),
      responses: responses(node["responses"], at: location["responses"]),
      callbacks: callbacks(node["callbacks"], at: location["callbacks"]), security: security(node["security"]),
      servers: !ownServers.isEmpty
        ? ownServers : !servers.isEmpty ? servers : self.servers(library.documents[0].source.root["servers"]),
      isDeprecated: node["deprecated"]?.bool ?? false)
  }

  private mutating func callbacks(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPICallback] {
    guard callbackDepth < 2 else { return [] }
    callbackDepth += 1
    defer { callbackDepth -= 1 }
    return map(node, at: location) { reader, name, node, place in
      OpenAPICallback(name: name, items: reader.pathItems(node, at: place))
    }
  }
}

// MARK: Parameters and bodies

extension OpenAPIReader {
  mutating func parameters(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPIParameter] {
    var parameters: [OpenAPIParameter] = []
    for (index, element) in (node?.elements ?? []).enumerated() {
      guard let found = follow(element, at: location[String(index)]) else { continue }
      if let parameter = parameter(found.node, at: found.location) { parameters.append(parameter) }
    }
    return parameters
  }

  mutating func parameter(_ node: JSONNode, at location: OpenAPILocation) -> OpenAPIParameter? {
    guard let name = node["name"]?.string,
      let place = node["in"]?.string.flatMap({ OpenAPIParameter.Place(rawValue: $0) })
    else { return nil }
    let usual: OpenAPIStyle = place == .path || place == .header ? .simple : .form
    return OpenAPIParameter(
      name: name, place: place, location: location, node: node, description: node["description"]?.string,
      isRequired: place == .path || node["required"]?.bool ?? false, isDeprecated: node["deprecated"]?.bool ?? false,
      allowsEmpty: node["allowEmptyValue"]?.bool ?? false, allowsReserved: node["allowReserved"]?.bool ?? false,
      value: encodedValue(node, at: location, usual: usual))
  }

  private mutating func encodedValue(
    _ node: JSONNode, at location: OpenAPILocation, usual: OpenAPIStyle
  ) -> OpenAPIEncodedValue {
    let style = node["style"]?.string.flatMap { OpenAPIStyle(rawValue: $0) } ?? usual
    return OpenAPIEncodedValue(
      style: style, explodes: node["explode"]?.bool ?? (style == .form || style == .cookie),
      schema: schema(node["schema"], at: location["schema"]),
      content: mediaTypes(node["content"], at: location["content"]).first, examples: examples(node, at: location))
  }

  mutating func headers(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPIHeader] {
    map(node, at: location) { reader, name, node, place in
      OpenAPIHeader(
        name: name, location: place, description: node["description"]?.string,
        isRequired: node["required"]?.bool ?? false, isDeprecated: node["deprecated"]?.bool ?? false,
        value: reader.encodedValue(node, at: place, usual: .simple))
    }
  }

  mutating func requestBody(_ node: JSONNode?, at location: OpenAPILocation) -> OpenAPIRequestBody? {
    guard let node, let (target, place) = follow(node, at: location) else { return nil }
    return OpenAPIRequestBody(
      location: place, description: target["description"]?.string, isRequired: target["required"]?.bool ?? false,
      content: mediaTypes(target["content"], at: place["content"]))
  }

  mutating func mediaTypes(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPIMediaType] {
    map(node, at: location) { reader, type, node, place in
      OpenAPIMediaType(
        type: type, location: place, schema: reader.schema(node["schema"], at: place["schema"]),
        itemSchema: reader.schema(node["itemSchema"], at: place["itemSchema"]),
        examples: reader.examples(node, at: place),
        encodings: reader.encodings(node["encoding"], at: place["encoding"]))
    }
  }

  private mutating func encodings(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPIEncoding] {
    map(node, at: location) { reader, name, node, place in
      let style = node["style"]?.string.flatMap { OpenAPIStyle(rawValue: $0) }
      let isStyled = style != nil || node["explode"] != nil || node["allowReserved"] != nil
      return OpenAPIEncoding(
        name: name, contentType: node["contentType"]?.string,
        headers: reader.headers(node["headers"], at: place["headers"]), style: isStyled ? style ?? .form : nil,
        explodes: node["explode"]?.bool ?? ((style ?? .form) == .form),
        allowsReserved: node["allowReserved"]?.bool ?? false)
    }
  }

  private mutating func examples(_ node: JSONNode, at location: OpenAPILocation) -> [OpenAPIExample] {
    var examples: [OpenAPIExample] = []
    if let value = node["example"] {
      examples.append(
        OpenAPIExample(name: "", summary: nil, value: value, text: nil, externalValue: nil, file: location.file))
    }
    return examples
      + map(node["examples"], at: location["examples"]) { _, name, node, place in
        OpenAPIExample(
          name: name, summary: node["summary"]?.string, value: node["dataValue"] ?? node["value"],
          text: node["serializedValue"]?.string, externalValue: node["externalValue"]?.string, file: place.file)
      }
  }
}

// MARK: Responses and components

extension OpenAPIReader {
  mutating func responses(_ node: JSONNode?, at location: OpenAPILocation) -> [OpenAPIResponse] {
    map(node, at: location) { reader, name, node, place in
      OpenAPIStatus(name).map { reader.response($0, node, at: place) }
    }
  }

  private mutating func response(
    _ status: OpenAPIStatus, _ node: JSONNode, at location: OpenAPILocation
  ) -> OpenAPIResponse {
    OpenAPIResponse(
      status: status, location: location, summary: node["summary"]?.string, description: node["description"]?.string,
      headers: headers(node["headers"], at: location["headers"]),
      content: mediaTypes(node["content"], at: location["content"]),
      links: map(node["links"], at: location["links"]) { _, name, node, _ in
        OpenAPILink(
          name: name, operationID: node["operationId"]?.string, operationRef: node["operationRef"]?.string,
          parameters: (node["parameters"]?.members ?? []).map { ($0.name, $0.value) },
          requestBody: node["requestBody"], description: node["description"]?.string)
      })
  }

  mutating func components(_ node: JSONNode?) -> OpenAPIComponents {
    let place = OpenAPILocation.root["components"]
    return OpenAPIComponents(
      schemas: (node?["schemas"]?.members ?? []).map { member in
        (member.name, OpenAPISchema(location: place["schemas", member.name], node: member.value))
      },
      parameters: map(node?["parameters"], at: place["parameters"]) { reader, name, node, place in
        reader.parameter(node, at: place).map { (name, $0) }
      },
      requestBodies: map(node?["requestBodies"], at: place["requestBodies"]) { reader, name, node, place in
        reader.requestBody(node, at: place).map { (name, $0) }
      },
      responses: map(node?["responses"], at: place["responses"]) { reader, name, node, place in
        (name, reader.response(.other, node, at: place))
      },
      headers: headers(node?["headers"], at: place["headers"]),
      pathItems: pathItems(node?["pathItems"], at: place["pathItems"]),
      securitySchemes: map(node?["securitySchemes"], at: place["securitySchemes"]) { _, name, node, _ in
        OpenAPISecurityScheme(name, node)
      })
  }
}
