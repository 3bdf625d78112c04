// Containers for what has no column: values that are no members by name. They refuse everything.

/// Refuses values without a name.
struct LostFields: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  var count: Int { 0 }

  private func refusal(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: [], debugDescription: "only members by name have columns"))
  }

  mutating func encodeNil() throws { throw refusal("nil") }

  mutating func encode<Value: Encodable>(_ value: Value) throws { throw refusal(value) }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(LostMembers<Key>())
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  mutating func superEncoder() -> any Encoder { LostEncoder() }
}

/// Refuses the members of a nested container.
struct LostMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let codingPath: [any CodingKey] = []

  mutating func encodeNil(forKey key: Key) throws { try encode(0, forKey: key) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    throw EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: [key], debugDescription: "nested containers have no columns"))
  }

  mutating func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(LostMembers<Other>())
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { LostFields() }

  mutating func superEncoder() -> any Encoder { LostEncoder() }

  mutating func superEncoder(forKey key: Key) -> any Encoder { LostEncoder() }
}

/// Refuses everything.
struct LostEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(LostMembers<Key>())
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { LostFields() }

  func singleValueContainer() -> any SingleValueEncodingContainer { LostFields() }
}
