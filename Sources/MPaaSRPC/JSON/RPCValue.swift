package import MPaaSJSON

/// A value of JSON as it was written: members keep their order, and numbers their digits.
///
/// ```swift
/// let answer = try response.json()
/// let price = answer["items"]?[0]?["price"]?.number   // 9.45, not 9.449999999999999
/// ```
public struct RPCValue: Sendable {
  package let node: JSONNode

  package init(_ node: JSONNode) { self.node = node }

  /// The most arrays and objects that lie in each other.
  package static let greatestDepth = 256

  /// Reads a document of JSON.
  ///
  /// - Throws: `RPCValueError` with line and column of the first byte that cannot be there.
  public init(_ bytes: [UInt8]) throws(RPCValueError) {
    do throws(JSONSyntaxError) {
      node = try JSONSource(parsing: bytes, file: "", depth: Self.greatestDepth).root
    } catch {
      throw RPCValueError(error)
    }
  }

  /// The value `null`.
  public static let null = RPCValue(JSONNode(.null))
  /// A value that is true or false.
  public static func bool(_ value: Bool) -> RPCValue { RPCValue(JSONNode(.bool(value))) }
  /// A number.
  public static func number(_ value: RPCDecimal) -> RPCValue { RPCValue(JSONNode(.number(value.number))) }
  /// A text.
  public static func string(_ value: String) -> RPCValue { RPCValue(JSONNode(.string(value))) }
  /// A list of values.
  public static func array(_ values: [RPCValue]) -> RPCValue { RPCValue(JSONNode(.array(values.map(\.node)))) }

  /// Members in their order; of two with one name the last counts.
  public static func object(_ members: [(name: String, value: RPCValue)]) -> RPCValue {
    RPCValue(JSONNode.object(members.map { ($0.name, $0.value.node) }))
  }

  /// True for `null`.
  public var isNull: Bool { node.isNull }
  /// The truth value; nil for any other kind.
  public var bool: Bool? { node.bool }
  /// The text; nil for any other kind.
  public var string: String? { node.string }
  /// The number with its digits; nil for any other kind.
  public var number: RPCDecimal? { node.number.map { RPCDecimal($0) } }
  /// The elements of a list; nil for any other kind.
  public var elements: [RPCValue]? { node.elements?.map { RPCValue($0) } }
  /// The members of an object, in their order; nil for any other kind.
  public var members: [(name: String, value: RPCValue)]? { node.members?.map { ($0.name, RPCValue($0.value)) } }

  /// The member of an object; nil where there is none.
  public subscript(name: String) -> RPCValue? { node[name].map { RPCValue($0) } }

  /// The element of a list, counted from 0; nil where there is none.
  public subscript(index: Int) -> RPCValue? {
    guard let elements = node.elements, elements.indices.contains(index) else { return nil }
    return RPCValue(elements[index])
  }

  /// The value as JSON in UTF-8, on one line.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The value over several lines.
  package var indented: String { node.indented }

  func append(to bytes: inout [UInt8]) { node.append(to: &bytes) }
}

extension RPCValue: Equatable, CustomStringConvertible {
  /// Compares kinds, order and digits.
  public static func == (left: RPCValue, right: RPCValue) -> Bool { left.node.line == right.node.line }
  /// The value as JSON on one line.
  public var description: String { node.line }
}

extension RPCValue: Codable {
  /// Takes the value as it stands in the answer.
  ///
  /// - Throws: `DecodingError` for decoders of anything else than calls.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? RPCValueDecoder else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "RPCValue is read from answers of calls only"))
    }
    node = decoder.node
  }

  /// Writes the value as it stands.
  ///
  /// - Throws: `EncodingError` for encoders of anything else than calls.
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? RPCValueEncoder else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "RPCValue is written into calls only"))
    }
    encoder.slot.value = .node(node)
  }
}

/// The reason why bytes are not JSON, and where.
public struct RPCValueError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in characters, from 1.
  public let column: Int
  /// The kind of the fault in a word: `unexpected`, `unfinished`, `tooDeep`, `badNumber`, `badString`.
  public let reason: String

  init(_ error: JSONSyntaxError) {
    line = error.position.line
    column = error.position.column
    reason = error.code.rawValue
  }

  /// The place and the kind: `line 1, column 3: unexpected`.
  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONNode {
  /// Members in their order; of two with one name the last counts, in the place of the first.
  static func object(_ members: [(String, JSONNode)]) -> JSONNode {
    var kept = JSONMembers()
    for (name, value) in members { kept.put(Member(name: name, value: value)) }
    return JSONNode(.object(kept.list))
  }

  var isNull: Bool { if case .null = content { true } else { false } }
}
