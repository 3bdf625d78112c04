import MPaaSJSON

struct RPCSingleDecoding: SingleValueDecodingContainer {
  let decoder: RPCValueDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.node.isNull }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try RPCValueDecoder.value(type, decoder.node, decoder.path)
  }
}

struct RPCListDecoding: UnkeyedDecodingContainer {
  private let elements: [JSONNode]
  private let path: RPCCodingPath?
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }

  init(_ elements: [JSONNode], _ path: RPCCodingPath?) {
    self.elements = elements
    self.path = path
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private var place: RPCCodingPath { RPCCodingPath(path, RPCIndexKey(currentIndex)) }

  private func node(_ type: Any.Type) throws -> JSONNode {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: RPCCodingPath.keys(place), debugDescription: "the list ends here"))
    }
    return elements[currentIndex]
  }

  /// The decoder of the next element, which is taken where `read` succeeds.
  private mutating func next<Value>(_ type: Any.Type, _ read: (RPCValueDecoder) throws -> Value) throws -> Value {
    let value = try read(RPCValueDecoder(node(type), place))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try RPCValueDecoder.value(type, node(type), place)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try next(type) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next(Any.self) { $0 } }
}

struct RPCKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [JSONNode.Member]
  /// The places of members where there are many.
  private let places: [String: Int]
  private let path: RPCCodingPath?
  private static var few: Int { 12 }
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }

  init(_ members: [JSONNode.Member], _ path: RPCCodingPath?) {
    self.members = members
    self.path = path
    places =
      members.count > Self.few
      ? Dictionary(members.enumerated().map { ($0.element.name, $0.offset) }) { $1 } : [:]
  }

  private func known(_ name: String) -> JSONNode? {
    guard places.isEmpty else { return places[name].map { members[$0].value } }
    for index in members.indices where members[index].name == name { return members[index].value }
    return nil
  }

  private func node(_ key: Key) throws -> JSONNode {
    if let node = known(key.stringValue) { return node }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "no member \(key.stringValue)"))
  }

  private func mismatch(_ type: Any.Type, _ node: JSONNode, _ key: Key) -> DecodingError {
    RPCValueDecoder.mismatch(type, node, RPCCodingPath(path, key))
  }

  private func member(_ key: Key) throws -> RPCValueDecoder {
    RPCValueDecoder(try node(key), RPCCodingPath(path, key))
  }

  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }
  func contains(_ key: Key) -> Bool { known(key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try node(key).isNull }

  // The types of most members, which the compiler finds without a look at the type at run time.
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    let node = try node(key)
    if let value = node.bool { return value }
    throw mismatch(type, node, key)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let node = try node(key)
    if let value = node.string { return value }
    throw mismatch(type, node, key)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let node = try node(key)
    if let value = node.number?.integer(type) { return value }
    throw mismatch(type, node, key)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let node = try node(key)
    if let value = node.number?.double { return value }
    throw mismatch(type, node, key)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try RPCValueDecoder.value(type, node(key), RPCCodingPath(path, key))
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder {
    RPCValueDecoder(known("super") ?? JSONNode(.null), RPCCodingPath(path, RPCSuperKey()))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    RPCValueDecoder(known(key.stringValue) ?? JSONNode(.null), RPCCodingPath(path, key))
  }
}
