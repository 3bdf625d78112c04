package import MPaaSSupport

extension DAOValue {
  /// Reads a value: `{"$data":"base64"}` is bytes, `{"$class":"X",…}` an object of a class.
  ///
  /// - Throws: `dao-argument-type` where `$data` is no base64.
  package init(_ json: JSONValue) throws(DAOError) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .unsigned(let value): self = Int64(exactly: value).map(DAOValue.integer) ?? .real(Double(value))
    case .negative(let value): self = .integer(value)
    case .number(let value): self = .real(value)
    case .string(let value): self = .text(value)
    case .array(let elements):
      var values: [DAOValue] = []
      for element in elements { values.append(try DAOValue(element)) }
      self = .list(values)
    case .object(let members): try self.init(members)
    }
  }

  private init(_ members: JSONValue.Object) throws(DAOError) {
    if let data = members["$data"] {
      guard let bytes = data.string.flatMap({ Base64.decode($0.utf8) }) else {
        throw DAOError(.argumentType, ["value": "$data", "kind": data.kind])
      }
      self = .data(bytes)
      return
    }
    var values: [String: DAOValue] = [:]
    for (name, value) in members where name != "$class" { values[name] = try DAOValue(value) }
    if let className = members["$class"]?.string {
      self = .object(DAOObject(className: className, properties: values))
    } else {
      self = .dictionary(values)
    }
  }

  /// The value as JSON; bytes are `{"$data":"base64"}`, objects have the members that they are made of.
  package var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): JSONValue(value)
    case .real(let value): value.isFinite ? .number(value) : .null
    case .text(let value): .string(value)
    case .data(let bytes): .object(["$data": .string(Base64.encode(bytes))])
    case .list(let elements): .array(elements.map(\.json))
    case .dictionary(let members): .object(members.mapValues(\.json))
    case .object(let object): .object(object.properties.mapValues(\.json))
    }
  }
}
