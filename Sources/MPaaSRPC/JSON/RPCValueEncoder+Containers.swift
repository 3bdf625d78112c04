import MPaaSJSON

struct RPCSingleEncoding: SingleValueEncodingContainer {
  let path: RPCCodingPath?
  let slot: RPCEncodingSlot
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }

  mutating func encodeNil() throws { slot.value = .node(JSONNode(.null)) }
  mutating func encode(_ value: String) throws { slot.value = .node(JSONNode(.string(value))) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    switch try RPCValueEncoder.item(value, path) {
    case .node(let node): slot.value = .node(node)
    case .slot(let inner): slot.value = inner.value
    }
  }
}

struct RPCListEncoding: UnkeyedEncodingContainer {
  let path: RPCCodingPath?
  let slot: RPCEncodingSlot
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }
  var count: Int { slot.count }

  private func next() -> RPCValueEncoder {
    let added = RPCEncodingSlot()
    let encoder = RPCValueEncoder(path: RPCCodingPath(path, RPCIndexKey(count)), slot: added)
    slot.append(.slot(added))
    return encoder
  }

  mutating func encodeNil() throws { slot.append(.node(JSONNode(.null))) }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    slot.append(try RPCValueEncoder.item(value, RPCCodingPath(path, RPCIndexKey(count))))
  }
  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

struct RPCKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let path: RPCCodingPath?
  let slot: RPCEncodingSlot
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }

  private func member(_ key: any CodingKey) -> RPCValueEncoder {
    let added = RPCEncodingSlot()
    slot.append(.slot(added), named: key.stringValue)
    return RPCValueEncoder(path: RPCCodingPath(path, key), slot: added)
  }

  private func put(_ content: JSONNode.Content, _ key: Key) {
    slot.append(.node(JSONNode(content)), named: key.stringValue)
  }

  mutating func encodeNil(forKey key: Key) throws { put(.null, key) }

  // The types of most members, which the compiler finds without a look at the type at run time.
  mutating func encode(_ value: Bool, forKey key: Key) throws { put(.bool(value), key) }
  mutating func encode(_ value: String, forKey key: Key) throws { put(.string(value), key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { put(.number(JSONNumber(value)), key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { put(.number(JSONNumber(value)), key) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    slot.append(try RPCValueEncoder.item(value, RPCCodingPath(path, key)), named: key.stringValue)
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { member(key).container(keyedBy: type) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    member(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { member(RPCSuperKey()) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}
