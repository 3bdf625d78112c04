package import MPaaSSupport

extension Toxic {
  /// The toxic as toxiproxy's API writes it: attributes, name, type, stream, toxicity.
  package var json: JSONValue {
    [
      "attributes": .object(condition.attributes), "name": .string(name), "type": .string(condition.kind.rawValue),
      "stream": .string(direction.rawValue), "toxicity": JSONValue(toxicity) ?? 1,
    ]
  }

  /// Reads a toxic with toxiproxy's defaults: `<type>_<stream>`, downstream, toxicity 1, attributes as the table says.
  ///
  /// - Parameter unknown: What becomes of attributes that the type does not have; other unknown fields are ignored.
  package init(_ object: JSONValue.Object, unknown: UnknownAttributes = .refused) throws(NetworkError) {
    let stream = try Self.text("stream", of: object) ?? Direction.downstream.rawValue
    guard let direction = Direction(rawValue: stream.lowercased()) else {
      throw NetworkError(.toxicStream, ["stream": stream])
    }
    let type = try Self.text("type", of: object) ?? ""
    guard let kind = Condition.Kind(rawValue: type) else { throw Self.unknownType(type) }
    let name = try Self.text("name", of: object) ?? ""
    let condition = try Condition(kind: kind, attributes: try Self.attributes(of: object), unknown: unknown)
    self.init(
      name: name.isEmpty ? nil : name, condition, direction: direction, toxicity: try Self.toxicity(of: object) ?? 1)
  }

  /// The toxic with what `object` names of attributes and toxicity changed; type, stream and name stay.
  package func updated(
    with object: JSONValue.Object, unknown: UnknownAttributes = .refused
  ) throws(NetworkError) -> Toxic {
    var toxic = self
    toxic.toxicity = try Self.toxicity(of: object) ?? toxicity
    toxic.condition = try condition.updated(with: try Self.attributes(of: object), unknown: unknown)
    return toxic
  }

  private static func unknownType(_ type: String) -> NetworkError {
    let names = Condition.Kind.allCases.map(\.rawValue)
    return NetworkError(
      .toxicType,
      [
        "type": type, "known": names.joined(separator: ", "), "near": closestMatch(to: type, among: names) ?? "",
      ])
  }

  private static func text(_ field: String, of object: JSONValue.Object) throws(NetworkError) -> String? {
    guard let value = object[field], value != .null else { return nil }
    guard let text = value.string else { throw wrong(field, value, "string") }
    return text
  }

  private static func toxicity(of object: JSONValue.Object) throws(NetworkError) -> Double? {
    guard let value = object["toxicity"], value != .null else { return nil }
    guard let share = value.double, (0...1).contains(share) else { throw wrong("toxicity", value, "0…1") }
    return share
  }

  private static func attributes(of object: JSONValue.Object) throws(NetworkError) -> JSONValue.Object {
    guard let value = object["attributes"], value != .null else { return [:] }
    guard let attributes = value.object else { throw wrong("attributes", value, "object") }
    return attributes
  }

  private static func wrong(_ field: String, _ value: JSONValue, _ expected: String) -> NetworkError {
    NetworkError(.toxicField, ["field": field, "value": value.line, "expected": expected])
  }
}
