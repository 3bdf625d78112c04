import MPaaSJSON
import MPaaSPattern

/// A schema made ready: its words with what they need, and indexes for the schemas that they lead to.
struct CompiledSchema: Sendable {
  /// The address of the schema: that of its document, and a pointer.
  var address = ""
  /// Words in the order in which they are checked; those about what is left over come last.
  var words: [SchemaWord] = []
  /// True for a schema that takes nothing: `false`.
  var refuses = false
  /// The resource that the schema is part of.
  var resource = 0
  /// True where a word asks for what no other has looked at.
  var tracks = false
}

/// The types of JSON, as a set.
struct SchemaTypes: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  /// A number that is not whole; `number` is both.
  static let fraction = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init?(_ name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = .integer
    case "number": self = [.integer, .fraction]
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }
}

/// One word of a schema.
enum SchemaWord: Sendable {
  case types(SchemaTypes, names: [String])
  case enumeration([JSONNode])
  case const(JSONNode)
  case multipleOf(JSONNumber)
  case minimum(JSONNumber, isExclusive: Bool)
  case maximum(JSONNumber, isExclusive: Bool)
  case minLength(Int)
  case maxLength(Int)
  case pattern(Pattern, text: String)
  case format(SchemaFormat)
  case minItems(Int)
  case maxItems(Int)
  case uniqueItems
  case minProperties(Int)
  case maxProperties(Int)
  case required([RequiredName])
  case dependentRequired([(name: String, others: [String])])
  case dependentSchemas([(name: String, schema: Int)])
  case properties(PropertiesWord)
  case propertyNames(Int)
  case items(ItemsWord)
  case contains(ContainsWord)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case condition(if: Int, then: Int?, else: Int?)
  case reference(Int)
  /// The name of the anchor, and where it leads if nothing outside has it.
  case dynamicReference(String, Int)
  case recursiveReference(Int)
  case unevaluatedProperties(Int)
  case unevaluatedItems(Int)
}

/// A name that must be there, unless it travels the other way only.
struct RequiredName: Sendable {
  let name: String
  let isReadOnly: Bool
  let isWriteOnly: Bool
}

/// The keywords about the members of an object.
struct PropertiesWord: Sendable {
  var named: [ExactText: Int] = [:]
  /// The place of each name in the schema, by which violations are told.
  var order: [ExactText: Int] = [:]
  var patterns: [(pattern: Pattern?, text: String, schema: Int)] = []
  var additional: Int?
}

/// The keywords about the elements of an array.
struct ItemsWord: Sendable {
  var prefix: [Int] = []
  var prefixName = "prefixItems"
  var rest: Int?
  var restName = "items"
}

/// The number of elements that a schema must take.
struct ContainsWord: Sendable {
  let schema: Int
  let least: Int
  let most: Int?
  /// True where the elements that it takes are looked at by it.
  let marks: Bool
}
