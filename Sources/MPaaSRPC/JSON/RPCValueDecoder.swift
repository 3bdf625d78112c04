import MPaaSJSON
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RPCValue {
  /// Reads a value of a type; decimal numbers keep their digits, bytes are read from Base64.
  ///
  /// - Throws: `DecodingError` where the JSON is not of that type.
  public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try RPCValueDecoder.value(type, node, nil)
  }
}

/// Reads Codable values from JSON that kept the digits of numbers.
final class RPCValueDecoder: Decoder {
  let node: JSONNode
  let path: RPCCodingPath?
  var codingPath: [any CodingKey] { RPCCodingPath.keys(path) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: JSONNode, _ path: RPCCodingPath?) {
    self.node = node
    self.path = path
  }

  /// Reads a value.
  ///
  /// - Parameter path: The way to the value, which is asked for only where it is needed.
  static func value<Value: Decodable>(
    _ type: Value.Type, _ node: JSONNode, _ path: @autoclosure () -> RPCCodingPath?
  ) throws -> Value {
    if type == String.self { return try required(node.string as? Value, type, node, path()) }
    if type == RPCDecimal.self { return try required(node.number.map { RPCDecimal($0) } as? Value, type, node, path()) }
    if type == Int.self { return try required(node.number?.integer(Int.self) as? Value, type, node, path()) }
    if type == Bool.self { return try required(node.bool as? Value, type, node, path()) }
    if type == Double.self { return try required(node.number?.double as? Value, type, node, path()) }
    if let known = seldom(type) { return try required(known(node) as? Value, type, node, path()) }
    return try Value(from: RPCValueDecoder(node, path()))
  }

  /// The readers of types that have a form of their own, and that few calls have.
  private static func seldom(_ type: Any.Type) -> ((JSONNode) -> Any?)? {
    if type == Float.self { return { $0.number.map { Float($0.double) } } }
    if type == RPCValue.self { return { RPCValue($0) } }
    if type == Decimal.self { return { $0.number.flatMap { Decimal(string: $0.text) } } }
    if type == URL.self { return { $0.string.flatMap { URL(string: $0) } } }
    if type == Data.self { return { $0.string.flatMap { Base64.decode($0.utf8) }.map { Data($0) } } }
    guard RPCIntegers.contain(type), let type = type as? any FixedWidthInteger.Type else { return nil }
    return { node in node.number.flatMap { integer(type, $0) } }
  }

  private static func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ number: JSONNumber) -> Any? {
    number.integer(type)
  }

  static func required<Value>(
    _ value: Value?, _ type: Any.Type, _ node: JSONNode, _ path: @autoclosure () -> RPCCodingPath?
  ) throws -> Value {
    guard let value else { throw mismatch(type, node, path()) }
    return value
  }

  static func mismatch(_ type: Any.Type, _ node: JSONNode, _ path: RPCCodingPath?) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: RPCCodingPath.keys(path), debugDescription: "expected \(type)")
    return node.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = node.members else { throw Self.mismatch([String: Any].self, node, path) }
    return KeyedDecodingContainer(RPCKeyedDecoding<Key>(members, path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = node.elements else { throw Self.mismatch([Any].self, node, path) }
    return RPCListDecoding(elements, path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { RPCSingleDecoding(decoder: self) }
}
