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
  /// As they are written, without `@`: `objc(APCartService)`, `MainActor`.
  package let attributes: [String]
  /// `public`, `final`, `private` and so on.
  package let modifiers: [String]
  /// Tells whether it takes parameters: `Box<Value>`.
  package let isGeneric: Bool
  /// The conditions of the `#if` that it stands in, outermost first: `canImport(UIKit)`, `!(os(iOS))`.
  package let conditions: [String]
  /// From 1, where the name stands.
  package let line: Int
  package let column: Int

  package init(
    kind: Kind, name: String, inherited: [String] = [], properties: [PropertyDeclaration] = [],
    language: SourceLanguage = .swift, attributes: [String] = [], modifiers: [String] = [], isGeneric: Bool = false,
    conditions: [String] = [], line: Int, column: Int
  ) {
    self.kind = kind
    self.name = name
    self.inherited = inherited
    self.properties = properties
    self.language = language
    self.attributes = attributes
    self.modifiers = modifiers
    self.isGeneric = isGeneric
    self.conditions = conditions
    self.line = line
    self.column = column
  }

  /// The name that Objective-C knows it by, where `@objc(Name)` says so.
  package var objectiveCName: String? {
    attributes.first { $0.hasPrefix("objc(") && $0.hasSuffix(")") }.map { String($0.dropFirst(5).dropLast()) }
  }
}

/// A stored property.
package struct PropertyDeclaration: Sendable, Equatable {
  package let name: String
  /// As it is written, without `?`: `String`, `[Int]`, `NSArray<User *> *`; told from the first value where no type is
  /// written and that is a literal or a call of a type, else empty.
  package let type: String
  /// Tells whether it may be nil; in Objective-C, an object that nothing says of that it may not.
  package let isOptional: Bool
  package let isStatic: Bool
  /// Tells whether it is set once: `let`, `readonly`.
  package let isConstant: Bool
  /// As they are written: `@Published`'s `Published`, and what stands in the parentheses of `@property`.
  package let attributes: [String]
  package let modifiers: [String]
  package let line: Int

  package init(
    name: String, type: String, isOptional: Bool = false, isStatic: Bool = false, isConstant: Bool = false,
    attributes: [String] = [], modifiers: [String] = [], line: Int
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isStatic = isStatic
    self.isConstant = isConstant
    self.attributes = attributes
    self.modifiers = modifiers
    self.line = line
  }
}
