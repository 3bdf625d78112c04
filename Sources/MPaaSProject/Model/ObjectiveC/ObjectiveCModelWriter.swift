import MPaaSSupport

/// Writes a `ModelSet` as Objective-C: a header and an implementation.
///
/// Objects become classes that read JSON with errors that name the path, and give it back; what is no object is read by
/// two functions. Checked are the types, required members and enumerations, and the bounds that a member has by itself;
/// what a schema says by combining checks (`oneOf`, `not`, `if` …) is told apart by the types only.
package struct ObjectiveCModelWriter {
  package struct Options: Sendable {
    /// The beginning of the names of all types: `LIB`.
    package var prefix: String
    /// The name of both files, without extension.
    package var file: String

    package init(prefix: String = "", file: String) {
      self.prefix = prefix
      self.file = file
    }
  }

  let set: ModelSet
  let options: Options
  let kinds: [String: ModelDeclaration]

  package init(_ set: ModelSet, _ options: Options) {
    self.set = set
    self.options = options
    kinds = Dictionary(set.declarations.map { ($0.name, $0) }) { first, _ in first }
  }

  var errorDomain: String {
    options.file.filter { $0.isLetter || $0.isNumber || $0 == "_" } + "ErrorDomain"
  }

  func className(_ name: String) -> String {
    let name = options.prefix + name
    return ObjectiveCSpelling.types.contains(name) ? name + "Model" : name
  }

  func kind(_ name: String) -> ModelDeclaration.Kind? { kinds[name]?.kind }
}

// MARK: Types

extension ObjectiveCModelWriter {
  /// The ways in which a value of a type is held.
  enum Storage: Equatable {
    /// A number of C: `NSInteger`, and how `NSNumber` gives it.
    case scalar(String, getter: String)
    /// An object: `NSString *`.
    case object(String)
  }

  /// The storage of a property's value; numbers are scalars where they are always there.
  func storage(_ type: ModelType, isAlways: Bool) -> Storage {
    guard isAlways else { return .object(object(type)) }
    switch resolved(type) {
    case .boolean: return .scalar("BOOL", getter: "boolValue")
    case .integer(.uint64): return .scalar("uint64_t", getter: "unsignedLongLongValue")
    case .integer(.int): return .scalar("NSInteger", getter: "integerValue")
    case .integer(.int32): return .scalar("int32_t", getter: "intValue")
    case .integer(.int64): return .scalar("int64_t", getter: "longLongValue")
    case .number: return .scalar("double", getter: "doubleValue")
    case .named(let name) where isWhole(name): return .scalar(className(name) + " ", getter: "integerValue")
    default: return .object(object(type))
    }
  }

  /// The class of a value, as it stands before a property's name.
  ///
  /// - Parameter names: The names that it stands inside: what holds itself is any object in there.
  func object(_ type: ModelType, inside names: Set<String> = []) -> String {
    var names = names
    if case .named(let name) = type, case .value? = kind(name), !names.insert(name).inserted { return "id " }
    return switch resolved(type) {
    case .any, .null, .nullable: "id "
    case .boolean, .integer, .number: "NSNumber *"
    case .string: "NSString *"
    case .array(let element): generic("NSArray", [element], names)
    case .map(let value): generic("NSDictionary", [.string(.plain), value], names)
    case .named(let name): named(name)
    }
  }

  private func named(_ name: String) -> String {
    switch kind(name) {
    case .object: className(name) + " *"
    case .tuple: "NSArray *"
    case .enumeration(let constants) where Self.isText(constants): className(name) + " "
    case .enumeration(let constants) where Self.isWhole(constants): "NSNumber *"
    default: "id "
    }
  }

  private func generic(_ name: String, _ arguments: [ModelType], _ inside: Set<String>) -> String {
    let names = arguments.map { argument in
      let type = argument.isNullable ? "id " : object(argument, inside: inside)
      return type.hasSuffix("*") ? type : String(type.dropLast())
    }
    return names.last == "id" && name == "NSArray" ? "NSArray *" : "\(name)<\(names.joined(separator: ", "))> *"
  }

  /// The type behind names that are nothing but another name; `any` where that has no end.
  func resolved(_ type: ModelType) -> ModelType {
    var type = type
    var seen: Set<String> = []
    while case .named(let name) = type, case .value(let inner)? = kind(name) {
      guard seen.insert(name).inserted else { return .any }
      type = inner
    }
    return type
  }

  func isWhole(_ name: String) -> Bool {
    if case .enumeration(let constants)? = kind(name) { Self.isWhole(constants) } else { false }
  }

  static func isText(_ constants: [ModelConstant]) -> Bool {
    !constants.isEmpty && constants.allSatisfy { $0.value.string != nil }
  }

  static func isWhole(_ constants: [ModelConstant]) -> Bool {
    !constants.isEmpty && constants.allSatisfy { $0.value.integer(Int.self) != nil }
  }

  /// Tells whether a declaration is a class; others are read and written by functions.
  static func isClass(_ declaration: ModelDeclaration) -> Bool {
    if case .object = declaration.kind { true } else { false }
  }
}

// MARK: Properties

extension ObjectiveCModelWriter {
  /// A member of an object as its class holds it.
  struct Property {
    let jsonName: String
    let name: String
    let type: ModelType
    let storage: Storage
    let isRequired: Bool
    /// Tells whether null and missing are two different things.
    let isField: Bool
    let documentation: [String]

    /// Tells whether nil is a value of it.
    var isNullable: Bool {
      if case .scalar = storage { false } else { !isRequired || type.isNullable }
    }
  }

  func properties(_ object: ModelObject) -> [Property] {
    var taken: Set<String> = ["additionalProperties", "nullMembers"]
    return object.properties.map { property in
      let name = ModelName.unique(ObjectiveCSpelling.property(property.name), among: taken)
      taken.insert(name)
      let isAlways = property.isRequired && !property.type.isNullable
      return Property(
        jsonName: property.jsonName, name: name, type: property.type,
        storage: storage(property.type.bare, isAlways: isAlways), isRequired: property.isRequired,
        isField: !property.isRequired && !property.isLenient && property.type.isNullable,
        documentation: property.documentation)
    }
  }
}
