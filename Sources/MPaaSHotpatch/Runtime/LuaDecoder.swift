#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads a `Codable` value from a `LuaValue`.
struct LuaDecoder: Decoder {
  let value: LuaValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: LuaValue, path: [any CodingKey]) {
    self.value = value
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch value {
    case .table(let members): return KeyedDecodingContainer(Keyed(members: members, codingPath: codingPath))
    case .array(let elements) where elements.isEmpty:
      return KeyedDecodingContainer(Keyed(members: [:], codingPath: codingPath))
    default: throw mismatch([String: LuaValue].self, "table")
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch value {
    case .array(let elements): return Unkeyed(elements: elements, codingPath: codingPath)
    // An empty table is both.
    case .table(let members) where members.isEmpty: return Unkeyed(elements: [], codingPath: codingPath)
    default: throw mismatch([LuaValue].self, "table of elements")
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  func unbox<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Data.self, let data = try data() as? Value { return data }
    if type == Date.self, let date = Date(timeIntervalSince1970: try number()) as? Value { return date }
    guard codingPath.count < LuaValue.deepest else { throw PatchValueError("values nested too deep") }
    return try Value(from: self)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "\(expected) expected, got \(value.kind)")
    return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func data() throws -> Data {
    switch value {
    case .string(let text): Data(text.utf8)
    case .bytes(let bytes): Data(bytes)
    default: throw mismatch(Data.self, "string")
    }
  }

  fileprivate func number() throws -> Double {
    switch value {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: throw mismatch(Double.self, "number")
    }
  }

  /// A whole number that fits; a float that is whole is one too.
  fileprivate func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    switch value {
    case .integer(let value): if let value = Value(exactly: value) { return value }
    case .number(let value): if let value = Value(exactly: value) { return value }
    default: break
    }
    throw mismatch(type, "integer")
  }
}

extension LuaDecoder {
  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: LuaValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { members[key.stringValue] ?? .null == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      guard let value = members[key.stringValue] else {
        throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
      }
      return try LuaDecoder(value, path: codingPath + [key]).unbox(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder(LuaKey.parent) }
    func superDecoder(forKey key: Key) -> any Decoder { decoder(key) }

    private func decoder(_ key: any CodingKey) -> LuaDecoder {
      LuaDecoder(members[key.stringValue] ?? .null, path: codingPath + [key])
    }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let elements: [LuaValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    init(elements: [LuaValue], codingPath: [any CodingKey]) {
      self.elements = elements
      self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try next().unbox(type)
      currentIndex += 1
      return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
      defer { currentIndex += 1 }
      return try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      defer { currentIndex += 1 }
      return try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
      defer { currentIndex += 1 }
      return try next()
    }

    private func next() throws -> LuaDecoder {
      let path = codingPath + [LuaKey(intValue: currentIndex)]
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(LuaValue.self, .init(codingPath: path, debugDescription: "no more elements"))
      }
      return LuaDecoder(elements[currentIndex], path: path)
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: LuaDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
      guard case .boolean(let value) = decoder.value else { throw decoder.mismatch(type, "boolean") }
      return value
    }

    func decode(_ type: String.Type) throws -> String {
      guard case .string(let value) = decoder.value else { throw decoder.mismatch(type, "string") }
      return value
    }

    func decode(_ type: Double.Type) throws -> Double { try decoder.number() }
    func decode(_ type: Float.Type) throws -> Float { Float(try decoder.number()) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.unbox(type) }
  }
}
