import MPaaSSupport

/// The functions that read values, one for each type that something is of: `id JSONReadModelBook(id json, NSString *path, NSError **error)`.
struct ObjectiveCReaders {
  private let writer: ObjectiveCModelWriter
  /// Prototypes, in the order in which they were asked for first.
  private(set) var prototypes: [String] = []
  private var composed: [String: [String]] = [:]

  init(_ writer: ObjectiveCModelWriter) {
    self.writer = writer
  }

  private static func head(_ name: String) -> String {
    "__attribute__((unused)) static id \(name)(id json, NSString *path, NSError **error)"
  }

  /// The bodies of all readers that the set's declarations need.
  mutating func bodies() -> [String] {
    var lines: [String] = []
    for declaration in writer.set.declarations {
      prototypes.append(Self.head("JSONReadModel" + declaration.name) + ";")
      lines += [Self.head("JSONReadModel" + declaration.name) + " {"] + body(declaration) + ["}", ""]
    }
    for case .object(let object) in writer.set.declarations.map(\.kind) {
      for property in object.properties { _ = function(property.type.bare) }
      if let rest = object.rest { _ = function(rest) }
    }
    for name in composed.keys.sorted() { lines += (composed[name] ?? []) + [""] }
    return lines
  }

  private mutating func body(_ declaration: ModelDeclaration) -> [String] {
    switch declaration.kind {
    case .object:
      return ["    return [[\(writer.className(declaration.name)) alloc] initWithJSON:json path:path error:error];"]
    case .enumeration(let constants):
      let values = constants.map { Self.literal($0.value) }.joined(separator: ", ")
      return ["    return JSONReadConstant(json, path, @[\(values)], error);"]
    case .value(let type): return ["    return \(function(type))(json, path, error);"]
    case .tuple(let tuple): return body(tuple)
    case .union(let cases): return body(cases)
    }
  }

  private mutating func body(_ tuple: ModelTuple) -> [String] {
    let readers = tuple.items.map { function($0.type) }.joined(separator: ", ")
    let least = tuple.items.lastIndex { $0.isRequired }.map { $0 + 1 } ?? 0
    let rest = tuple.rest.map { function($0) } ?? "NULL"
    let table = tuple.items.isEmpty ? "NULL" : "readers"
    let lines = tuple.items.isEmpty ? [] : ["    static JSONReader const readers[] = {\(readers)};"]
    return lines + ["    return JSONReadTuple(json, path, \(table), \(tuple.items.count), \(least), \(rest), error);"]
  }

  /// The first type that the value can be, as its kind has it.
  private mutating func body(_ cases: [ModelCase]) -> [String] {
    var lines = ["    id value = nil;"]
    for item in cases {
      let kinds = item.kinds.sorted().map { "JSONKind" + $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() }
      let condition = kinds.isEmpty ? "NO" : "JSONIsOfKind(json, \(kinds.joined(separator: " | ")))"
      let read = item.type == .null ? "JSONReadNull" : function(item.type)
      lines.append("    if (\(condition) && (value = \(read)(json, path, NULL))) return value;")
    }
    return lines + ["    return JSONFail(error, path, @\"is of no permitted type\");"]
  }

  /// The name of the reader of a type.
  mutating func function(_ type: ModelType) -> String {
    switch type {
    case .any: return "JSONReadAny"
    case .null: return "JSONReadNull"
    case .boolean: return "JSONReadBoolean"
    case .integer: return "JSONReadInteger"
    case .number: return "JSONReadNumber"
    case .string: return "JSONReadString"
    case .named(let name): return "JSONReadModel" + name
    case .array(let element): return compose("ArrayOf", "JSONReadArray", element)
    case .map(let value): return compose("MapOf", "JSONReadMap", value)
    case .nullable(let inner): return compose("NullOr", "JSONReadNullOr", inner)
    }
  }

  private mutating func compose(_ word: String, _ base: String, _ inner: ModelType) -> String {
    let element = function(inner)
    let name = "JSONRead" + word + element.dropFirst("JSONRead".count)
    guard composed[name] == nil else { return name }
    prototypes.append(Self.head(name) + ";")
    composed[name] = [Self.head(name) + " {", "    return \(base)(json, path, \(element), error);", "}"]
    return name
  }

  private static func literal(_ value: JSONValue) -> String {
    switch value {
    case .null: "[NSNull null]"
    case .bool(let value): value ? "@(YES)" : "@(NO)"
    case .unsigned(let value): value > UInt64(Int64.max) ? "@\(value)ULL" : "@\(value)"
    case .negative(let value): value == .min ? "@(LLONG_MIN)" : "@(\(value))"
    case .number(let value): "@(\(value))"
    case .string(let value): ObjectiveCSpelling.literal(value)
    case .array(let values): "@[" + values.map(literal).joined(separator: ", ") + "]"
    case .object(let members):
      "@{"
        + members.sorted { $0.key < $1.key }.map { ObjectiveCSpelling.literal($0.key) + ": " + literal($0.value) }
        .joined(separator: ", ") + "}"
    }
  }
}
