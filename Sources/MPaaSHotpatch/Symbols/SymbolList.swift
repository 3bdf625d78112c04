/// The things that an app offers to patches: functions that may be replaced, functions that may be called, and types of
/// objects.
///
/// The app's build writes it as JSON; lint and verification check patches against it, and the runtime registers the
/// same.
package struct SymbolList: Sendable, Equatable {
  /// The app that it belongs to: its bundle identifier and version.
  package var app: String
  package var version: String
  /// Functions that may be replaced, by name: `Cart.total`.
  package var functions: [String: Signature]
  /// Functions that a patch may call, by dotted name: `Analytics.track`.
  package var exports: [String: Signature]
  /// Objects that a patch may be handed, by type name, with the methods that it may call on them.
  package var types: [String: [String: Signature]]

  package init(
    app: String, version: String, functions: [String: Signature] = [:], exports: [String: Signature] = [:],
    types: [String: [String: Signature]] = [:]
  ) {
    self.app = app
    self.version = version
    self.functions = functions
    self.exports = exports
    self.types = types
  }

  /// The parameters and the result of a function.
  package struct Signature: Sendable, Equatable {
    package var parameters: [ValueType]
    package var result: ValueType
    package var isAsync: Bool
    package var canThrow: Bool

    package init(_ parameters: [ValueType], _ result: ValueType, isAsync: Bool = false, canThrow: Bool = false) {
      self.parameters = parameters
      self.result = result
      self.isAsync = isAsync
      self.canThrow = canThrow
    }
  }
}

/// The type of a value that crosses between the app and Lua.
package indirect enum ValueType: Sendable, Hashable {
  case void, integer, double, boolean, string, data, date
  case array(ValueType)
  /// Keys are strings.
  case dictionary(ValueType)
  case optional(ValueType)
  /// A `Codable` value: a table in Lua, with these members where they are known.
  case record(String)
  /// An object of the app, opaque to Lua but for its named methods.
  case object(String)
  /// Any of the others.
  case any
}

extension ValueType: CustomStringConvertible {
  /// As symbol lists write it: `int`, `double`, `bool`, `string`, `data`, `date`, `void`, `any`, `[T]`, `{T}`, `T?`,
  /// `record NAME`, `object NAME`.
  package var description: String {
    switch self {
    case .void: "void"
    case .integer: "int"
    case .double: "double"
    case .boolean: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .array(let element): "[\(element)]"
    case .dictionary(let value): "{\(value)}"
    case .optional(let wrapped): "\(wrapped)?"
    case .record(let name): "record \(name)"
    case .object(let name): "object \(name)"
    case .any: "any"
    }
  }

  /// Reads what `description` writes; nil where it is nothing of the kind or nested more than 16 deep.
  package init?(_ text: some StringProtocol) {
    self.init(text, depth: 0)
  }

  private init?(_ text: some StringProtocol, depth: Int) {
    guard depth < 16 else { return nil }
    switch text {
    case "void": self = .void
    case "int": self = .integer
    case "double": self = .double
    case "bool": self = .boolean
    case "string": self = .string
    case "data": self = .data
    case "date": self = .date
    case "any": self = .any
    default:
      if text.hasSuffix("?") {
        guard let wrapped = ValueType(text.dropLast(), depth: depth + 1), wrapped != .void else { return nil }
        self = .optional(wrapped)
      } else if text.hasPrefix("["), text.hasSuffix("]") {
        guard let element = ValueType(text.dropFirst().dropLast(), depth: depth + 1), element != .void else {
          return nil
        }
        self = .array(element)
      } else if text.hasPrefix("{"), text.hasSuffix("}") {
        guard let value = ValueType(text.dropFirst().dropLast(), depth: depth + 1), value != .void else { return nil }
        self = .dictionary(value)
      } else if text.hasPrefix("record ") || text.hasPrefix("object ") {
        let name = String(text.dropFirst(7))
        guard SymbolList.isName(name) else { return nil }
        self = text.hasPrefix("record ") ? .record(name) : .object(name)
      } else {
        return nil
      }
    }
  }
}

extension SymbolList {
  /// Tells whether `name` is words of letters, digits and underscores with dots between them, as `Cart.total`.
  package static func isName(_ name: some StringProtocol) -> Bool {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    return name.utf8.count <= 256
      && words.allSatisfy { word in
        guard let first = word.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
          return false
        }
        return word.utf8.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte != 0x5f | 0x20
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        }
      }
  }
}
