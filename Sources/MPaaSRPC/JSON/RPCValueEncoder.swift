import MPaaSJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RPCValue {
  /// Makes the JSON of a value; decimal numbers keep their digits, bytes become Base64.
  ///
  /// - Throws: `EncodingError` for numbers that JSON does not have, and what the value itself throws.
  public init(encoding value: some Encodable) throws {
    node = try RPCValueEncoder.item(value, nil).node
  }
}

/// Writes Codable values as JSON that keeps the digits of numbers.
struct RPCValueEncoder: Encoder {
  let path: RPCCodingPath?
  let slot: RPCEncodingSlot
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The JSON of a value.
  ///
  /// - Parameter path: The way to the value, which is asked for only where it is needed.
  static func item<Value: Encodable>(
    _ value: Value, _ path: @autoclosure () -> RPCCodingPath?
  ) throws -> RPCEncodingSlot.Item {
    if let known = try known(value, path) { return .node(known) }
    let place = path()
    guard (place?.count ?? 0) < RPCValue.greatestDepth else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: RPCCodingPath.keys(place), debugDescription: "too deep"))
    }
    let slot = RPCEncodingSlot()
    try value.encode(to: RPCValueEncoder(path: place, slot: slot))
    return .slot(slot)
  }

  /// The JSON of types that have a form of their own.
  ///
  /// Types are compared before values are cast: a cast that fails takes longer than all comparisons.
  private static func known<Value: Encodable>(_ value: Value, _ path: () -> RPCCodingPath?) throws -> JSONNode? {
    let type = Value.self
    if type == String.self { return (value as? String).map { JSONNode(.string($0)) } }
    if type == RPCDecimal.self { return (value as? RPCDecimal).map { JSONNode(.number($0.number)) } }
    if type == Int.self { return (value as? Int).map { JSONNode(.number(JSONNumber($0))) } }
    if type == Bool.self { return (value as? Bool).map { JSONNode(.bool($0)) } }
    if type == Double.self { return try number((value as? Double).flatMap { JSONNumber($0) }, value, path()) }
    if type == Float.self { return try number((value as? Float).flatMap { JSONNumber("\($0)") }, value, path()) }
    if type == RPCValue.self { return (value as? RPCValue)?.node }
    if type == Decimal.self { return try number(JSONNumber("\(value)"), value, path()) }
    if type == URL.self { return (value as? URL).map { JSONNode(.string($0.absoluteString)) } }
    if type == Data.self { return (value as? Data).map { JSONNode(.string($0.base64EncodedString())) } }
    guard RPCIntegers.contain(type), let integer = value as? any FixedWidthInteger else { return nil }
    return JSONNode(.number(JSONNumber(integer)))
  }

  static func number(
    _ number: JSONNumber?, _ value: Any, _ path: @autoclosure () -> RPCCodingPath?
  ) throws -> JSONNode {
    guard let number else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: RPCCodingPath.keys(path()), debugDescription: "JSON has no such number"))
    }
    return JSONNode(.number(number))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .none = slot.value { slot.value = .members([]) }
    return KeyedEncodingContainer(RPCKeyedEncoding<Key>(path: path, slot: slot))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .none = slot.value { slot.value = .list([]) }
    return RPCListEncoding(path: path, slot: slot)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { RPCSingleEncoding(path: path, slot: slot) }
}
