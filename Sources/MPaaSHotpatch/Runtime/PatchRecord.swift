/// A `Codable` value that Lua sees as a table with its members.
///
///     struct Item: Codable, PatchRecord { var name: String; var price: Double }
///
/// In Lua: `item.price * 2`, and `{name = "shoe", price = 9.5}` where an item is to be given back. Arrays are tables
/// from 1 on, `Data` is a string, `Date` seconds since 1970, nil an absent member, and enumerations what `Codable`
/// makes of them.
public protocol PatchRecord: PatchValue, Codable {
  /// The type's name in lists of symbols; the name of the Swift type if nothing else is said.
  static var patchName: String { get }
}

extension PatchRecord {
  /// The name of the Swift type.
  public static var patchName: String { "\(Self.self)" }
  /// The type of a record under the name `patchName`.
  public static var patchType: PatchType { .record(patchName) }

  /// Gives the value to Lua as `Codable` describes it: a table, a list, a text or a number.
  ///
  /// - Throws: `PatchValueError` where the value cannot be encoded, or Lua has no memory for it.
  public func push(on stack: PatchStack) throws(PatchValueError) {
    try LuaValue(encoding: self).push(on: stack)
  }

  /// Takes a value from Lua and decodes it as `Codable` describes it.
  ///
  /// - Throws: `PatchValueError` where it cannot be decoded; the text names the member: `items[2].price`.
  public static func read(from stack: PatchStack, at index: Int32) throws(PatchValueError) -> Self {
    try LuaValue.read(from: stack, at: index).decode(Self.self)
  }
}

extension LuaValue {
  /// The value as its `Codable` conformance describes it.
  package init(encoding value: some Encodable) throws(PatchValueError) {
    let encoder = LuaEncoder(path: [])
    do {
      self = try encoder.box(value)
    } catch {
      throw (error as? PatchValueError) ?? PatchValueError("\(error)")
    }
  }

  package func decode<Value: Decodable>(_ type: Value.Type) throws(PatchValueError) -> Value {
    do {
      return try LuaDecoder(self, path: []).unbox(type)
    } catch let error as PatchValueError {
      throw error
    } catch let error as DecodingError {
      throw PatchValueError(Self.text(of: error))
    } catch {
      throw PatchValueError("\(error)")
    }
  }

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      Self.path(context.codingPath) + context.debugDescription
    case .keyNotFound(let key, let context): Self.path(context.codingPath + [key]) + "missing"
    @unknown default: "\(error)"
    }
  }

  /// The way to a value, such as `items[2].price: `.
  static func path(_ keys: [any CodingKey]) -> String {
    var text = ""
    for key in keys {
      if let index = key.intValue {
        text += "[\(index + 1)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text.isEmpty ? "" : text + ": "
  }

  /// The kind of the value, in a word.
  package var kind: String {
    switch self {
    case .null: "nil"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string, .bytes: "string"
    case .array, .table: "table"
    case .object(let name): name
    }
  }
}

/// A place in an array, or any other key that `Codable` asks for.
struct LuaKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  static let parent = LuaKey(stringValue: "super")
}
