import MPaaSSupport

/// The members of a JSON object, taken out one by one; what is left is what the model has no place for.
struct JSONMembers {
  private(set) var rest: JSONValue.Object

  init(_ object: JSONValue.Object?) {
    rest = object ?? [:]
  }

  subscript(name: String) -> JSONValue? { rest[name] }

  /// Takes a string that is not empty.
  mutating func string(_ name: String) -> String? {
    guard let value = rest[name]?.string, !value.isEmpty else { return nil }
    rest[name] = nil
    return value
  }

  mutating func integer<Value: FixedWidthInteger>(_ name: String, as _: Value.Type = Value.self) -> Value? {
    guard let value = rest[name]?.integer(Value.self) else { return nil }
    rest[name] = nil
    return value
  }

  /// Takes an address, written as a number or as a string of hexadecimal digits.
  mutating func address(_ name: String) -> UInt64? {
    guard let value = Self.address(rest[name]) else { return nil }
    rest[name] = nil
    return value
  }

  /// An address, written as a number (older writers have it signed) or as a string of digits.
  static func address(_ value: JSONValue?) -> UInt64? {
    switch value {
    case .unsigned(let address): return address
    case .negative(let address): return UInt64(bitPattern: address)
    case .string(let text):
      var bytes = Array(text.utf8)[...]
      if let address = bytes.takeAddress() { return bytes.isEmpty ? address : nil }
      return UInt64(text)
    default: return nil
    }
  }

  mutating func array(_ name: String) -> [JSONValue]? {
    guard let value = rest[name]?.array else { return nil }
    rest[name] = nil
    return value
  }

  /// Takes an object out, to be given back by `keep` when its own members have been taken.
  mutating func members(_ name: String) -> JSONMembers {
    guard let object = rest[name]?.object, !object.isEmpty else { return JSONMembers(nil) }
    rest[name] = nil
    return JSONMembers(object)
  }

  /// Puts back what is left of an object.
  mutating func keep(_ name: String, _ members: JSONMembers) {
    if !members.rest.isEmpty { rest[name] = .object(members.rest) }
  }

  mutating func keep(_ name: String, _ value: JSONValue) {
    rest[name] = value
  }

  mutating func drop(_ name: String) {
    rest[name] = nil
  }
}
