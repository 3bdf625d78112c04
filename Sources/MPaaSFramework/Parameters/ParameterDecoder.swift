/// Reads parameters as a `Decodable` type: one level of names, with values that are text or already of their type.
struct ParameterDecoder: Decoder {
  let parameters: Parameters
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(parameters: parameters))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw shape("[…]") }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw shape("…") }

  private func shape(_ found: String) -> FrameworkError { parameters.malformed("*", found, [String: String].self) }

  /// Turns what decoding throws into an error that names the parameter.
  static func failing<Value>(
    _ parameters: Parameters, _ name: String?, _ type: Value.Type, _ body: () throws -> Value
  ) throws(FrameworkError) -> Value {
    do {
      return try body()
    } catch let error as FrameworkError {
      throw error
    } catch let DecodingError.keyNotFound(key, _) {
      throw parameters.missing(key.stringValue, String.self)
    } catch let DecodingError.dataCorrupted(context) {
      let name = context.codingPath.first?.stringValue ?? name ?? "*"
      throw parameters.malformed(name, parameters.values[name] ?? "", type)
    } catch {
      throw parameters.malformed(name ?? "*", error, type)
    }
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let parameters: Parameters
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { parameters.values.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { parameters.values[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { parameters.values[key.stringValue] == nil }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      let name = key.stringValue
      guard let found = parameters.values[name] else { throw parameters.missing(name, type) }
      if let value = found as? Value { return value }
      return try ParameterDecoder.failing(parameters, name, type) {
        try Value(from: ParameterValueDecoder(parameters: parameters, name: name, value: found))
      }
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      throw parameters.malformed(key.stringValue, parameters.values[key.stringValue] ?? "", [String: String].self)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { ParameterDecoder(parameters: parameters) }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

    private func decoder(_ key: Key) -> ParameterValueDecoder {
      ParameterValueDecoder(
        parameters: parameters, name: key.stringValue, value: parameters.values[key.stringValue] ?? "")
    }
  }
}

/// Reads one parameter: a single value, or a list of them.
struct ParameterValueDecoder: Decoder, SingleValueDecodingContainer {
  let parameters: Parameters
  let name: String
  let value: any Sendable

  var codingPath: [any CodingKey] { [ParameterKey(stringValue: name)] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw parameters.malformed(name, value, [String: String].self)
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ParameterListDecoder(parameters: parameters, name: name, values: value as? [any Sendable] ?? [value])
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = value as? Value { return value }
    guard let text = type as? any LosslessStringConvertible.Type else { return try Value(from: self) }
    if let read = text.init(from: "\(value)") as? Value { return read }
    throw parameters.malformed(name, value, type)
  }
}

extension LosslessStringConvertible {
  /// Truth values are also written 1, 0, yes and no.
  fileprivate init?(from text: String) {
    if Self.self == Bool.self {
      let spelt = ["1": "true", "yes": "true", "0": "false", "no": "false"]
      self.init(spelt[text.lowercased()] ?? text.lowercased())
    } else {
      self.init(text)
    }
  }
}

private struct ParameterListDecoder: UnkeyedDecodingContainer {
  let parameters: Parameters
  let name: String
  let values: [any Sendable]
  var currentIndex = 0

  var codingPath: [any CodingKey] { [ParameterKey(stringValue: name)] }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  init(parameters: Parameters, name: String, values: [any Sendable]) {
    (self.parameters, self.name, self.values) = (parameters, name, values)
  }

  mutating func decodeNil() -> Bool { false }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next().decode(type)
  }
  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw parameters.malformed(name, "[…]", [String].self)
  }
  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> ParameterValueDecoder {
    guard !isAtEnd else { throw parameters.missing(name, [String].self) }
    defer { currentIndex += 1 }
    return ParameterValueDecoder(parameters: parameters, name: name, value: values[currentIndex])
  }
}

private struct ParameterKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
