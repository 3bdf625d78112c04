import MPaaSSupport

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes a `Codable` value as a `LuaValue`.
final class LuaEncoder: Encoder {
  private enum Content {
    case none
    case value(LuaValue)
    case array([LuaNode])
    case members([String: LuaNode])
  }

  /// A part of the value, or the encoder that has yet to write it.
  fileprivate enum LuaNode {
    case value(LuaValue)
    case encoder(LuaEncoder)

    var value: LuaValue {
      switch self {
      case .value(let value): value
      case .encoder(let encoder): encoder.value
      }
    }
  }

  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private var content = Content.none

  init(path: [any CodingKey]) {
    codingPath = path
  }

  var value: LuaValue {
    switch content {
    case .none: .table([:])
    case .value(let value): value
    case .array(let nodes): .array(nodes.map(\.value))
    case .members(let nodes): .table(nodes.mapValues(\.value).filter { $0.value != .null })
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .members = content {} else { content = .members([:]) }
    return KeyedEncodingContainer(Keyed(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = content {} else { content = .array([]) }
    return Unkeyed(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  fileprivate func set(_ node: LuaNode, _ key: any CodingKey) {
    guard case .members(var members) = content else { return }
    content = .none
    members[key.stringValue] = node
    content = .members(members)
  }

  fileprivate func append(_ node: LuaNode) {
    guard case .array(var elements) = content else { return }
    content = .none
    elements.append(node)
    content = .array(elements)
  }

  fileprivate func set(_ value: LuaValue) { content = .value(value) }

  fileprivate var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  fileprivate func child(_ key: any CodingKey) -> LuaEncoder { LuaEncoder(path: codingPath + [key]) }

  /// Any value as its own part; the types that Lua has are written as such.
  func box(_ value: some Encodable) throws -> LuaValue {
    switch value {
    case let value as Data: return String(validUTF8: value).map { .string($0) } ?? .bytes(Array(value))
    case let value as Date: return .number(value.timeIntervalSince1970)
    default:
      guard codingPath.count < LuaValue.deepest else { throw PatchValueError("values nested too deep") }
      let encoder = LuaEncoder(path: codingPath)
      try value.encode(to: encoder)
      return encoder.value
    }
  }

  fileprivate static func integer(_ value: some FixedWidthInteger) throws -> LuaValue {
    guard let value = Int64(exactly: value) else { throw PatchValueError("\(value) is too large for Lua") }
    return .integer(value)
  }
}

extension LuaEncoder {
  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: LuaEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.set(.value(.null), key) }
    func encode(_ value: Bool, forKey key: Key) { encoder.set(.value(.boolean(value)), key) }
    func encode(_ value: String, forKey key: Key) { encoder.set(.value(.string(value)), key) }
    func encode(_ value: Double, forKey key: Key) { encoder.set(.value(.number(value)), key) }
    func encode(_ value: Float, forKey key: Key) { encoder.set(.value(.number(Double(value))), key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      encoder.set(.value(try encoder.child(key).box(value)), key)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      superEncoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      superEncoder(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { superEncoder(LuaKey.parent) }
    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: any CodingKey) -> LuaEncoder {
      let child = encoder.child(key)
      encoder.set(.encoder(child), key)
      return child
    }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: LuaEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() { encoder.append(.value(.null)) }

    func encode<Value: Encodable>(_ value: Value) throws {
      encoder.append(.value(try encoder.child(LuaKey(intValue: count)).box(value)))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    func superEncoder() -> any Encoder { next() }

    private func next() -> LuaEncoder {
      let child = encoder.child(LuaKey(intValue: count))
      encoder.append(.encoder(child))
      return child
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: LuaEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.set(.null) }
    func encode(_ value: Bool) { encoder.set(.boolean(value)) }
    func encode(_ value: String) { encoder.set(.string(value)) }
    func encode(_ value: Double) { encoder.set(.number(value)) }
    func encode(_ value: Float) { encoder.set(.number(Double(value))) }
    func encode(_ value: Int) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: Int8) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: Int16) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: Int32) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: Int64) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: UInt) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: UInt8) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: UInt16) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: UInt32) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode(_ value: UInt64) throws { encoder.set(try LuaEncoder.integer(value)) }
    func encode<Value: Encodable>(_ value: Value) throws { encoder.set(try encoder.box(value)) }
  }
}
