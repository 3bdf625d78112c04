package import MPaaSSupport

/// The types that JSON documents have, in no language yet: what a schema, samples or a scaffold say, ready to be
/// written.
package struct ModelSet: Sendable, Equatable {
  /// Every type, in the order in which the document mentions them first.
  package var declarations: [ModelDeclaration]
  /// Checks that several places share and that belong to no declaration.
  package var functions: [ModelFunction]

  package init(_ declarations: [ModelDeclaration] = [], functions: [ModelFunction] = []) {
    self.declarations = declarations
    self.functions = functions
  }

  package subscript(_ name: String) -> ModelDeclaration? { declarations.first { $0.name == name } }
}

/// A type with a name.
package struct ModelDeclaration: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A structure with named members.
    case object(ModelObject)
    /// An array whose elements have types of their own by place.
    case tuple(ModelTuple)
    /// One of some values.
    case enumeration([ModelConstant])
    /// A value of one of some types.
    case union([ModelCase])
    /// A value of another type, with checks of its own.
    case value(ModelType)
  }

  /// Upper camel case, unique in the set.
  package var name: String
  /// Lines of text.
  package var documentation: [String]
  package var kind: Kind
  /// The conditions on the JSON, all of it.
  package var checks: [ModelCheck]

  package init(_ name: String, _ kind: Kind, documentation: [String] = [], checks: [ModelCheck] = []) {
    self.name = name
    self.documentation = documentation
    self.kind = kind
    self.checks = checks
  }
}

/// The members of an object.
package struct ModelObject: Sendable, Equatable {
  package var properties: [ModelProperty]
  /// The type of members that no property names; nil where there can be none.
  package var rest: ModelType?

  package init(_ properties: [ModelProperty], rest: ModelType? = nil) {
    self.properties = properties
    self.rest = rest
  }
}

/// The elements of an array, by their place.
package struct ModelTuple: Sendable, Equatable {
  /// The first elements, whose JSON names are their indexes; one that is not required may be beyond the array's end.
  package var items: [ModelProperty]
  /// The type of those behind them; nil where there can be none.
  package var rest: ModelType?

  package init(_ items: [ModelProperty], rest: ModelType?) {
    self.items = items
    self.rest = rest
  }
}

/// A member of an object.
package struct ModelProperty: Sendable, Equatable {
  package var jsonName: String
  /// Lower camel case, unique in its type; it may be a keyword of some language.
  package var name: String
  /// `nullable` where it may be null, whether or not it may be missing.
  package var type: ModelType
  /// Tells whether it is always there.
  package var isRequired: Bool
  /// Tells whether the value is stored outside of its owner: it holds, without an array or a map between, a value of the
  /// type that it is a property of, or it is large.
  package var isIndirect: Bool
  /// Tells whether null means the same as missing, in what is not required.
  package var isLenient: Bool
  package var documentation: [String]

  package init(
    _ jsonName: String, name: String, type: ModelType, isRequired: Bool, isIndirect: Bool = false,
    isLenient: Bool = false, documentation: [String] = []
  ) {
    self.jsonName = jsonName
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.isIndirect = isIndirect
    self.isLenient = isLenient
    self.documentation = documentation
  }
}

/// A value of an enumeration.
package struct ModelConstant: Sendable, Equatable {
  package var name: String
  package var value: JSONValue

  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

/// A type of a union.
package struct ModelCase: Sendable, Equatable {
  package var name: String
  package var type: ModelType
  /// The kinds of JSON that can be of this type.
  package var kinds: Set<ModelKind>
  /// The conditions that tell it from other cases of the same kinds.
  package var checks: [ModelCheck]

  package init(_ name: String, _ type: ModelType, kinds: Set<ModelKind>, checks: [ModelCheck] = []) {
    self.name = name
    self.type = type
    self.kinds = kinds
    self.checks = checks
  }
}

/// The kinds of JSON values; an integer is a number without a fraction.
package enum ModelKind: String, Sendable, CaseIterable, Comparable {
  case null, boolean, integer, number, string, array, object

  package static func < (left: ModelKind, right: ModelKind) -> Bool {
    order(left) < order(right)
  }

  private static func order(_ kind: ModelKind) -> Int { allCases.firstIndex(of: kind) ?? 0 }
}

/// The type of a value, where it is mentioned.
package indirect enum ModelType: Sendable, Hashable {
  package enum Integer: String, Sendable {
    case int, int32, int64, uint64
  }
  package enum Text: String, Sendable {
    case plain
    /// RFC 3339 date with time.
    case dateTime
    /// RFC 3339 full date.
    case date
    case time
    case uuid
    case uri
  }
  case any
  case null
  case boolean
  case integer(Integer)
  case number
  case string(Text)
  case array(ModelType)
  /// An object with any names.
  case map(ModelType)
  case nullable(ModelType)
  /// A declaration of the set.
  case named(String)

  /// Tells whether null is a value of it.
  package var isNullable: Bool {
    switch self {
    case .any, .null, .nullable: true
    default: false
    }
  }

  /// The type without null.
  package var bare: ModelType {
    if case .nullable(let type) = self { type } else { self }
  }
}

/// Checks that several places share.
package struct ModelFunction: Sendable, Equatable {
  /// Lower camel case, unique in the set.
  package var name: String
  package var checks: [ModelCheck]

  package init(_ name: String, _ checks: [ModelCheck]) {
    self.name = name
    self.checks = checks
  }
}
