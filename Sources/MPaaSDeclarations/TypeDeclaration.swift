/// A type as a source declares it: its name, what it conforms to, and what it stores.
package struct TypeDeclaration: Sendable, Equatable {
  package enum Kind: String, Sendable { case `class`, `struct`, `enum`, `actor`, `protocol`, `extension` }
  package enum SourceLanguage: Sendable { case swift, objectiveC }

  package let kind: Kind
  /// With the types that it stands in: `Shop.Cart`.
  package let name: String
  /// The superclass, if any, and the protocols, as they are written.
  package let inherited: [String]
  package let properties: [PropertyDeclaration]
  package let language: SourceLanguage
  /// From 1, where the name stands.
  package let line: Int
  package let column: Int

  package init(
    kind: Kind, name: String, inherited: [String] = [], properties: [PropertyDeclaration] = [],
    language: SourceLanguage = .swift, line: Int, column: Int
  ) {
    self.kind = kind
    self.name = name
    self.inherited = inherited
    self.properties = properties
    self.language = language
    self.line = line
    self.column = column
  }
}

/// A stored property.
package struct PropertyDeclaration: Sendable, Equatable {
  package let name: String
  /// As it is written, without `?`: `String`, `[Int]`, `NSArray<User *> *`.
  package let type: String
  package let isOptional: Bool
  package let isStatic: Bool
  package let line: Int

  package init(name: String, type: String, isOptional: Bool = false, isStatic: Bool = false, line: Int) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isStatic = isStatic
    self.line = line
  }
}
